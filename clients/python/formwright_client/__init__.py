"""A client of Formwright's API, for threads and for asyncio.

`Client` has the calls of the API, in one namespace per resource, such as `client.forms.list()`. `AsyncClient` has
the same for asyncio. Returned resources are dictionaries as the API sends them; `formwright_client.schemas` has their
types.
"""

from formwright_client._async.checkpoints import AsyncCheckpoint, AsyncFileCheckpoint, AsyncMemoryCheckpoint
from formwright_client._async.client import AsyncClient
from formwright_client._async.paginator import AsyncPaginator
from formwright_client._async.webhook_receiver import AsyncWebhookReceiver
from formwright_client._sync.checkpoints import Checkpoint, FileCheckpoint, MemoryCheckpoint
from formwright_client._sync.client import Client
from formwright_client._sync.paginator import Paginator
from formwright_client._sync.webhook_receiver import WebhookReceiver
from formwright_client.encoding import UNSET, Timestamp, Unset, Upload
from formwright_client.errors import (
    ApiError,
    ErrorDetail,
    EventsExpiredError,
    FormwrightError,
    InvalidSignatureError,
    NoResponseError,
)
from formwright_client.responses import etag
from formwright_client.signatures import verify_webhook

__all__ = [
    "UNSET",
    "ApiError",
    "AsyncCheckpoint",
    "AsyncClient",
    "AsyncFileCheckpoint",
    "AsyncMemoryCheckpoint",
    "AsyncPaginator",
    "AsyncWebhookReceiver",
    "Checkpoint",
    "Client",
    "ErrorDetail",
    "EventsExpiredError",
    "FileCheckpoint",
    "FormwrightError",
    "InvalidSignatureError",
    "MemoryCheckpoint",
    "NoResponseError",
    "Paginator",
    "Timestamp",
    "Unset",
    "Upload",
    "WebhookReceiver",
    "etag",
    "verify_webhook",
]
