"""Patterns of text fields: translation to the engines in use, and the check against slow ones."""
