"""Answers to forms: their schema, limits, validation and messages."""
