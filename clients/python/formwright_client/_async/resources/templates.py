"""The methods of `client.templates`."""

# Generated from docs/openapi.json by `make openapi`. Do not edit.

from __future__ import annotations

from collections.abc import Sequence

from formwright_client import schemas
from formwright_client._async.paginator import AsyncPaginator
from formwright_client._async.resource import AsyncResource
from formwright_client.encoding import ACCOUNT, UNSET, Unset, encode_segment


class AsyncTemplates(AsyncResource):
    """Manage form templates."""

    def list(self, *, limit: int | None = None) -> AsyncPaginator[schemas.Template]:
        """List form templates.

        Returns the global templates first, then those of the account.

        A read-only API key is sufficient. A limited key needs the permission `forms:read`.

        Args:
            limit: The maximum number of items per page.

        Returns:
            An iterable over all items. It requests page after page.

        Raises:
            ApiError: The server rejected the request.
            NoResponseError: No response arrived.
        """
        return self._transport.paginate(f"/forms/customer/{ACCOUNT}/templates", query={"limit": limit})

    async def create(
        self,
        *,
        name: str,
        fields: Sequence[schemas.AnyField],
        description: str | Unset = UNSET,
        language: str | Unset = UNSET,
        tags: Sequence[str] | Unset = UNSET,
        settings: schemas.FormSettings | Unset | None = UNSET,
        dry_run: bool = False,
        idempotency_key: str | None = None,
    ) -> schemas.Template:
        """Create a form template.

        To create a form from it, pass its id to `client.forms.create` as `templateId`.

        Requires an API key with write access. A limited key needs the permission `forms:edit`.

        Args:
            name: The name of the template.
            fields: The fields of the form, in the order in which they are asked; at most 1,500.
            description: A description for the people who manage forms.
            language: A language tag (BCP 47).
            tags: Tags to group forms by.
            settings: The settings of a form.
            dry_run: Validate the request and return the usual result, without changing anything.
            idempotency_key: Repeating a call with the same key within 24 hours returns the original response and
                has no further effect. Default: a new UUID.

        Returns:
            A form template.

        Raises:
            ApiError: The server rejected the request.
            NoResponseError: No response arrived.
        """
        response: schemas.Template = await self._transport.request_json(
            "POST",
            f"/forms/customer/{ACCOUNT}/templates",
            query={"dryRun": dry_run or None},
            body={
                "name": name,
                "fields": fields,
                "description": description,
                "language": language,
                "tags": tags,
                "settings": settings,
            },
            idempotency_key=idempotency_key,
        )
        return response

    async def get(self, template_id: str) -> schemas.Template:
        """Get a form template.

        Returns the fields and settings of a template of the account, or of a global one.

        A read-only API key is sufficient. A limited key needs the permission `forms:read`.

        Args:
            template_id: The id of a form template.

        Returns:
            A form template.

        Raises:
            ApiError: The server rejected the request, e.g. with 404 `template.not_found`.
            NoResponseError: No response arrived.
            ValueError: An id is empty.
        """
        response: schemas.Template = await self._transport.request_json(
            "GET", f"/forms/customer/{ACCOUNT}/templates/{encode_segment(template_id)}"
        )
        return response

    async def update(
        self,
        template_id: str,
        *,
        name: str,
        fields: Sequence[schemas.AnyField],
        description: str | Unset = UNSET,
        language: str | Unset = UNSET,
        tags: Sequence[str] | Unset = UNSET,
        settings: schemas.FormSettings | Unset | None = UNSET,
        dry_run: bool = False,
        if_match: str | None = None,
    ) -> schemas.Template:
        """Update a form template.

        Replaces the template: optional properties you omit get their default values. Forms created from it
        stay unchanged. A global template cannot be updated: the response is 409 `template.global`.

        Requires an API key with write access. A limited key needs the permission `forms:edit`.

        Args:
            template_id: The id of a form template.
            name: The name of the template.
            fields: The fields of the form, in the order in which they are asked; at most 1,500.
            description: A description for the people who manage forms.
            language: A language tag (BCP 47).
            tags: Tags to group forms by.
            settings: The settings of a form.
            dry_run: Validate the request and return the usual result, without changing anything.
            if_match: The ETag of the resource as you have read it, from `etag()`. If the resource has changed
                since, the call fails with 412 `precondition.failed`.

        Returns:
            A form template.

        Raises:
            ApiError: The server rejected the request, e.g. with 404 `template.not_found`, 409 `template.global`,
                412 `precondition.failed`.
            NoResponseError: No response arrived.
            ValueError: An id is empty.
        """
        response: schemas.Template = await self._transport.request_json(
            "PUT",
            f"/forms/customer/{ACCOUNT}/templates/{encode_segment(template_id)}",
            query={"dryRun": dry_run or None},
            body={
                "name": name,
                "fields": fields,
                "description": description,
                "language": language,
                "tags": tags,
                "settings": settings,
            },
            if_match=if_match,
        )
        return response

    async def delete(
        self, template_id: str, *, permanent: bool | None = None, dry_run: bool = False, if_match: str | None = None
    ) -> schemas.TrashItem:
        """Delete a form template.

        Moves a template of the account to the trash. Forms that were created from it do not change.

        Records the event `template.deleted`.

        Requires an API key with write access. A limited key needs the permission `forms:edit`.

        Args:
            template_id: The id of a form template.
            permanent: Delete permanently instead of moving to the trash. This cannot be undone. Also deletes what
                is in the trash already.
            dry_run: Validate the request and return the usual result, without changing anything.
            if_match: The ETag of the resource as you have read it, from `etag()`. If the resource has changed
                since, the call fails with 412 `precondition.failed`.

        Returns:
            A deleted resource.

        Raises:
            ApiError: The server rejected the request, e.g. with 404 `template.not_found`, 409 `template.global`,
                412 `precondition.failed`.
            NoResponseError: No response arrived.
            ValueError: An id is empty.
        """
        response: schemas.TrashItem = await self._transport.request_json(
            "DELETE",
            f"/forms/customer/{ACCOUNT}/templates/{encode_segment(template_id)}",
            query={"permanent": permanent, "dryRun": dry_run or None},
            if_match=if_match,
        )
        return response

    async def restore(
        self, template_id: str, *, dry_run: bool = False, idempotency_key: str | None = None
    ) -> schemas.Template:
        """Restore a form template.

        Takes the template out of the trash. A template that is not deleted is returned unchanged.

        Records the event `template.restored`.

        Requires an API key with write access. A limited key needs the permission `forms:edit`.

        Args:
            template_id: The id of a form template.
            dry_run: Validate the request and return the usual result, without changing anything.
            idempotency_key: Repeating a call with the same key within 24 hours returns the original response and
                has no further effect. Default: a new UUID.

        Returns:
            A form template.

        Raises:
            ApiError: The server rejected the request, e.g. with 404 `template.not_found`.
            NoResponseError: No response arrived.
            ValueError: An id is empty.
        """
        response: schemas.Template = await self._transport.request_json(
            "POST",
            f"/forms/customer/{ACCOUNT}/templates/{encode_segment(template_id)}/restore",
            query={"dryRun": dry_run or None},
            idempotency_key=idempotency_key,
        )
        return response
