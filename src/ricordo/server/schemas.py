"""What goes over the wire: the words of the domain as JSON. Pydantic lives here alone; inside there are plain values.

The one rule: times leave as the person's own clock showed them, and no secret leaves at all.
"""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Literal, assert_never

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from ricordo import conversation, fact, hit
from ricordo.conversation import Moment, Reach, Role, Status
from ricordo.fact import Origin
from ricordo.prompt import ChatRole, Prompt

Id = Annotated[int, Field(ge=1, lt=1 << 63)]
Words = Annotated[str, Field(max_length=2_000_000)]
Title = Annotated[str, Field(max_length=300)]
Passphrase = Annotated[str, Field(max_length=1024)]


def _local(value: Any) -> Any:
    return value.local if isinstance(value, Moment) else value


When = Annotated[datetime, BeforeValidator(_local)]


class Shown(BaseModel):
    """Made from a value of the domain."""

    model_config = ConfigDict(from_attributes=True)


class Asked(BaseModel):
    """Sent by a client; a name that is not known is refused, so that a slip does not pass for success."""

    model_config = ConfigDict(extra="forbid")


class Everywhere(Shown):
    """At home in every conversation."""

    kind: Literal["global"] = "global"


class InSpace(Shown):
    """At home in a Space."""

    kind: Literal["space"] = "space"
    space: Id


class InConversation(Shown):
    """At home in a conversation."""

    kind: Literal["conversation"] = "conversation"
    conversation: Id


Home = Annotated[Everywhere | InSpace | InConversation, Field(discriminator="kind")]


def _home(value: Any) -> Any:
    match value:
        case fact.Global():
            return Everywhere()
        case fact.InSpace(space):
            return InSpace(space=space)
        case fact.InConversation(at):
            return InConversation(conversation=at)
        case _:
            return value


def home_of(home: Everywhere | InSpace | InConversation) -> fact.Home:
    """Return the home that a client named."""
    match home:
        case Everywhere():
            return fact.Global()
        case InSpace():
            return fact.InSpace(home.space)
        case InConversation():
            return fact.InConversation(home.conversation)
        case _:
            assert_never(home)


class VaultState(Shown):
    """Whether the vault is there and open, and whether this browser has come in."""

    state: Literal["missing", "locked", "unlocked"]
    inside: bool
    path: str


class Secret(Asked):
    """A passphrase, or the recovery key."""

    passphrase: Passphrase


class Created(Shown):
    """A new vault: its recovery key, which is never shown again."""

    recovery_key: str


class Space(Shown):
    """A Space."""

    id: int
    name: str
    instructions: str
    memory: bool
    reach: Reach
    created: When


class NewSpace(Asked):
    """A Space to make."""

    name: Title
    instructions: Annotated[str, Field(max_length=20_000)] = ""


class SpaceEdit(Asked):
    """What to change of a Space."""

    name: Title | None = None
    instructions: Annotated[str, Field(max_length=20_000)] | None = None
    memory: bool | None = None
    reach: Reach | None = None


class Conversation(Shown):
    """A conversation; `messages` is how many it shows."""

    id: int
    title: str
    space: int | None
    created: When
    updated: When
    messages: int


class NewConversation(Asked):
    """A conversation to begin."""

    title: Title = ""
    space: Id | None = None


class ConversationEdit(Asked):
    """What to change of a conversation; a `space` of null moves it out."""

    title: Title | None = None
    space: Id | None = None


class Attachment(Asked):
    """Text given along that is not the person's own words."""

    model_config = ConfigDict(from_attributes=True, extra="forbid")

    name: Title
    media_type: Annotated[str, Field(max_length=200)] = "text/plain"
    text: Words


class Message(Shown):
    """A message; `blocks` is the HTML of a reply, block by block, empty for the person's own messages."""

    id: int
    conversation: int
    role: Role
    text: str
    at: When
    status: Status
    model: str
    attachments: list[Attachment]
    blocks: list[str] = []


class Messages(Shown):
    """A stretch of a conversation, oldest first; `earlier` says whether there are older ones."""

    messages: list[Message]
    earlier: bool


class Writing(Asked):
    """What the person wrote."""

    text: Words
    attachments: list[Attachment] = []

    def enclosed(self) -> list[conversation.Attachment]:
        """Return the attachments as values."""
        return [conversation.Attachment(one.name, one.media_type, one.text) for one in self.attachments]


class Deleted(Shown):
    """What was deleted with a message stays known by these facts: the person decides about them."""

    facts: list[int]


class Stopped(Shown):
    """Whether there was a reply to stop."""

    stopped: bool


class Draft(Asked):
    """What is written but not sent yet, in a conversation or (null) in one that has not begun."""

    model_config = ConfigDict(from_attributes=True, extra="forbid")

    conversation: Id | None = None
    text: Words


class Fact(Shown):
    """A fact."""

    id: int
    text: str
    origin: Origin
    home: Annotated[Home, BeforeValidator(_home)]
    pinned: bool
    shared: bool
    note: bool
    created: When
    updated: When
    sources: list[int]


class NewFact(Asked):
    """A fact to keep, in the person's words."""

    text: Words
    home: Home
    pinned: bool = False


class FactEdit(Asked):
    """What to change of a fact."""

    text: Words | None = None
    pinned: bool | None = None
    shared: bool | None = None


class Layer(Shown):
    """One part of the window: its exact text and its estimated tokens."""

    name: str
    text: str
    tokens: int


class Meter(Shown):
    """How full the window is, layer by layer."""

    window: int
    reply_room: int
    layers: list[Layer]


class Sent(Shown):
    """One message as the model gets it."""

    role: ChatRole
    content: str


class PromptShown(Meter):
    """Just what would be sent."""

    messages: list[Sent]

    @classmethod
    def of(cls, prompt: Prompt) -> PromptShown:
        """Show a prompt."""
        return cls(
            window=prompt.budget.window,
            reply_room=prompt.budget.reply,
            layers=[Layer.model_validate(layer) for layer in prompt.layers],
            messages=[Sent.model_validate(message) for message in prompt.messages],
        )


class PromptAsked(Asked):
    """A text that is not sent yet, and where it would be."""

    text: Words = ""
    conversation: Id | None = None
    space: Id | None = None


class Search(Asked):
    """Words to look for, everywhere or in one place."""

    text: Annotated[str, Field(max_length=10_000)]
    conversation: Id | None = None
    space: Id | None = None
    limit: Annotated[int, Field(ge=1, le=200)] = 20


class MessageFound(Shown):
    """A message that was found; `start` and `stop` are the letters of its best piece."""

    kind: Literal["message"] = "message"
    message: Message
    start: int
    stop: int
    score: float


class FactFound(Shown):
    """A fact that was found."""

    kind: Literal["fact"] = "fact"
    fact: Fact
    score: float


Found = Annotated[MessageFound | FactFound, Field(discriminator="kind")]


def found(value: hit.Hit) -> MessageFound | FactFound:
    """Show what a search found."""
    match value:
        case hit.MessageHit():
            return MessageFound.model_validate(value)
        case hit.FactHit():
            return FactFound.model_validate(value)
        case _:
            assert_never(value)


class Command(Asked):
    """A command of the composer, where it was given."""

    text: Words
    space: Id | None = None


class Outcome(Shown):
    """What a command did, and the Space that is active from now on."""

    text: str
    facts: list[Fact]
    space: int | None


class ModelServer(Shown):
    """A model server that runs on this computer, and its models."""

    name: str
    base_url: str
    models: list[str]


class LocalModels(Shown):
    """What this computer has: whether the embedded model's file is there, and the servers that answer."""

    embedded: bool
    servers: list[ModelServer]


class ModelWorks(Shown):
    """The model replied: its name, and the seconds it took."""

    model: str
    seconds: float


class Failure(BaseModel):
    """Why something was not done, in a sentence for the person."""

    kind: str
    message: str


class Failed(BaseModel):
    """The body of every answer that is no success."""

    error: Failure
