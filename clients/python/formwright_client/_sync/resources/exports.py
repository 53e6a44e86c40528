"""The methods of `client.exports`."""

# Generated from docs/openapi.json by `make openapi`. Do not edit.

from __future__ import annotations

from collections.abc import Sequence

from formwright_client import schemas
from formwright_client._sync.paginator import Paginator
from formwright_client._sync.resource import Resource
from formwright_client.encoding import ACCOUNT, UNSET, Unset, encode_segment


class Exports(Resource):
    """Export submissions to files, once or on a schedule."""

    def list(self, *, limit: int | None = None) -> Paginator[schemas.Export]:
        """List exports.

        Returns the exports with their latest run, newest first.

        A read-only API key is sufficient. A limited key needs the permission `submissions:read`.

        Args:
            limit: The maximum number of items per page.

        Returns:
            An iterable over all items. It requests page after page.

        Raises:
            ApiError: The server rejected the request.
            NoResponseError: No response arrived.
        """
        return self._transport.paginate(f"/customers/{ACCOUNT}/exports", query={"limit": limit})

    def create(
        self,
        *,
        name: str,
        form_id: str | Unset | None = UNSET,
        view_id: str | Unset | None = UNSET,
        format: schemas.ExportFormat | Unset = UNSET,
        schedule: schemas.ExportSchedule | Unset | None = UNSET,
        incremental: bool | Unset = UNSET,
        recipients: Sequence[str] | Unset = UNSET,
        destination: schemas.ExportDestinationWrite | Unset | None = UNSET,
        dry_run: bool = False,
        idempotency_key: str | None = None,
    ) -> schemas.Export:
        """Create an export.

        Without a `schedule`, the export runs once, right away: get the export until the `status` of
        `latestRun` is `COMPLETED`, then download its `files`. With a `schedule`, it runs at those times, and
        whenever you start a run.

        The files contain what you may read at the time of each run. If you lose that permission, or your API
        key is revoked, runs fail and say so.

        Requires an API key with write access. A limited key needs the permission `submissions:edit`.

        Args:
            name: The name of the export.
            form_id: The form whose submissions are exported. None: all forms, with a file for each.
            view_id: A saved view, whose filter, order and columns the export has. It follows changes of the view.
                A view of all forms can be used for any form.
            format: The file format.
            schedule: When the export runs. None: only when it is created, and when you start a run.
            incremental: Export only submissions that were created or changed since the last completed run. The
                first run has all of them, and so has the next one after you change the form, the view or this
                property. Deletions are in the event log only.
            recipients: The users who receive an email after each run. It links to the export, where they sign in.
            destination: A folder or a bucket to which each run writes its files, too. None: only on the server,
                for download.
            dry_run: Validate the request and return the usual result, without changing anything.
            idempotency_key: Repeating a call with the same key within 24 hours returns the original response and
                has no further effect. Default: a new UUID.

        Returns:
            An export of submissions to files, once or on a schedule.

        Raises:
            ApiError: The server rejected the request, e.g. with 409 `export.limit_reached`.
            NoResponseError: No response arrived.
        """
        response: schemas.Export = self._transport.request_json(
            "POST",
            f"/customers/{ACCOUNT}/exports",
            query={"dryRun": dry_run or None},
            body={
                "name": name,
                "formId": form_id,
                "viewId": view_id,
                "format": format,
                "schedule": schedule,
                "incremental": incremental,
                "recipients": recipients,
                "destination": destination,
            },
            idempotency_key=idempotency_key,
        )
        return response

    def get(self, export_id: str) -> schemas.Export:
        """Get an export.

        Returns the export with its latest run and the download links of its files.

        A read-only API key is sufficient. A limited key needs the permission `submissions:read`.

        Args:
            export_id: The id of an export.

        Returns:
            An export of submissions to files, once or on a schedule.

        Raises:
            ApiError: The server rejected the request, e.g. with 404 `export.not_found`.
            NoResponseError: No response arrived.
            ValueError: An id is empty.
        """
        response: schemas.Export = self._transport.request_json(
            "GET", f"/customers/{ACCOUNT}/exports/{encode_segment(export_id)}"
        )
        return response

    def update(
        self,
        export_id: str,
        *,
        name: str,
        form_id: str | Unset | None = UNSET,
        view_id: str | Unset | None = UNSET,
        format: schemas.ExportFormat | Unset = UNSET,
        schedule: schemas.ExportSchedule | Unset | None = UNSET,
        incremental: bool | Unset = UNSET,
        recipients: Sequence[str] | Unset = UNSET,
        destination: schemas.ExportDestinationWrite | Unset | None = UNSET,
        dry_run: bool = False,
        if_match: str | None = None,
    ) -> schemas.Export:
        """Update an export.

        Replaces the export: optional properties you omit get their default values. You become its owner:
        later runs have your permissions. With another form or view, the next incremental run has all
        submissions again.

        Without `secretAccessKey`, the stored one stays if the `destination` is the same bucket with the same
        access key.

        Requires an API key with write access. A limited key needs the permission `submissions:edit`.

        Args:
            export_id: The id of an export.
            name: The name of the export.
            form_id: The form whose submissions are exported. None: all forms, with a file for each.
            view_id: A saved view, whose filter, order and columns the export has. It follows changes of the view.
                A view of all forms can be used for any form.
            format: The file format.
            schedule: When the export runs. None: only when it is created, and when you start a run.
            incremental: Export only submissions that were created or changed since the last completed run. The
                first run has all of them, and so has the next one after you change the form, the view or this
                property. Deletions are in the event log only.
            recipients: The users who receive an email after each run. It links to the export, where they sign in.
            destination: A folder or a bucket to which each run writes its files, too. None: only on the server,
                for download.
            dry_run: Validate the request and return the usual result, without changing anything.
            if_match: The ETag of the resource as you have read it, from `etag()`. If the resource has changed
                since, the call fails with 412 `precondition.failed`.

        Returns:
            An export of submissions to files, once or on a schedule.

        Raises:
            ApiError: The server rejected the request, e.g. with 404 `export.not_found`, 412
                `precondition.failed`.
            NoResponseError: No response arrived.
            ValueError: An id is empty.
        """
        response: schemas.Export = self._transport.request_json(
            "PUT",
            f"/customers/{ACCOUNT}/exports/{encode_segment(export_id)}",
            query={"dryRun": dry_run or None},
            body={
                "name": name,
                "formId": form_id,
                "viewId": view_id,
                "format": format,
                "schedule": schedule,
                "incremental": incremental,
                "recipients": recipients,
                "destination": destination,
            },
            if_match=if_match,
        )
        return response

    def delete(self, export_id: str, *, dry_run: bool = False, if_match: str | None = None) -> None:
        """Delete an export.

        Deletes the export, its runs and their files. A run in progress ends without a result.

        Requires an API key with write access. A limited key needs the permission `submissions:edit`.

        Args:
            export_id: The id of an export.
            dry_run: Validate the request and return the usual result, without changing anything.
            if_match: The ETag of the resource as you have read it, from `etag()`. If the resource has changed
                since, the call fails with 412 `precondition.failed`.

        Raises:
            ApiError: The server rejected the request, e.g. with 404 `export.not_found`, 412
                `precondition.failed`.
            NoResponseError: No response arrived.
            ValueError: An id is empty.
        """
        self._transport.request(
            "DELETE",
            f"/customers/{ACCOUNT}/exports/{encode_segment(export_id)}",
            query={"dryRun": dry_run or None},
            if_match=if_match,
        )

    def test_destination(
        self, export_id: str, *, dry_run: bool = False, idempotency_key: str | None = None
    ) -> schemas.ExportDestinationTest:
        """Test the destination of an export.

        Writes the small file `formwright-test.txt` to the folder or the bucket, and deletes it again. The
        response says whether that succeeded and, if not, why. No run is started.

        Requires an API key with write access. A limited key needs the permission `submissions:edit`.

        Args:
            export_id: The id of an export.
            dry_run: Validate the request and return the usual result, without changing anything.
            idempotency_key: Repeating a call with the same key within 24 hours returns the original response and
                has no further effect. Default: a new UUID.

        Returns:
            Whether an export can write to its destination.

        Raises:
            ApiError: The server rejected the request, e.g. with 404 `export.not_found`, 409
                `export.no_destination`.
            NoResponseError: No response arrived.
            ValueError: An id is empty.
        """
        response: schemas.ExportDestinationTest = self._transport.request_json(
            "POST",
            f"/customers/{ACCOUNT}/exports/{encode_segment(export_id)}/test-destination",
            query={"dryRun": dry_run or None},
            idempotency_key=idempotency_key,
        )
        return response
