"""The client for asyncio. `formwright_client._sync` is generated from this package.

Generated from `_async/__init__.py` by `make openapi`. Do not edit.
"""
