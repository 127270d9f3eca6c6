"""What a person keeps by hand: Spaces, conversations, facts. One class a shelf, over the store, announcing what it changes."""

from ricordo.shelves.changes import Changes
from ricordo.shelves.facts import Facts
from ricordo.shelves.places import Conversations, Drafts, Spaces

__all__ = ["Changes", "Conversations", "Drafts", "Facts", "Spaces"]
