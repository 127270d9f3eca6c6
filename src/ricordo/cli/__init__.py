"""The command line. Sees the vault and the values only."""
