"""The overview of an account: what was received, what waits for somebody, and what does not work."""
