"""Sign-in: sessions, links to set a password, two-factor authentication, and throttling of failed attempts.

Secrets are only stored as hashes or encrypted, and each link and each code works once.
"""
