"""What a person keeps: Spaces, conversations, facts, the diary, imports, tokens. One class a shelf, announcing its changes."""

from ricordo.shelves.changes import Changes
from ricordo.shelves.data import Data
from ricordo.shelves.diary import Diary
from ricordo.shelves.facts import Facts
from ricordo.shelves.imports import Imports
from ricordo.shelves.memories import Memories
from ricordo.shelves.places import Conversations, Drafts, Spaces
from ricordo.shelves.tokens import Tokens

__all__ = ["Changes", "Conversations", "Data", "Diary", "Drafts", "Facts", "Imports", "Memories", "Spaces", "Tokens"]
