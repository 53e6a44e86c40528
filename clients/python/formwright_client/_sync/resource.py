"""The base class of all resources."""

# Generated from `_async/resource.py` by `make openapi`. Do not edit.

from formwright_client._sync.transport import Transport


class Resource:
    """Sends its requests through the connection of the client."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport
