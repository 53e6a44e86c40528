"""A person's own account: signing in, and what she changes of herself."""
