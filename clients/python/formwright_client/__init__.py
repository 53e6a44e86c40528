"""A client of Formwright's API: calls with types, lists and the event log to their end, webhooks without a hole."""

from formwright_client.calling import Moment, Table, etag
from formwright_client.client import Client
from formwright_client.errors import ApiError, BadSignature, EventsGone, Fault, FormwrightError, Unreachable
from formwright_client.paging import Pages
from formwright_client.places import FilePlace, MemoryPlace, Place
from formwright_client.webhooks import Receiver, verify

__all__ = [
    "ApiError",
    "BadSignature",
    "Client",
    "EventsGone",
    "Fault",
    "FilePlace",
    "FormwrightError",
    "MemoryPlace",
    "Moment",
    "Pages",
    "Place",
    "Receiver",
    "Table",
    "Unreachable",
    "etag",
    "verify",
]
