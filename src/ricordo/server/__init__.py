"""The page and the API on localhost. Sees the vault and the values only."""
