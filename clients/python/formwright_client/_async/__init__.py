"""The client for asyncio. `formwright_client._sync` is generated from this package."""
