"""The queue of outgoing emails, and their status.

An email is sent if and only if the change that caused it is committed. It is sent at least once, and marked if it may
have been sent twice. The package does not know why an email is sent: a handler for its purpose processes the outcome.
"""
