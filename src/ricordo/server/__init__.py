"""The page on this computer and the REST API behind it. It sees the vault and the values, never the store or a model."""
