"""The methods of `client.views`."""

# Generated from docs/openapi.json by `make openapi`. Do not edit.

from __future__ import annotations

from collections.abc import Sequence

from formwright_client import schemas
from formwright_client._sync.paginator import Paginator
from formwright_client._sync.resource import Resource
from formwright_client.encoding import ACCOUNT, UNSET, Unset, encode_segment


class Views(Resource):
    """Save filters of the list of submissions as views."""

    def list(self, *, form_id: str | None = None, limit: int | None = None) -> Paginator[schemas.View]:
        """List saved views.

        Returns the views of the account in order of creation.

        A read-only API key is sufficient. A limited key needs the permission `submissions:read`.

        Args:
            form_id: The id of a form.
            limit: The maximum number of items per page.

        Returns:
            An iterable over all items. It requests page after page.

        Raises:
            ApiError: The server rejected the request.
            NoResponseError: No response arrived.
        """
        return self._transport.paginate(f"/customers/{ACCOUNT}/views", query={"formId": form_id, "limit": limit})

    def create(
        self,
        *,
        name: str,
        visibility: schemas.ViewVisibility | Unset = UNSET,
        form_id: str | Unset | None = UNSET,
        filter: schemas.ViewFilter | Unset = UNSET,
        order: schemas.SortOrder | Unset = UNSET,
        columns: Sequence[str] | Unset = UNSET,
        tab: schemas.ViewTab | Unset = UNSET,
        dry_run: bool = False,
        idempotency_key: str | None = None,
    ) -> schemas.View:
        """Create a saved view.

        Saves a filter of the list of submissions under a name. An account can have 200 views for everyone;
        one more returns 409 `view.limit_reached`. If the form already has a view with this name, the response
        is 409 `view.name_taken`.

        Requires an API key with write access. A limited key needs the permission `submissions:edit`.

        Args:
            name: The name, which must be unique among the views of the form that have the same owner.
            visibility: `ACCOUNT`: everyone who may read the submissions sees the view. `PRIVATE`: only the user
                who saved it; API keys neither see nor save private views.
            form_id: The form whose submissions the view shows. None: those of all forms.
            filter: The filter of a saved view. Empty properties do not restrict it.
            order: The order of the submissions, as in `client.submissions.list`.
            columns: The columns in their order: `form_id`, `submittedAt`, `status`, `userId`, `updated`,
                `externalId`, `id`, or `answers.` and the name of a field. Empty: the default columns, and all
                answers in exports.
            tab: The tab in which the view opens.
            dry_run: Validate the request and return the usual result, without changing anything.
            idempotency_key: Repeating a call with the same key within 24 hours returns the original response and
                has no further effect. Default: a new UUID.

        Returns:
            A saved view.

        Raises:
            ApiError: The server rejected the request, e.g. with 409 `view.limit_reached`, 409 `view.name_taken`.
            NoResponseError: No response arrived.
        """
        response: schemas.View = self._transport.request_json(
            "POST",
            f"/customers/{ACCOUNT}/views",
            query={"dryRun": dry_run or None},
            body={
                "name": name,
                "visibility": visibility,
                "formId": form_id,
                "filter": filter,
                "order": order,
                "columns": columns,
                "tab": tab,
            },
            idempotency_key=idempotency_key,
        )
        return response

    def get(self, view_id: str) -> schemas.View:
        """Get a saved view.

        `problems` lists what no longer fits the form, such as a condition on a field that it no longer has.

        A read-only API key is sufficient. A limited key needs the permission `submissions:read`.

        Args:
            view_id: The id of a saved view.

        Returns:
            A saved view.

        Raises:
            ApiError: The server rejected the request, e.g. with 404 `view.not_found`.
            NoResponseError: No response arrived.
            ValueError: An id is empty.
        """
        response: schemas.View = self._transport.request_json(
            "GET", f"/customers/{ACCOUNT}/views/{encode_segment(view_id)}"
        )
        return response

    def update(
        self,
        view_id: str,
        *,
        name: str,
        visibility: schemas.ViewVisibility | Unset = UNSET,
        form_id: str | Unset | None = UNSET,
        filter: schemas.ViewFilter | Unset = UNSET,
        order: schemas.SortOrder | Unset = UNSET,
        columns: Sequence[str] | Unset = UNSET,
        tab: schemas.ViewTab | Unset = UNSET,
        dry_run: bool = False,
        if_match: str | None = None,
    ) -> schemas.View:
        """Update a saved view.

        Replaces the view: optional properties you omit get their default values. Conditions and columns that
        stay the same are not validated again, so you can rename a view whose form has changed.

        Requires an API key with write access. A limited key needs the permission `submissions:edit`.

        Args:
            view_id: The id of a saved view.
            name: The name, which must be unique among the views of the form that have the same owner.
            visibility: `ACCOUNT`: everyone who may read the submissions sees the view. `PRIVATE`: only the user
                who saved it; API keys neither see nor save private views.
            form_id: The form whose submissions the view shows. None: those of all forms.
            filter: The filter of a saved view. Empty properties do not restrict it.
            order: The order of the submissions, as in `client.submissions.list`.
            columns: The columns in their order: `form_id`, `submittedAt`, `status`, `userId`, `updated`,
                `externalId`, `id`, or `answers.` and the name of a field. Empty: the default columns, and all
                answers in exports.
            tab: The tab in which the view opens.
            dry_run: Validate the request and return the usual result, without changing anything.
            if_match: The ETag of the resource as you have read it, from `etag()`. If the resource has changed
                since, the call fails with 412 `precondition.failed`.

        Returns:
            A saved view.

        Raises:
            ApiError: The server rejected the request, e.g. with 404 `view.not_found`, 409 `view.limit_reached`,
                409 `view.name_taken`, 412 `precondition.failed`.
            NoResponseError: No response arrived.
            ValueError: An id is empty.
        """
        response: schemas.View = self._transport.request_json(
            "PUT",
            f"/customers/{ACCOUNT}/views/{encode_segment(view_id)}",
            query={"dryRun": dry_run or None},
            body={
                "name": name,
                "visibility": visibility,
                "formId": form_id,
                "filter": filter,
                "order": order,
                "columns": columns,
                "tab": tab,
            },
            if_match=if_match,
        )
        return response

    def delete(self, view_id: str, *, dry_run: bool = False, if_match: str | None = None) -> None:
        """Delete a saved view.

        Deletes the view immediately, but no submissions. Requests that use it then return 404
        `view.not_found`.

        Requires an API key with write access. A limited key needs the permission `submissions:edit`.

        Args:
            view_id: The id of a saved view.
            dry_run: Validate the request and return the usual result, without changing anything.
            if_match: The ETag of the resource as you have read it, from `etag()`. If the resource has changed
                since, the call fails with 412 `precondition.failed`.

        Raises:
            ApiError: The server rejected the request, e.g. with 404 `view.not_found`, 412 `precondition.failed`.
            NoResponseError: No response arrived.
            ValueError: An id is empty.
        """
        self._transport.request(
            "DELETE",
            f"/customers/{ACCOUNT}/views/{encode_segment(view_id)}",
            query={"dryRun": dry_run or None},
            if_match=if_match,
        )
