"""Other programs that keep a conversation themselves: memory for it, their calls passed on, and what was said taken in.

The one rule: of what a client sends nothing is changed but what memory is added to, and what is added is never stored.
"""
