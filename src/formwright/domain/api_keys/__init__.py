"""API keys, with which other systems authenticate for an account, their rate limits, and idempotency keys.

Only hashes of keys are stored. A revoked key stops working at once in every process. An account has at most 20 keys.
"""
