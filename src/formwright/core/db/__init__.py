"""One database interface over SQLite and PostgreSQL.

`reading()` opens a read-only transaction. `writing()` opens one that commits when its block ends and rolls back on an
exception; the events it recorded are published just before the commit. This package knows no domain package and no
table except `account_order`, which holds the per-account locks.
"""
