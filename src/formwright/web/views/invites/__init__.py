"""Invites: asking people without an account to fill in a form."""
