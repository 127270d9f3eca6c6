"""The encrypted vault file: keys, connection, and one module a table. Knows the values and no model."""
