"""Webhooks: who receives events, and the outcome of each delivery."""
