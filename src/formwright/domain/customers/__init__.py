"""Accounts, which own all data. The API calls them customers.

Creating an account also creates its lock and change sequence. The package does not know users, forms or API keys.
"""
