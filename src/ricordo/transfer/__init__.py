"""Ways in and out for files: one format a module."""
