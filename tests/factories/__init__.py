"""Makers: what tests need made, in a line each."""
