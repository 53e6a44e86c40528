"""Backup, restore, and migration to another database.

Each operation is atomic: if it is interrupted, no file with a final name is left. The tables are read from the database
itself, so new tables need no change here. Imports no domain package.
"""
