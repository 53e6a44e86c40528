"""The audit log: who did what to what, when, and from where.

Promises that a line is written in the transaction of the change it tells of, and is never changed or taken away. Knows
names and ids only: no room, no answer of a form, no secret.
"""
