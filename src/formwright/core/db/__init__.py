"""Where data is kept: one interface over SQLite and PostgreSQL.

`reading()` gives a transaction that can only read, `writing()` one that is committed when it is left normally and
rolled back when it is left by an error. What a writing transaction records is handed over just before its commit.
Knows no room and no table but the one that orders an account's changes.
"""
