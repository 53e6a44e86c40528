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
        """Create a data source."""
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
        """List data sources."""
        return self._listed(
            "/datasources",
            query={"limit": limit},
        )

    def get_datasource(
        self,
        datasource_id: str,
    ) -> shapes.Datasource:
        """Get a data source."""
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
        """Update a data source."""
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
        """Pull a data source."""
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
        """List the rows of a data source."""
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
    ) -> shapes.DatasourceImportReport:
        """Replace the rows of a data source."""
        found: shapes.DatasourceImportReport = self._answer(
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
    ) -> shapes.DatasourceImportReport:
        """Insert or update rows of a data source."""
        found: shapes.DatasourceImportReport = self._answer(
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
        """List the imports of a data source."""
        return self._listed(
            f"/customers/{self.customer_id}/datasources/{part(datasource_id)}/imports",
            query={"limit": limit},
        )
