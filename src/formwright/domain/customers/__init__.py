"""The account that owns the data. It is called customer in the API.

Promises one row an account and the order of its changes. Knows nothing of people, forms or keys.
"""
