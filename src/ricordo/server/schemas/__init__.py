"""What goes over the wire: the domain's words as JSON, a module a subject. Pydantic lives here; inside are plain values."""
