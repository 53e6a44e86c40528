"""The people of the account: their groups and roles, and what is kept of one person."""
