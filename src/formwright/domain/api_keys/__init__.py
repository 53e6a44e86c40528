"""API keys: how a system proves which account it acts for.

Promises that only a hash is kept, that a revoked key opens nothing from that moment on, in every process, and that an
account never has more than 20. Does not know what a key is used for.
"""
