"""What happens after a reply: proposals from the model, checked by code. Knows the store and the values, never recall."""
