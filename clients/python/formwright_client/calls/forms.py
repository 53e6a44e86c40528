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
        """Create a form with its first version, from `fields` or from a template."""
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
        """List the account's forms in the order in which they were made, or those of a folder with all below it."""
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
        """Read one form."""
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
        """Change a form: what it is called, where it lies, whether it is archived, and what it asks."""
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
        """List the versions of a form by their number."""
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
        """Begin a new version as a draft. What is being filled stays as it is until the draft is published."""
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
        """Check a definition without saving it: every fault is named, with its pointer."""
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
        """Read one version of a form with its fields."""
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
        """Put another definition into a draft. A final version never changes."""
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
        """Make a version final and point the form at it. An older final version can be published again."""
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
        """Read the JSON Schema (2020-12) of the answers to a version."""
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
        """Read what changed since another version, what of it breaks readers, and how many submissions it touches."""
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
        """Make a form from an XLSForm file."""
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
        """Read a version as an XLSForm file. What such a file cannot say is named in its report."""
        return self._content(
            "GET",
            f"/forms/customer/{self.customer_id}/forms/{part(form_id)}/versions/{part(version_id)}/xlsform",
        )

    def get_form_version_export_report(
        self,
        form_id: str,
        version_id: str,
    ) -> shapes.XlsformExportReport:
        """Read what the XLSForm file of a version does not carry."""
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
        """List the templates: the global ones first, then the account's own."""
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
        """Create a template. `POST /forms` with its `templateId` makes a form of it."""
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
        """Read one template."""
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
        """Change a template of the account. Forms that were made from it stay as they are."""
        found: shapes.Template = self._answer(
            "PUT",
            f"/forms/customer/{self.customer_id}/templates/{part(template_id)}",
            query={"dryRun": dry_run or None},
            body=body,
            if_match=if_match,
        )
        return found
