"""Generates the parts of the Python client that follow from docs/openapi.json, and its synchronous variant.

    python -m scripts.client

Generated: the types of all schemas, one module per group of operations; the methods of all operations, one module per
resource; and `_sync`, which is `_async` without `async` and `await`. Methods use the account of the API key. Of two
operations that differ by the account in the path only, one is generated.
"""
