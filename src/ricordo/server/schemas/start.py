"""What the page begins with."""

from __future__ import annotations

from ricordo.server.schemas.facts import Counts
from ricordo.server.schemas.messages import Draft
from ricordo.server.schemas.places import Conversation, Space
from ricordo.server.schemas.vault import VaultState
from ricordo.server.schemas.wire import Shown
from ricordo.settings import Settings


class Content(Shown):
    """What there is in an open vault beside what was written: each part as its own route gives it."""

    settings: Settings
    spaces: list[Space]
    conversations: list[Conversation]
    facts: Counts
    drafts: list[Draft]


class Start(Shown):
    """The vault as it is; `content` is null for a browser that has not come in."""

    vault: VaultState
    content: Content | None
