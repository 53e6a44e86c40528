"""The methods of `client.customers`."""

# Generated from docs/openapi.json by `make openapi`. Do not edit.

from __future__ import annotations

from formwright_client import schemas
from formwright_client._sync.paginator import Paginator
from formwright_client._sync.resource import Resource
from formwright_client.encoding import ACCOUNT, UNSET, Unset, Upload


class Customers(Resource):
    """Read your account, and change its branding. The API calls an account a customer."""

    def list(self, *, limit: int | None = None) -> Paginator[schemas.Customer]:
        """List accounts.

        Returns the account of the API key, so the list has exactly one item. Its `key` says what the key may
        do.

        A read-only API key is sufficient. A limited key needs the permission `customer:read`.

        Args:
            limit: The maximum number of items per page.

        Returns:
            An iterable over all items. It requests page after page.

        Raises:
            ApiError: The server rejected the request.
            NoResponseError: No response arrived.
        """
        return self._transport.paginate("/customers", query={"limit": limit})

    def get(self) -> schemas.Customer:
        """Get an account.

        Returns the name, locale and time zone of the account, and what the API key of the request may do.

        A read-only API key is sufficient. A limited key needs the permission `customer:read`.

        Returns:
            An account.

        Raises:
            ApiError: The server rejected the request.
            NoResponseError: No response arrived.
        """
        response: schemas.Customer = self._transport.request_json("GET", f"/customers/{ACCOUNT}")
        return response

    def get_branding(self) -> schemas.Branding:
        """Get the branding of an account.

        Returns the accent color, the sender name and the path of the logo, which fill pages, emails and PDF
        reports show.

        A read-only API key is sufficient. A limited key needs the permission `customer:read`.

        Returns:
            The branding of an account.

        Raises:
            ApiError: The server rejected the request.
            NoResponseError: No response arrived.
        """
        response: schemas.Branding = self._transport.request_json("GET", f"/customers/{ACCOUNT}/branding")
        return response

    def update_branding(
        self,
        *,
        accent_color: str | Unset | None = UNSET,
        sender_name: str | Unset | None = UNSET,
        dry_run: bool = False,
        if_match: str | None = None,
    ) -> schemas.Branding:
        """Update the branding of an account.

        Replaces accent color and sender name: what you omit gets its default. The logo stays as it is.

        Requires an API key with write access. A limited key needs the permission `customer:edit`.

        Args:
            accent_color: The accent color of fill pages, emails and PDF reports. They use shades of it on which
                text is readable. None: the default.
            sender_name: The name of the sender of emails, without `@`, quotation marks and angle brackets. None:
                that of the installation.
            dry_run: Validate the request and return the usual result, without changing anything.
            if_match: The ETag of the resource as you have read it, from `etag()`. If the resource has changed
                since, the call fails with 412 `precondition.failed`.

        Returns:
            The branding of an account.

        Raises:
            ApiError: The server rejected the request, e.g. with 412 `precondition.failed`.
            NoResponseError: No response arrived.
        """
        response: schemas.Branding = self._transport.request_json(
            "PUT",
            f"/customers/{ACCOUNT}/branding",
            query={"dryRun": dry_run or None},
            body={"accentColor": accent_color, "senderName": sender_name},
            if_match=if_match,
        )
        return response

    def update_logo(self, file: Upload, *, dry_run: bool = False, if_match: str | None = None) -> schemas.Branding:
        """Update the logo of an account.

        The body is a PNG, JPEG, WebP or GIF image of at most 2 MiB. It is stored as a new image of at most
        600 pixels, never as the file itself. SVG is rejected, because it can contain scripts.

        Requires an API key with write access. A limited key needs the permission `customer:edit`.

        Args:
            file: The file, such as `Upload(content, "image/jpeg")`.
            dry_run: Validate the request and return the usual result, without changing anything.
            if_match: The ETag of the resource as you have read it, from `etag()`. If the resource has changed
                since, the call fails with 412 `precondition.failed`.

        Returns:
            The branding of an account.

        Raises:
            ApiError: The server rejected the request, e.g. with 412 `precondition.failed`, 503
                `files.unavailable`.
            NoResponseError: No response arrived.
        """
        response: schemas.Branding = self._transport.request_json(
            "PUT",
            f"/customers/{ACCOUNT}/branding/logo",
            query={"dryRun": dry_run or None},
            body=file,
            if_match=if_match,
        )
        return response

    def delete_logo(self, *, dry_run: bool = False) -> None:
        """Delete the logo of an account.

        Does nothing if there is none.

        Requires an API key with write access. A limited key needs the permission `customer:edit`.

        Args:
            dry_run: Validate the request and return the usual result, without changing anything.

        Raises:
            ApiError: The server rejected the request.
            NoResponseError: No response arrived.
        """
        self._transport.request("DELETE", f"/customers/{ACCOUNT}/branding/logo", query={"dryRun": dry_run or None})
