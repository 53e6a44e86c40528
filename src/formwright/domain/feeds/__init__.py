"""Feeds for BI tools: whether an account has switched its feed on, and the names of its tables."""
