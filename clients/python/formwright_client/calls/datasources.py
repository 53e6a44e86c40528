"""The calls of Datasources.

Made by `make openapi` from docs/openapi.json: change nothing here.
"""

from __future__ import annotations

from formwright_client import shapes
from formwright_client.calling import Caller, Table, part
from formwright_client.paging import Pages


class Datasources(Caller):
    """One a method."""

    def create_datasource(
        self,
        body: shapes.DatasourceCreate | Table,
        *,
        dry_run: bool = False,
        skip_bad_rows: bool | None = None,
        delimiter: str | None = None,
        encoding: str | None = None,
        sheet: str | None = None,
        key_column: str | None = None,
        name: str | None = None,
        idempotency_key: str | None = None,
    ) -> shapes.DatasourceWithImport:
        """Import outside data as a new datasource: all rows, or none and every bad row with its reason."""
        found: shapes.DatasourceWithImport = self._answer(
            "POST",
            f"/customers/{self.customer_id}/datasources",
            query={
                "dryRun": dry_run or None,
                "skipBadRows": skip_bad_rows,
                "delimiter": delimiter,
                "encoding": encoding,
                "sheet": sheet,
                "keyColumn": key_column,
                "name": name,
            },
            body=body,
            idempotency_key=idempotency_key,
        )
        return found

    def list_datasources(
        self,
        *,
        limit: int | None = None,
    ) -> Pages[shapes.Datasource]:
        """List the account's datasources in the order in which they were made."""
        return self._listed(
            "/datasources",
            query={"limit": limit},
        )

    def get_datasource(
        self,
        datasource_id: str,
    ) -> shapes.Datasource:
        """Read what a datasource is; its rows have their own address."""
        found: shapes.Datasource = self._answer(
            "GET",
            f"/customers/{self.customer_id}/datasources/{part(datasource_id)}",
        )
        return found

    def update_datasource(
        self,
        datasource_id: str,
        body: shapes.DatasourceUpdate | Table,
        *,
        dry_run: bool = False,
        skip_bad_rows: bool | None = None,
        delimiter: str | None = None,
        encoding: str | None = None,
        sheet: str | None = None,
        key_column: str | None = None,
        if_match: str | None = None,
    ) -> shapes.DatasourceWithImport:
        """Change a datasource; with `rows`, or a CSV, .xlsx or .xls file as the body, replace all its rows."""
        found: shapes.DatasourceWithImport = self._answer(
            "PUT",
            f"/customers/{self.customer_id}/datasources/{part(datasource_id)}",
            query={
                "dryRun": dry_run or None,
                "skipBadRows": skip_bad_rows,
                "delimiter": delimiter,
                "encoding": encoding,
                "sheet": sheet,
                "keyColumn": key_column,
            },
            body=body,
            if_match=if_match,
        )
        return found

    def refresh_datasource(
        self,
        datasource_id: str,
        *,
        dry_run: bool = False,
        idempotency_key: str | None = None,
    ) -> shapes.Datasource:
        """Pull a datasource now. A pull that is under way goes on; `pull` of the answer says which."""
        found: shapes.Datasource = self._answer(
            "POST",
            f"/customers/{self.customer_id}/datasources/{part(datasource_id)}/refresh",
            query={"dryRun": dry_run or None},
            idempotency_key=idempotency_key,
        )
        return found

    def list_datasource_rows(
        self,
        datasource_id: str,
        *,
        limit: int | None = None,
        q: str | None = None,
        key: str | None = None,
    ) -> Pages[shapes.DatasourceRow]:
        """List or search the rows of a datasource, in the order in which they last changed."""
        return self._listed(
            f"/customers/{self.customer_id}/datasources/{part(datasource_id)}/rows",
            query={
                "limit": limit,
                "q": q,
                "key": key,
            },
        )

    def replace_datasource_rows(
        self,
        datasource_id: str,
        body: shapes.DatasourceRowsWrite | Table,
        *,
        dry_run: bool = False,
        skip_bad_rows: bool | None = None,
        delimiter: str | None = None,
        encoding: str | None = None,
        sheet: str | None = None,
        if_match: str | None = None,
    ) -> shapes.ImportReport:
        """Replace all rows: those that stay the same are not touched, those that do not come again are deleted."""
        found: shapes.ImportReport = self._answer(
            "PUT",
            f"/customers/{self.customer_id}/datasources/{part(datasource_id)}/rows",
            query={
                "dryRun": dry_run or None,
                "skipBadRows": skip_bad_rows,
                "delimiter": delimiter,
                "encoding": encoding,
                "sheet": sheet,
            },
            body=body,
            if_match=if_match,
        )
        return found

    def upsert_datasource_rows(
        self,
        datasource_id: str,
        body: shapes.DatasourceRowsWrite | Table,
        *,
        dry_run: bool = False,
        skip_bad_rows: bool | None = None,
        delimiter: str | None = None,
        encoding: str | None = None,
        sheet: str | None = None,
        idempotency_key: str | None = None,
    ) -> shapes.ImportReport:
        """Insert rows, or change those with the same key: a column that a row does not name stays as it was there."""
        found: shapes.ImportReport = self._answer(
            "POST",
            f"/customers/{self.customer_id}/datasources/{part(datasource_id)}/rows",
            query={
                "dryRun": dry_run or None,
                "skipBadRows": skip_bad_rows,
                "delimiter": delimiter,
                "encoding": encoding,
                "sheet": sheet,
            },
            body=body,
            idempotency_key=idempotency_key,
        )
        return found

    def list_datasource_imports(
        self,
        datasource_id: str,
        *,
        limit: int | None = None,
    ) -> Pages[shapes.DatasourceImport]:
        """List the imports into a datasource, the newest first; also those that failed, and why."""
        return self._listed(
            f"/customers/{self.customer_id}/datasources/{part(datasource_id)}/imports",
            query={"limit": limit},
        )
