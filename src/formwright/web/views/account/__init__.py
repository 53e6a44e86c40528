"""Pages of signing in, setting a password, and the own account."""
