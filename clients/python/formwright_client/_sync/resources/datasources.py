"""The methods of `client.datasources`."""

# Generated from docs/openapi.json by `make openapi`. Do not edit.

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

from formwright_client import schemas
from formwright_client._sync.paginator import Paginator
from formwright_client._sync.resource import Resource
from formwright_client.encoding import ACCOUNT, UNSET, Timestamp, Unset, Upload, encode_segment


class Datasources(Resource):
    """Import external data, such as customers or products, for lookup fields."""

    def create(
        self,
        *,
        name: str,
        key_column: str,
        columns: Sequence[str] | Unset = UNSET,
        types: Mapping[str, schemas.DatasourceColumnType] | Unset = UNSET,
        rows: Sequence[Mapping[str, str | int | float | bool | None]] | Unset = UNSET,
        pull: schemas.DatasourcePullCreate | Unset | None = UNSET,
        external_id: str | Unset | None = UNSET,
        skip_bad_rows: bool | None = None,
        decimal_mark: schemas.DecimalMark | None = None,
        dry_run: bool = False,
        idempotency_key: str | None = None,
    ) -> schemas.DatasourceWithImport:
        """Create a data source.

        The import is all or nothing: if a row is invalid, nothing is created, and `errors` lists the invalid
        rows with line and reason. With `skip_bad_rows=True`, the valid rows are imported and `import.badRows`
        lists the others.

        With `pull`, the data source is created without rows, and its first pull is due at once.

        Records the event `datasource.imported` if rows were imported.

        Requires an API key with write access. A limited key needs the permission `datasources:edit`.

        Args:
            name: The name, which must be unique in the account.
            key_column: The name of the column whose values identify the rows: each row has a different one.
            columns: The names of the columns. Default: those of the rows.
            types: Fixed types of columns, by name: a cell of another type makes its row invalid. The types of
                other columns are inferred from the cells.
            rows: Rows as objects, keyed by column name.
            pull: Instead of `rows`: a URL to fetch them from, now and at regular intervals.
            external_id: Your own id for the data source, which must be unique in the account.
            skip_bad_rows: Import the valid rows and report the invalid ones. Otherwise one of them rejects all.
            decimal_mark: The decimal mark of the numbers of a file that are text. Default: decided from all of
                them. A column of numbers such as `1.234` is text if it remains unclear.
            dry_run: Validate the request and return the usual result, without changing anything.
            idempotency_key: Repeating a call with the same key within 24 hours returns the original response and
                has no further effect. Default: a new UUID.

        Returns:
            A data source, and the result of the import that the request contained.

        Raises:
            ApiError: The server rejected the request, e.g. with 409 `datasource.busy`, 409
                `datasource.external_id_taken`, 409 `datasource.name_taken`, 413 `file.too_large`, 503
                `files.unavailable`.
            NoResponseError: No response arrived.
        """
        response: schemas.DatasourceWithImport = self._transport.request_json(
            "POST",
            f"/customers/{ACCOUNT}/datasources",
            query={"skipBadRows": skip_bad_rows, "decimalMark": decimal_mark, "dryRun": dry_run or None},
            body={
                "name": name,
                "keyColumn": key_column,
                "columns": columns,
                "types": types,
                "rows": rows,
                "pull": pull,
                "externalId": external_id,
            },
            idempotency_key=idempotency_key,
        )
        return response

    def create_from_file(
        self,
        file: Upload,
        *,
        skip_bad_rows: bool | None = None,
        delimiter: str | None = None,
        encoding: str | None = None,
        decimal_mark: schemas.DecimalMark | None = None,
        sheet: str | None = None,
        key_column: str | None = None,
        name: str | None = None,
        external_id: str | None = None,
        dry_run: bool = False,
        idempotency_key: str | None = None,
    ) -> schemas.DatasourceWithImport:
        """Create a data source from a file.

        The body is JSON, or a CSV, .xlsx or .xls file whose first row contains the column names. For a file,
        pass `name`, and optionally `key_column`, in the query; the default key column is the first one.

        The import is all or nothing: if a row is invalid, nothing is created, and `errors` lists the invalid
        rows with line and reason. With `skip_bad_rows=True`, the valid rows are imported and `import.badRows`
        lists the others.

        With `pull`, the data source is created without rows, and its first pull is due at once.

        Records the event `datasource.imported` if rows were imported.

        Requires an API key with write access. A limited key needs the permission `datasources:edit`.

        Args:
            file: The file, such as `Upload.csv(content)` or `Upload.xlsx(content)`.
            skip_bad_rows: Import the valid rows and report the invalid ones. Otherwise one of them rejects all.
            delimiter: The delimiter of a CSV file. Default: detected.
            encoding: The encoding of a CSV file. Default: by its byte order mark, the `charset` of
                `Content-Type`, or detected. A file whose encoding is not certain is rejected.
            decimal_mark: The decimal mark of the numbers of a file that are text. Default: decided from all of
                them. A column of numbers such as `1.234` is text if it remains unclear.
            sheet: The sheet of a workbook to read. Default: the first visible one.
            key_column: The name of the column whose values identify the rows: each row has a different one.
            name: With a file: the name of the data source.
            external_id: Your own id for the resource.
            dry_run: Validate the request and return the usual result, without changing anything.
            idempotency_key: Repeating a call with the same key within 24 hours returns the original response and
                has no further effect. Default: a new UUID.

        Returns:
            A data source, and the result of the import that the request contained.

        Raises:
            ApiError: The server rejected the request, e.g. with 409 `datasource.busy`, 409
                `datasource.external_id_taken`, 409 `datasource.name_taken`, 413 `file.too_large`, 503
                `files.unavailable`.
            NoResponseError: No response arrived.
        """
        response: schemas.DatasourceWithImport = self._transport.request_json(
            "POST",
            f"/customers/{ACCOUNT}/datasources",
            query={
                "skipBadRows": skip_bad_rows,
                "delimiter": delimiter,
                "encoding": encoding,
                "decimalMark": decimal_mark,
                "sheet": sheet,
                "keyColumn": key_column,
                "name": name,
                "externalId": external_id,
                "dryRun": dry_run or None,
            },
            body=file,
            idempotency_key=idempotency_key,
        )
        return response

    def list(
        self,
        *,
        limit: int | None = None,
        created_from: Timestamp | None = None,
        created_to: Timestamp | None = None,
        updated_from: Timestamp | None = None,
        updated_to: Timestamp | None = None,
        order: Literal["-created", "-updated", "created", "updated"] | None = None,
        external_id: str | None = None,
    ) -> Paginator[schemas.Datasource]:
        """List data sources.

        Returns them without their rows, by default in order of creation.

        A read-only API key is sufficient. A limited key needs the permission `datasources:read`.

        Args:
            limit: The maximum number of items per page.
            created_from: A `datetime`, or a string in RFC 3339 format, with an offset or `Z`.
            created_to: A `datetime`, or a string in RFC 3339 format, with an offset or `Z`.
            updated_from: A `datetime`, or a string in RFC 3339 format, with an offset or `Z`.
            updated_to: A `datetime`, or a string in RFC 3339 format, with an offset or `Z`.
            order: `created` orders by the time of creation, `updated` by the last change; a leading `-` reverses
                the order. With `updated`, a reader that continues from its last cursor misses no change.
                Deletions are reported by the event log only.
            external_id: Your own id for the resource.

        Returns:
            An iterable over all items. It requests page after page.

        Raises:
            ApiError: The server rejected the request.
            NoResponseError: No response arrived.
        """
        return self._transport.paginate(
            "/datasources",
            query={
                "limit": limit,
                "createdFrom": created_from,
                "createdTo": created_to,
                "updatedFrom": updated_from,
                "updatedTo": updated_to,
                "order": order,
                "externalId": external_id,
            },
        )

    def get(self, datasource_id: str) -> schemas.Datasource:
        """Get a data source.

        Returns its columns, the number of rows and, if it pulls its rows from a URL, the result of the last
        pull. The rows themselves are returned by `client.datasources.list_rows`.

        A read-only API key is sufficient. A limited key needs the permission `datasources:read`.

        Args:
            datasource_id: The id of a data source.

        Returns:
            A table of external data that forms can look up.

        Raises:
            ApiError: The server rejected the request, e.g. with 404 `datasource.not_found`.
            NoResponseError: No response arrived.
            ValueError: An id is empty.
        """
        response: schemas.Datasource = self._transport.request_json(
            "GET", f"/customers/{ACCOUNT}/datasources/{encode_segment(datasource_id)}"
        )
        return response

    def update(
        self,
        datasource_id: str,
        *,
        name: str | Unset = UNSET,
        key_column: str | Unset = UNSET,
        columns: Sequence[str] | Unset = UNSET,
        types: Mapping[str, schemas.DatasourceColumnType] | Unset = UNSET,
        rows: Sequence[Mapping[str, str | int | float | bool | None]] | Unset = UNSET,
        pull: schemas.DatasourcePullUpdate | Unset | None = UNSET,
        external_id: str | Unset | None = UNSET,
        skip_bad_rows: bool | None = None,
        decimal_mark: schemas.DecimalMark | None = None,
        dry_run: bool = False,
        if_match: str | None = None,
    ) -> schemas.DatasourceWithImport:
        """Update a data source.

        Properties you omit stay unchanged. `rows`, or a CSV, .xlsx or .xls file as the body, replaces all
        rows: unchanged rows are left alone, and rows missing from the request are deleted. The import is all
        or nothing unless you pass `skip_bad_rows=True`. Changing `key_column` requires the rows.

        `pull` adds a pull, or changes it; null removes it and keeps the rows.

        Returns 409 `datasource.busy` while another import is running. Records the event `datasource.imported`
        if rows have changed, otherwise `datasource.updated` if anything else has.

        Requires an API key with write access. A limited key needs the permission `datasources:edit`.

        Args:
            datasource_id: The id of a data source.
            name: The name, which must be unique in the account.
            key_column: The name of the column whose values identify the rows: each row has a different one.
            columns: With `rows`: the names of all columns.
            types: Fixed types of columns, by name: a cell of another type makes its row invalid. The types of
                other columns are inferred from the cells.
            rows: Rows as objects, keyed by column name.
            pull: A pull to add or change, instead of `rows`; None removes it.
            external_id: Your own id; None removes it.
            skip_bad_rows: Import the valid rows and report the invalid ones. Otherwise one of them rejects all.
            decimal_mark: The decimal mark of the numbers of a file that are text. Default: decided from all of
                them. A column of numbers such as `1.234` is text if it remains unclear.
            dry_run: Validate the request and return the usual result, without changing anything.
            if_match: The ETag of the resource as you have read it, from `etag()`. If the resource has changed
                since, the call fails with 412 `precondition.failed`.

        Returns:
            A data source, and the result of the import that the request contained.

        Raises:
            ApiError: The server rejected the request, e.g. with 404 `datasource.not_found`, 409
                `datasource.busy`, 409 `datasource.external_id_taken`, 409 `datasource.name_taken`, 412
                `precondition.failed`, 413 `file.too_large`, 503 `files.unavailable`.
            NoResponseError: No response arrived.
            ValueError: An id is empty.
        """
        response: schemas.DatasourceWithImport = self._transport.request_json(
            "PUT",
            f"/customers/{ACCOUNT}/datasources/{encode_segment(datasource_id)}",
            query={"skipBadRows": skip_bad_rows, "decimalMark": decimal_mark, "dryRun": dry_run or None},
            body={
                "name": name,
                "keyColumn": key_column,
                "columns": columns,
                "types": types,
                "rows": rows,
                "pull": pull,
                "externalId": external_id,
            },
            if_match=if_match,
        )
        return response

    def update_from_file(
        self,
        datasource_id: str,
        file: Upload,
        *,
        skip_bad_rows: bool | None = None,
        delimiter: str | None = None,
        encoding: str | None = None,
        decimal_mark: schemas.DecimalMark | None = None,
        sheet: str | None = None,
        key_column: str | None = None,
        dry_run: bool = False,
        if_match: str | None = None,
    ) -> schemas.DatasourceWithImport:
        """Update a data source from a file.

        Properties you omit stay unchanged. `rows`, or a CSV, .xlsx or .xls file as the body, replaces all
        rows: unchanged rows are left alone, and rows missing from the request are deleted. The import is all
        or nothing unless you pass `skip_bad_rows=True`. Changing `key_column` requires the rows.

        `pull` adds a pull, or changes it; null removes it and keeps the rows.

        Returns 409 `datasource.busy` while another import is running. Records the event `datasource.imported`
        if rows have changed, otherwise `datasource.updated` if anything else has.

        Requires an API key with write access. A limited key needs the permission `datasources:edit`.

        Args:
            datasource_id: The id of a data source.
            file: The file, such as `Upload.csv(content)` or `Upload.xlsx(content)`.
            skip_bad_rows: Import the valid rows and report the invalid ones. Otherwise one of them rejects all.
            delimiter: The delimiter of a CSV file. Default: detected.
            encoding: The encoding of a CSV file. Default: by its byte order mark, the `charset` of
                `Content-Type`, or detected. A file whose encoding is not certain is rejected.
            decimal_mark: The decimal mark of the numbers of a file that are text. Default: decided from all of
                them. A column of numbers such as `1.234` is text if it remains unclear.
            sheet: The sheet of a workbook to read. Default: the first visible one.
            key_column: The name of the column whose values identify the rows: each row has a different one.
            dry_run: Validate the request and return the usual result, without changing anything.
            if_match: The ETag of the resource as you have read it, from `etag()`. If the resource has changed
                since, the call fails with 412 `precondition.failed`.

        Returns:
            A data source, and the result of the import that the request contained.

        Raises:
            ApiError: The server rejected the request, e.g. with 404 `datasource.not_found`, 409
                `datasource.busy`, 409 `datasource.external_id_taken`, 409 `datasource.name_taken`, 412
                `precondition.failed`, 413 `file.too_large`, 503 `files.unavailable`.
            NoResponseError: No response arrived.
            ValueError: An id is empty.
        """
        response: schemas.DatasourceWithImport = self._transport.request_json(
            "PUT",
            f"/customers/{ACCOUNT}/datasources/{encode_segment(datasource_id)}",
            query={
                "skipBadRows": skip_bad_rows,
                "delimiter": delimiter,
                "encoding": encoding,
                "decimalMark": decimal_mark,
                "sheet": sheet,
                "keyColumn": key_column,
                "dryRun": dry_run or None,
            },
            body=file,
            if_match=if_match,
        )
        return response

    def delete(
        self, datasource_id: str, *, permanent: bool | None = None, dry_run: bool = False, if_match: str | None = None
    ) -> schemas.TrashItem:
        """Delete a data source.

        Moves the data source to the trash with its rows and its pull. If the published version or the draft
        of a form looks up its rows, the response is 409 `datasource.in_use`: `client.forms.list` with `datasourceId`
        returns these forms.

        Records the event `datasource.deleted`.

        Requires an API key with write access. A limited key needs the permission `datasources:edit`.

        Args:
            datasource_id: The id of a data source.
            permanent: Delete permanently instead of moving to the trash. This cannot be undone. Also deletes what
                is in the trash already.
            dry_run: Validate the request and return the usual result, without changing anything.
            if_match: The ETag of the resource as you have read it, from `etag()`. If the resource has changed
                since, the call fails with 412 `precondition.failed`.

        Returns:
            A deleted resource.

        Raises:
            ApiError: The server rejected the request, e.g. with 404 `datasource.not_found`, 409
                `datasource.busy`, 409 `datasource.in_use`, 412 `precondition.failed`.
            NoResponseError: No response arrived.
            ValueError: An id is empty.
        """
        response: schemas.TrashItem = self._transport.request_json(
            "DELETE",
            f"/customers/{ACCOUNT}/datasources/{encode_segment(datasource_id)}",
            query={"permanent": permanent, "dryRun": dry_run or None},
            if_match=if_match,
        )
        return response

    def upsert(
        self,
        *,
        external_id: str,
        name: str | Unset = UNSET,
        key_column: str | Unset = UNSET,
        columns: Sequence[str] | Unset = UNSET,
        types: Mapping[str, schemas.DatasourceColumnType] | Unset = UNSET,
        rows: Sequence[Mapping[str, str | int | float | bool | None]] | Unset = UNSET,
        pull: schemas.DatasourcePullUpdate | Unset | None = UNSET,
        skip_bad_rows: bool | None = None,
        decimal_mark: schemas.DecimalMark | None = None,
        dry_run: bool = False,
    ) -> schemas.DatasourceWithImport:
        """Create or update a data source by external id.

        Updates the data source with this `external_id` as `client.datasources.update` does or, if there is none,
        creates one as `client.datasources.create` does. With a file, pass `external_id`, `name` and `key_column` in the
        query.

        Records the events of that operation.

        Requires an API key with write access. A limited key needs the permission `datasources:edit`.

        Args:
            external_id: Your own id for the resource.
            name: The name, which must be unique in the account.
            key_column: The name of the column whose values identify the rows: each row has a different one.
            columns: With `rows`: the names of all columns.
            types: Fixed types of columns, by name: a cell of another type makes its row invalid. The types of
                other columns are inferred from the cells.
            rows: Rows as objects, keyed by column name.
            pull: A pull to add or change, instead of `rows`; None removes it.
            skip_bad_rows: Import the valid rows and report the invalid ones. Otherwise one of them rejects all.
            decimal_mark: The decimal mark of the numbers of a file that are text. Default: decided from all of
                them. A column of numbers such as `1.234` is text if it remains unclear.
            dry_run: Validate the request and return the usual result, without changing anything.

        Returns:
            A data source, and the result of the import that the request contained.

        Raises:
            ApiError: The server rejected the request, e.g. with 409 `datasource.busy`, 409
                `datasource.external_id_taken`, 409 `datasource.name_taken`, 413 `file.too_large`, 503
                `files.unavailable`.
            NoResponseError: No response arrived.
        """
        response: schemas.DatasourceWithImport = self._transport.request_json(
            "PUT",
            f"/customers/{ACCOUNT}/datasources/by-external-id",
            query={"skipBadRows": skip_bad_rows, "decimalMark": decimal_mark, "dryRun": dry_run or None},
            body={
                "name": name,
                "keyColumn": key_column,
                "columns": columns,
                "types": types,
                "rows": rows,
                "pull": pull,
                "externalId": external_id,
            },
        )
        return response

    def upsert_from_file(
        self,
        file: Upload,
        *,
        skip_bad_rows: bool | None = None,
        delimiter: str | None = None,
        encoding: str | None = None,
        decimal_mark: schemas.DecimalMark | None = None,
        sheet: str | None = None,
        key_column: str | None = None,
        name: str | None = None,
        external_id: str | None = None,
        dry_run: bool = False,
    ) -> schemas.DatasourceWithImport:
        """Create or update a data source by external id from a file.

        Updates the data source with this `external_id` as `client.datasources.update` does or, if there is none,
        creates one as `client.datasources.create` does. With a file, pass `external_id`, `name` and `key_column` in the
        query.

        Records the events of that operation.

        Requires an API key with write access. A limited key needs the permission `datasources:edit`.

        Args:
            file: The file, such as `Upload.csv(content)` or `Upload.xlsx(content)`.
            skip_bad_rows: Import the valid rows and report the invalid ones. Otherwise one of them rejects all.
            delimiter: The delimiter of a CSV file. Default: detected.
            encoding: The encoding of a CSV file. Default: by its byte order mark, the `charset` of
                `Content-Type`, or detected. A file whose encoding is not certain is rejected.
            decimal_mark: The decimal mark of the numbers of a file that are text. Default: decided from all of
                them. A column of numbers such as `1.234` is text if it remains unclear.
            sheet: The sheet of a workbook to read. Default: the first visible one.
            key_column: The name of the column whose values identify the rows: each row has a different one.
            name: With a file: the name of the data source.
            external_id: Your own id for the resource.
            dry_run: Validate the request and return the usual result, without changing anything.

        Returns:
            A data source, and the result of the import that the request contained.

        Raises:
            ApiError: The server rejected the request, e.g. with 409 `datasource.busy`, 409
                `datasource.external_id_taken`, 409 `datasource.name_taken`, 413 `file.too_large`, 503
                `files.unavailable`.
            NoResponseError: No response arrived.
        """
        response: schemas.DatasourceWithImport = self._transport.request_json(
            "PUT",
            f"/customers/{ACCOUNT}/datasources/by-external-id",
            query={
                "skipBadRows": skip_bad_rows,
                "delimiter": delimiter,
                "encoding": encoding,
                "decimalMark": decimal_mark,
                "sheet": sheet,
                "keyColumn": key_column,
                "name": name,
                "externalId": external_id,
                "dryRun": dry_run or None,
            },
            body=file,
        )
        return response

    def refresh(
        self, datasource_id: str, *, dry_run: bool = False, idempotency_key: str | None = None
    ) -> schemas.Datasource:
        """Pull a data source.

        Makes the pull due now and returns without waiting for it. If a pull is already running, it continues
        and no second one starts. Read the data source again for the result: `pull.status` is `RUNNING` until
        the pull has ended.

        A successful pull records the event `datasource.imported` if rows have changed. A failed one leaves
        the rows unchanged and records `datasource.failed`. Returns 409 `datasource.not_pulled` if the data
        source has no `pull`.

        Requires an API key with write access. A limited key needs the permission `datasources:edit`.

        Args:
            datasource_id: The id of a data source.
            dry_run: Validate the request and return the usual result, without changing anything.
            idempotency_key: Repeating a call with the same key within 24 hours returns the original response and
                has no further effect. Default: a new UUID.

        Returns:
            A table of external data that forms can look up.

        Raises:
            ApiError: The server rejected the request, e.g. with 404 `datasource.not_found`, 409
                `datasource.not_pulled`.
            NoResponseError: No response arrived.
            ValueError: An id is empty.
        """
        response: schemas.Datasource = self._transport.request_json(
            "POST",
            f"/customers/{ACCOUNT}/datasources/{encode_segment(datasource_id)}/refresh",
            query={"dryRun": dry_run or None},
            idempotency_key=idempotency_key,
        )
        return response

    def list_rows(
        self,
        datasource_id: str,
        *,
        limit: int | None = None,
        q: str | None = None,
        key: str | None = None,
        updated_from: Timestamp | None = None,
        updated_to: Timestamp | None = None,
        order: Literal["updated"] | None = None,
    ) -> Paginator[schemas.DatasourceRow]:
        """List the rows of a data source.

        Returns the rows in the order of their last change, so a reader that continues from its last cursor
        gets what has changed since, as does `updated_from`. Use `key` to get one row, and `q` to search.

        Deleted rows are not listed. Events report them: `datasource.row_deleted` for a single row, and
        `datasource.imported` for an import, after which the keys of all rows tell which ones remain.

        A read-only API key is sufficient. A limited key needs the permission `datasources:read`.

        Args:
            datasource_id: The id of a data source.
            limit: The maximum number of items per page.
            q: Only rows that contain all of these words, ignoring case and accents. Words of three or more
                letters match anywhere, shorter ones at the beginning of a word; single letters are only searched
                for in the first 20,000 rows.
            key: Only the row with this key.
            updated_from: A `datetime`, or a string in RFC 3339 format, with an offset or `Z`.
            updated_to: A `datetime`, or a string in RFC 3339 format, with an offset or `Z`.
            order: Rows are always listed in the order of their last change, so a reader that continues from its
                last cursor misses no change. Deletions are not listed: see `client.datasources.list_rows`.

        Returns:
            An iterable over all items. It requests page after page.

        Raises:
            ApiError: The server rejected the request, e.g. with 404 `datasource.not_found`.
            NoResponseError: No response arrived.
            ValueError: An id is empty.
        """
        return self._transport.paginate(
            f"/customers/{ACCOUNT}/datasources/{encode_segment(datasource_id)}/rows",
            query={
                "limit": limit,
                "q": q,
                "key": key,
                "updatedFrom": updated_from,
                "updatedTo": updated_to,
                "order": order,
            },
        )

    def replace_rows(
        self,
        datasource_id: str,
        *,
        rows: Sequence[Mapping[str, str | int | float | bool | None]],
        skip_bad_rows: bool | None = None,
        decimal_mark: schemas.DecimalMark | None = None,
        dry_run: bool = False,
        if_match: str | None = None,
    ) -> schemas.DatasourceImportReport:
        """Replace the rows of a data source.

        Unchanged rows are left alone; rows missing from the request are deleted. The import is all or nothing
        unless you pass `skip_bad_rows=True`, and all its changes become visible at once.

        Returns 409 `datasource.busy` while another import is running. Records the event `datasource.imported`
        if rows have changed.

        Requires an API key with write access. A limited key needs the permission `datasources:edit`.

        Args:
            datasource_id: The id of a data source.
            rows: Rows as objects, keyed by column name.
            skip_bad_rows: Import the valid rows and report the invalid ones. Otherwise one of them rejects all.
            decimal_mark: The decimal mark of the numbers of a file that are text. Default: decided from all of
                them. A column of numbers such as `1.234` is text if it remains unclear.
            dry_run: Validate the request and return the usual result, without changing anything.
            if_match: The ETag of the resource as you have read it, from `etag()`. If the resource has changed
                since, the call fails with 412 `precondition.failed`.

        Returns:
            The result of an import, or of a dry run.

        Raises:
            ApiError: The server rejected the request, e.g. with 404 `datasource.not_found`, 409
                `datasource.busy`, 412 `precondition.failed`, 413 `file.too_large`, 503 `files.unavailable`.
            NoResponseError: No response arrived.
            ValueError: An id is empty.
        """
        response: schemas.DatasourceImportReport = self._transport.request_json(
            "PUT",
            f"/customers/{ACCOUNT}/datasources/{encode_segment(datasource_id)}/rows",
            query={"skipBadRows": skip_bad_rows, "decimalMark": decimal_mark, "dryRun": dry_run or None},
            body={"rows": rows},
            if_match=if_match,
        )
        return response

    def replace_rows_from_file(
        self,
        datasource_id: str,
        file: Upload,
        *,
        skip_bad_rows: bool | None = None,
        delimiter: str | None = None,
        encoding: str | None = None,
        decimal_mark: schemas.DecimalMark | None = None,
        sheet: str | None = None,
        dry_run: bool = False,
        if_match: str | None = None,
    ) -> schemas.DatasourceImportReport:
        """Replace the rows of a data source from a file.

        Unchanged rows are left alone; rows missing from the request are deleted. The body is JSON or a file,
        and `if_match` takes the ETag of the data source. The import is all or nothing unless you pass
        `skip_bad_rows=True`, and all its changes become visible at once.

        Returns 409 `datasource.busy` while another import is running. Records the event `datasource.imported`
        if rows have changed.

        Requires an API key with write access. A limited key needs the permission `datasources:edit`.

        Args:
            datasource_id: The id of a data source.
            file: The file, such as `Upload.csv(content)` or `Upload.xlsx(content)`.
            skip_bad_rows: Import the valid rows and report the invalid ones. Otherwise one of them rejects all.
            delimiter: The delimiter of a CSV file. Default: detected.
            encoding: The encoding of a CSV file. Default: by its byte order mark, the `charset` of
                `Content-Type`, or detected. A file whose encoding is not certain is rejected.
            decimal_mark: The decimal mark of the numbers of a file that are text. Default: decided from all of
                them. A column of numbers such as `1.234` is text if it remains unclear.
            sheet: The sheet of a workbook to read. Default: the first visible one.
            dry_run: Validate the request and return the usual result, without changing anything.
            if_match: The ETag of the resource as you have read it, from `etag()`. If the resource has changed
                since, the call fails with 412 `precondition.failed`.

        Returns:
            The result of an import, or of a dry run.

        Raises:
            ApiError: The server rejected the request, e.g. with 404 `datasource.not_found`, 409
                `datasource.busy`, 412 `precondition.failed`, 413 `file.too_large`, 503 `files.unavailable`.
            NoResponseError: No response arrived.
            ValueError: An id is empty.
        """
        response: schemas.DatasourceImportReport = self._transport.request_json(
            "PUT",
            f"/customers/{ACCOUNT}/datasources/{encode_segment(datasource_id)}/rows",
            query={
                "skipBadRows": skip_bad_rows,
                "delimiter": delimiter,
                "encoding": encoding,
                "decimalMark": decimal_mark,
                "sheet": sheet,
                "dryRun": dry_run or None,
            },
            body=file,
            if_match=if_match,
        )
        return response

    def upsert_rows(
        self,
        datasource_id: str,
        *,
        rows: Sequence[Mapping[str, str | int | float | bool | None]],
        skip_bad_rows: bool | None = None,
        decimal_mark: schemas.DecimalMark | None = None,
        dry_run: bool = False,
        idempotency_key: str | None = None,
    ) -> schemas.DatasourceImportReport:
        """Insert or update rows of a data source.

        A row with an existing key updates that row; columns it omits keep their values. Other rows are
        inserted, and none are deleted. The import is all or nothing unless you pass `skip_bad_rows=True`, and
        all its changes become visible at once.

        Returns 409 `datasource.busy` while another import is running. Records the event `datasource.imported`
        if rows have changed.

        Requires an API key with write access. A limited key needs the permission `datasources:edit`.

        Args:
            datasource_id: The id of a data source.
            rows: Rows as objects, keyed by column name.
            skip_bad_rows: Import the valid rows and report the invalid ones. Otherwise one of them rejects all.
            decimal_mark: The decimal mark of the numbers of a file that are text. Default: decided from all of
                them. A column of numbers such as `1.234` is text if it remains unclear.
            dry_run: Validate the request and return the usual result, without changing anything.
            idempotency_key: Repeating a call with the same key within 24 hours returns the original response and
                has no further effect. Default: a new UUID.

        Returns:
            The result of an import, or of a dry run.

        Raises:
            ApiError: The server rejected the request, e.g. with 404 `datasource.not_found`, 409
                `datasource.busy`, 413 `file.too_large`, 503 `files.unavailable`.
            NoResponseError: No response arrived.
            ValueError: An id is empty.
        """
        response: schemas.DatasourceImportReport = self._transport.request_json(
            "POST",
            f"/customers/{ACCOUNT}/datasources/{encode_segment(datasource_id)}/rows",
            query={"skipBadRows": skip_bad_rows, "decimalMark": decimal_mark, "dryRun": dry_run or None},
            body={"rows": rows},
            idempotency_key=idempotency_key,
        )
        return response

    def upsert_rows_from_file(
        self,
        datasource_id: str,
        file: Upload,
        *,
        skip_bad_rows: bool | None = None,
        delimiter: str | None = None,
        encoding: str | None = None,
        decimal_mark: schemas.DecimalMark | None = None,
        sheet: str | None = None,
        dry_run: bool = False,
        idempotency_key: str | None = None,
    ) -> schemas.DatasourceImportReport:
        """Insert or update rows of a data source from a file.

        A row with an existing key updates that row; columns it omits keep their values. Other rows are
        inserted, and none are deleted. The body is JSON or a file. The import is all or nothing unless you
        pass `skip_bad_rows=True`, and all its changes become visible at once.

        Returns 409 `datasource.busy` while another import is running. Records the event `datasource.imported`
        if rows have changed.

        Requires an API key with write access. A limited key needs the permission `datasources:edit`.

        Args:
            datasource_id: The id of a data source.
            file: The file, such as `Upload.csv(content)` or `Upload.xlsx(content)`.
            skip_bad_rows: Import the valid rows and report the invalid ones. Otherwise one of them rejects all.
            delimiter: The delimiter of a CSV file. Default: detected.
            encoding: The encoding of a CSV file. Default: by its byte order mark, the `charset` of
                `Content-Type`, or detected. A file whose encoding is not certain is rejected.
            decimal_mark: The decimal mark of the numbers of a file that are text. Default: decided from all of
                them. A column of numbers such as `1.234` is text if it remains unclear.
            sheet: The sheet of a workbook to read. Default: the first visible one.
            dry_run: Validate the request and return the usual result, without changing anything.
            idempotency_key: Repeating a call with the same key within 24 hours returns the original response and
                has no further effect. Default: a new UUID.

        Returns:
            The result of an import, or of a dry run.

        Raises:
            ApiError: The server rejected the request, e.g. with 404 `datasource.not_found`, 409
                `datasource.busy`, 413 `file.too_large`, 503 `files.unavailable`.
            NoResponseError: No response arrived.
            ValueError: An id is empty.
        """
        response: schemas.DatasourceImportReport = self._transport.request_json(
            "POST",
            f"/customers/{ACCOUNT}/datasources/{encode_segment(datasource_id)}/rows",
            query={
                "skipBadRows": skip_bad_rows,
                "delimiter": delimiter,
                "encoding": encoding,
                "decimalMark": decimal_mark,
                "sheet": sheet,
                "dryRun": dry_run or None,
            },
            body=file,
            idempotency_key=idempotency_key,
        )
        return response

    def delete_row(
        self, datasource_id: str, *, key: str, permanent: bool | None = None, dry_run: bool = False
    ) -> schemas.TrashItem:
        """Delete a row of a data source.

        Moves the row with this `key` to the trash. Submissions that refer to it keep the row as it was. An
        import or a pull that contains the key adds the row again.

        Records the event `datasource.row_deleted`.

        Requires an API key with write access. A limited key needs the permission `datasources:edit`.

        Args:
            datasource_id: The id of a data source.
            key: The key of the row.
            permanent: Delete permanently instead of moving to the trash. This cannot be undone. Also deletes what
                is in the trash already.
            dry_run: Validate the request and return the usual result, without changing anything.

        Returns:
            A deleted resource.

        Raises:
            ApiError: The server rejected the request, e.g. with 404 `datasource.not_found`, 404
                `datasource.row.not_found`, 409 `datasource.busy`.
            NoResponseError: No response arrived.
            ValueError: An id is empty.
        """
        response: schemas.TrashItem = self._transport.request_json(
            "DELETE",
            f"/customers/{ACCOUNT}/datasources/{encode_segment(datasource_id)}/rows",
            query={"permanent": permanent, "key": key, "dryRun": dry_run or None},
        )
        return response

    def list_imports(self, datasource_id: str, *, limit: int | None = None) -> Paginator[schemas.DatasourceImport]:
        """List the imports of a data source.

        Returns past imports and pulls, newest first, including failed ones with the reason.

        A read-only API key is sufficient. A limited key needs the permission `datasources:read`.

        Args:
            datasource_id: The id of a data source.
            limit: The maximum number of items per page.

        Returns:
            An iterable over all items. It requests page after page.

        Raises:
            ApiError: The server rejected the request, e.g. with 404 `datasource.not_found`.
            NoResponseError: No response arrived.
            ValueError: An id is empty.
        """
        return self._transport.paginate(
            f"/customers/{ACCOUNT}/datasources/{encode_segment(datasource_id)}/imports", query={"limit": limit}
        )

    def restore_row(
        self, datasource_id: str, *, key: str, dry_run: bool = False, idempotency_key: str | None = None
    ) -> schemas.Datasource:
        """Restore a row of a data source.

        Takes the row with this `key` that was deleted last out of the trash. Cells of columns that no longer
        exist are lost. If the data source has a row with this key, nothing changes.

        Records the event `datasource.row_restored`.

        Requires an API key with write access. A limited key needs the permission `datasources:edit`.

        Args:
            datasource_id: The id of a data source.
            key: The key of the row.
            dry_run: Validate the request and return the usual result, without changing anything.
            idempotency_key: Repeating a call with the same key within 24 hours returns the original response and
                has no further effect. Default: a new UUID.

        Returns:
            A table of external data that forms can look up.

        Raises:
            ApiError: The server rejected the request, e.g. with 404 `datasource.not_found`, 404
                `datasource.row.not_found`, 409 `datasource.busy`.
            NoResponseError: No response arrived.
            ValueError: An id is empty.
        """
        response: schemas.Datasource = self._transport.request_json(
            "POST",
            f"/customers/{ACCOUNT}/datasources/{encode_segment(datasource_id)}/rows/restore",
            query={"dryRun": dry_run or None},
            body={"key": key},
            idempotency_key=idempotency_key,
        )
        return response

    def restore(
        self, datasource_id: str, *, dry_run: bool = False, idempotency_key: str | None = None
    ) -> schemas.Datasource:
        """Restore a data source.

        Takes the data source out of the trash with its rows and its pull. A data source that is not deleted
        is returned unchanged.

        Records the event `datasource.restored`.

        Requires an API key with write access. A limited key needs the permission `datasources:edit`.

        Args:
            datasource_id: The id of a data source.
            dry_run: Validate the request and return the usual result, without changing anything.
            idempotency_key: Repeating a call with the same key within 24 hours returns the original response and
                has no further effect. Default: a new UUID.

        Returns:
            A table of external data that forms can look up.

        Raises:
            ApiError: The server rejected the request, e.g. with 404 `datasource.not_found`, 409
                `datasource.external_id_taken`, 409 `datasource.name_taken`.
            NoResponseError: No response arrived.
            ValueError: An id is empty.
        """
        response: schemas.Datasource = self._transport.request_json(
            "POST",
            f"/customers/{ACCOUNT}/datasources/{encode_segment(datasource_id)}/restore",
            query={"dryRun": dry_run or None},
            idempotency_key=idempotency_key,
        )
        return response
