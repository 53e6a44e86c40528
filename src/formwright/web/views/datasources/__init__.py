"""Data sources: their rows, how these come in, and what looks them up."""
