"""The methods of `client.export_runs`."""

# Generated from docs/openapi.json by `make openapi`. Do not edit.

from __future__ import annotations

from formwright_client import schemas
from formwright_client._sync.paginator import Paginator
from formwright_client._sync.resource import Resource
from formwright_client.encoding import ACCOUNT, encode_segment


class ExportRuns(Resource):
    """Start and read the runs of exports."""

    def list(self, export_id: str, *, limit: int | None = None) -> Paginator[schemas.ExportRun]:
        """List the runs of an export.

        Returns the runs, newest first.

        A read-only API key is sufficient. A limited key needs the permission `submissions:read`.

        Args:
            export_id: The id of an export.
            limit: The maximum number of items per page.

        Returns:
            An iterable over all items. It requests page after page.

        Raises:
            ApiError: The server rejected the request, e.g. with 404 `export.not_found`.
            NoResponseError: No response arrived.
            ValueError: An id is empty.
        """
        return self._transport.paginate(
            f"/customers/{ACCOUNT}/exports/{encode_segment(export_id)}/runs", query={"limit": limit}
        )

    def start(self, export_id: str, *, dry_run: bool = False, idempotency_key: str | None = None) -> schemas.ExportRun:
        """Start a run of an export.

        Runs the export now, apart from its schedule. An incremental export continues where its last completed
        run ended. If a run is already waiting for a worker, the response is that run; if one is in progress,
        it is 409 `export.running`.

        Requires an API key with write access. A limited key needs the permission `submissions:edit`.

        Args:
            export_id: The id of an export.
            dry_run: Validate the request and return the usual result, without changing anything.
            idempotency_key: Repeating a call with the same key within 24 hours returns the original response and
                has no further effect. Default: a new UUID.

        Returns:
            A run of an export.

        Raises:
            ApiError: The server rejected the request, e.g. with 404 `export.not_found`, 409 `export.running`.
            NoResponseError: No response arrived.
            ValueError: An id is empty.
        """
        response: schemas.ExportRun = self._transport.request_json(
            "POST",
            f"/customers/{ACCOUNT}/exports/{encode_segment(export_id)}/runs",
            query={"dryRun": dry_run or None},
            idempotency_key=idempotency_key,
        )
        return response

    def get(self, export_id: str, run_id: str) -> schemas.ExportRun:
        """Get a run of an export.

        Returns the run with the download links of its files, which are valid for 15 to 20 minutes; call this
        operation again for new links.

        A read-only API key is sufficient. A limited key needs the permission `submissions:read`.

        Args:
            export_id: The id of an export.
            run_id: The id of a run of an export.

        Returns:
            A run of an export.

        Raises:
            ApiError: The server rejected the request, e.g. with 404 `export.not_found`, 404
                `export_run.not_found`.
            NoResponseError: No response arrived.
            ValueError: An id is empty.
        """
        response: schemas.ExportRun = self._transport.request_json(
            "GET", f"/customers/{ACCOUNT}/exports/{encode_segment(export_id)}/runs/{encode_segment(run_id)}"
        )
        return response
