"""The base class of all resources."""

from formwright_client._async.transport import AsyncTransport


class AsyncResource:
    """Sends its requests through the connection of the client."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport
