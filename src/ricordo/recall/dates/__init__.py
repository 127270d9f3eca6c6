"""Days and positions that a message names, read by rules over words; `references.py` beside this package puts them together."""
