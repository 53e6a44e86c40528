"""Settings of the account."""
