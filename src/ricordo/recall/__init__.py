"""What happens before a reply: finding, fitting, assembling. Knows the store and the values, never learn."""
