"""The users of an account, their groups, roles and grants, and how they sign in.

Passwords are only stored as slow hashes, and sessions can be ended at once. The package uses forms and folders only as
the resources for which roles are granted.
"""
