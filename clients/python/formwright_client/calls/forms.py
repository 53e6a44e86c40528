"""The calls of Forms.

Made by `make openapi` from docs/openapi.json: change nothing here.
"""

from __future__ import annotations

from typing import Any

from formwright_client import shapes
from formwright_client.calling import Caller, Table, part
from formwright_client.paging import Pages


class Forms(Caller):
    """One a method."""

    def create_form(
        self,
        body: shapes.FormCreate,
        *,
        dry_run: bool = False,
        idempotency_key: str | None = None,
    ) -> shapes.Form:
        """Create a form."""
        found: shapes.Form = self._answer(
            "POST",
            "/forms",
            query={"dryRun": dry_run or None},
            body=body,
            idempotency_key=idempotency_key,
        )
        return found

    def list_forms(
        self,
        *,
        folder_id: str | None = None,
        datasource_id: str | None = None,
        limit: int | None = None,
    ) -> Pages[shapes.Form]:
        """List forms."""
        return self._listed(
            f"/forms/customer/{self.customer_id}/forms",
            query={
                "folderId": folder_id,
                "datasourceId": datasource_id,
                "limit": limit,
            },
        )

    def get_form(
        self,
        form_id: str,
    ) -> shapes.Form:
        """Get a form."""
        found: shapes.Form = self._answer(
            "GET",
            f"/forms/customer/{self.customer_id}/forms/{part(form_id)}",
        )
        return found

    def update_form(
        self,
        form_id: str,
        body: shapes.FormUpdate,
        *,
        dry_run: bool = False,
        if_match: str | None = None,
    ) -> shapes.Form:
        """Update a form."""
        found: shapes.Form = self._answer(
            "PUT",
            f"/forms/customer/{self.customer_id}/forms/{part(form_id)}",
            query={"dryRun": dry_run or None},
            body=body,
            if_match=if_match,
        )
        return found

    def list_form_versions(
        self,
        form_id: str,
        *,
        limit: int | None = None,
    ) -> Pages[shapes.FormVersion]:
        """List the versions of a form."""
        return self._listed(
            f"/forms/customer/{self.customer_id}/forms/{part(form_id)}/versions",
            query={"limit": limit},
        )

    def create_form_version(
        self,
        form_id: str,
        body: shapes.FormVersionWrite,
        *,
        dry_run: bool = False,
        idempotency_key: str | None = None,
    ) -> shapes.FormVersion:
        """Create a form version."""
        found: shapes.FormVersion = self._answer(
            "POST",
            f"/forms/customer/{self.customer_id}/forms/{part(form_id)}/versions",
            query={"dryRun": dry_run or None},
            body=body,
            idempotency_key=idempotency_key,
        )
        return found

    def validate_form_version(
        self,
        form_id: str,
        body: shapes.FormVersionWrite,
        *,
        dry_run: bool = False,
        idempotency_key: str | None = None,
    ) -> shapes.ValidationResult:
        """Validate a form definition."""
        found: shapes.ValidationResult = self._answer(
            "POST",
            f"/forms/customer/{self.customer_id}/forms/{part(form_id)}/versions/validate",
            query={"dryRun": dry_run or None},
            body=body,
            idempotency_key=idempotency_key,
        )
        return found

    def get_form_version(
        self,
        form_id: str,
        version_id: str,
    ) -> shapes.FormVersion:
        """Get a form version."""
        found: shapes.FormVersion = self._answer(
            "GET",
            f"/forms/customer/{self.customer_id}/forms/{part(form_id)}/versions/{part(version_id)}",
        )
        return found

    def update_form_version(
        self,
        form_id: str,
        version_id: str,
        body: shapes.FormVersionWrite,
        *,
        dry_run: bool = False,
        if_match: str | None = None,
    ) -> shapes.FormVersion:
        """Update a form version."""
        found: shapes.FormVersion = self._answer(
            "PUT",
            f"/forms/customer/{self.customer_id}/forms/{part(form_id)}/versions/{part(version_id)}",
            query={"dryRun": dry_run or None},
            body=body,
            if_match=if_match,
        )
        return found

    def publish_form_version(
        self,
        form_id: str,
        version_id: str,
        *,
        dry_run: bool = False,
        idempotency_key: str | None = None,
    ) -> shapes.Form:
        """Publish a form version."""
        found: shapes.Form = self._answer(
            "POST",
            f"/forms/customer/{self.customer_id}/forms/{part(form_id)}/versions/{part(version_id)}/publish",
            query={"dryRun": dry_run or None},
            idempotency_key=idempotency_key,
        )
        return found

    def get_form_version_schema(
        self,
        form_id: str,
        version_id: str,
    ) -> dict[str, Any]:
        """Get the answer schema of a form version."""
        found: dict[str, Any] = self._answer(
            "GET",
            f"/forms/customer/{self.customer_id}/forms/{part(form_id)}/versions/{part(version_id)}/schema",
        )
        return found

    def get_form_version_changes(
        self,
        form_id: str,
        version_id: str,
        *,
        since: str | None = None,
    ) -> shapes.FormVersionChanges:
        """Get the changes in a form version."""
        found: shapes.FormVersionChanges = self._answer(
            "GET",
            f"/forms/customer/{self.customer_id}/forms/{part(form_id)}/versions/{part(version_id)}/changes",
            query={"since": since},
        )
        return found

    def import_form(
        self,
        body: Table,
        *,
        dry_run: bool = False,
        name: str | None = None,
        folder_id: str | None = None,
        publish: bool | None = None,
        idempotency_key: str | None = None,
    ) -> shapes.ImportedForm:
        """Import a form."""
        found: shapes.ImportedForm = self._answer(
            "POST",
            f"/forms/customer/{self.customer_id}/forms/import",
            query={
                "dryRun": dry_run or None,
                "name": name,
                "folderId": folder_id,
                "publish": publish,
            },
            body=body,
            idempotency_key=idempotency_key,
        )
        return found

    def export_form_version(
        self,
        form_id: str,
        version_id: str,
    ) -> bytes:
        """Export a form version."""
        return self._content(
            "GET",
            f"/forms/customer/{self.customer_id}/forms/{part(form_id)}/versions/{part(version_id)}/xlsform",
        )

    def get_form_version_export_report(
        self,
        form_id: str,
        version_id: str,
    ) -> shapes.XlsformExportReport:
        """Get the export report of a form version."""
        found: shapes.XlsformExportReport = self._answer(
            "GET",
            f"/forms/customer/{self.customer_id}/forms/{part(form_id)}/versions/{part(version_id)}/xlsform/report",
        )
        return found

    def list_templates(
        self,
        *,
        limit: int | None = None,
    ) -> Pages[shapes.Template]:
        """List form templates."""
        return self._listed(
            f"/forms/customer/{self.customer_id}/templates",
            query={"limit": limit},
        )

    def create_template(
        self,
        body: shapes.TemplateWrite,
        *,
        dry_run: bool = False,
        idempotency_key: str | None = None,
    ) -> shapes.Template:
        """Create a form template."""
        found: shapes.Template = self._answer(
            "POST",
            f"/forms/customer/{self.customer_id}/templates",
            query={"dryRun": dry_run or None},
            body=body,
            idempotency_key=idempotency_key,
        )
        return found

    def get_template(
        self,
        template_id: str,
    ) -> shapes.Template:
        """Get a form template."""
        found: shapes.Template = self._answer(
            "GET",
            f"/forms/customer/{self.customer_id}/templates/{part(template_id)}",
        )
        return found

    def update_template(
        self,
        template_id: str,
        body: shapes.TemplateWrite,
        *,
        dry_run: bool = False,
        if_match: str | None = None,
    ) -> shapes.Template:
        """Update a form template."""
        found: shapes.Template = self._answer(
            "PUT",
            f"/forms/customer/{self.customer_id}/templates/{part(template_id)}",
            query={"dryRun": dry_run or None},
            body=body,
            if_match=if_match,
        )
        return found
