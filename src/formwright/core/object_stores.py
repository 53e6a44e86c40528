"""Folders and S3-compatible buckets that others own. `blobs` has the file storage of the server."""

import os
from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING

from obstore.store import LocalStore, S3Store

from formwright.core.blobs import BlobStore

if TYPE_CHECKING:
    from obstore.store import S3Credential

_OPERATOR_KEYS = ("AWS_SSE_", "AWS_SERVER_SIDE_ENCRYPTION", "AWS_REQUEST_PAYER", "AWS_S3_EXPRESS")


class BucketUnavailable(Exception):
    """The server cannot use buckets of customers; the message says why."""


@dataclass(frozen=True, slots=True)
class BucketAccess:
    """A bucket and the credentials for it. Without `endpoint`, it is at AWS."""

    endpoint: str
    region: str
    bucket: str
    access_key_id: str
    secret_access_key: str

    @property
    def url(self) -> str:
        """The URL of the server."""
        return self.endpoint or f"https://s3.{self.region}.amazonaws.com"


def open_folder(folder: Path) -> BlobStore:
    """Open a folder, which must exist."""
    return BlobStore(LocalStore(folder), folder)


def open_bucket(access: BucketAccess, proxy_url: str, *, retries: int) -> BlobStore:
    """Open a bucket. Requests go through the proxy, which checks the addresses of the server.

    Raises `BucketUnavailable` if the environment would add secrets of the operator to the requests.
    """
    if any(name.startswith(_OPERATOR_KEYS) for name in os.environ):
        raise BucketUnavailable("The server is set up with an encryption of its own for buckets, and can't use others.")
    store = S3Store(
        access.bucket,
        # `endpoint` would give way to `AWS_ENDPOINT_URL_S3`.
        aws_endpoint_url_s3=access.url,
        region=access.region,
        # obstore would complete missing settings from the environment, where the operator's own credentials may be. A
        # provider replaces all of them, among them a session token.
        credential_provider=_to_provider(access),
        skip_signature=False,
        unsigned_payload=False,
        virtual_hosted_style_request=False,
        client_options={
            "allow_http": access.url.startswith("http://"),
            "connect_timeout": timedelta(seconds=10),
            "read_timeout": timedelta(seconds=30),
            "timeout": timedelta(hours=1),
            "pool_max_idle_per_host": "0",
            "proxy_url": proxy_url,
        },
        retry_config={"max_retries": retries, "retry_timeout": timedelta(seconds=60)},
    )
    return BlobStore(store)


def _to_provider(access: BucketAccess) -> "Callable[[], S3Credential]":
    credential: S3Credential = {
        "access_key_id": access.access_key_id,
        "secret_access_key": access.secret_access_key,
        "token": None,
        "expires_at": None,
    }
    return lambda: credential
