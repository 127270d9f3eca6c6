"""What a person keeps by hand: Spaces, conversations, facts; and the diary. One class a shelf, announcing what it changes."""

from ricordo.shelves.changes import Changes
from ricordo.shelves.data import Data
from ricordo.shelves.diary import Diary
from ricordo.shelves.facts import Facts
from ricordo.shelves.memories import Memories
from ricordo.shelves.places import Conversations, Drafts, Spaces

__all__ = ["Changes", "Conversations", "Data", "Diary", "Drafts", "Facts", "Memories", "Spaces"]
