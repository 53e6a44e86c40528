"""Invites: personal links for people without an account."""
