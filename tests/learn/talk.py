"""Turns for tests: what a person said, as the learner is given it."""

from ricordo.conversation import Attachment, Message, Moment, Role, Status, Turn
from ricordo.fact import Fact, Home, InSpace, Origin

HOME = InSpace(1)
NOW = Moment(1_779_278_400_000_000, 0)  # 20 May 2026, noon


def turn(said: str, reply: str = "I see.", *pages: str, message: int = 1) -> Turn:
    attachments = tuple(Attachment(f"page {i}", "text/plain", page) for i, page in enumerate(pages))
    asked = Message(message, 1, None, Role.USER, said, NOW, Status.COMPLETE, attachments=attachments)
    return Turn(asked, Message(message + 1, 1, message, Role.MODEL, reply, NOW, Status.COMPLETE))


def fact(id: int, text: str, origin: Origin = Origin.MODEL, home: Home = HOME) -> Fact:
    return Fact(id, text, origin, home, False, False, NOW, NOW, (90 + id,))
