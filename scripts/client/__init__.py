"""Writes what the Python client knows of the API: its shapes and its calls, a file a group, from docs/openapi.json.

    python -m scripts.client

A call is named as its operation, in Python's manner. The account is the key's own, so no call asks for it; of two
operations that differ by that alone, one is left.
"""
