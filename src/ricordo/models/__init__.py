"""Models: the two protocols in base.py and what speaks them. Nothing here knows the vault."""
