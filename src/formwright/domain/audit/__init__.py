"""The audit log: who changed what, when and from where.

Entries are written in the transaction of the change, and are never changed or deleted. They contain names and ids, but
no answers and no secrets. The package does not depend on any other domain package.
"""
