"""The methods of `client.form_versions`."""

# Generated from docs/openapi.json by `make openapi`. Do not edit.

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

from formwright_client import schemas
from formwright_client._sync.paginator import Paginator
from formwright_client._sync.resource import Resource
from formwright_client.encoding import ACCOUNT, UNSET, Timestamp, Unset, encode_segment


class FormVersions(Resource):
    """Create, update, publish and export versions of forms."""

    def list(
        self,
        form_id: str,
        *,
        limit: int | None = None,
        created_from: Timestamp | None = None,
        created_to: Timestamp | None = None,
        updated_from: Timestamp | None = None,
        updated_to: Timestamp | None = None,
        order: Literal["-created", "-updated", "created", "updated"] | None = None,
    ) -> Paginator[schemas.FormVersion]:
        """List the versions of a form.

        Returns drafts and final versions, by default in order of creation, which is that of their numbers.

        A read-only API key is sufficient. A limited key needs the permission `forms:read`.

        Args:
            form_id: The id of a form.
            limit: The maximum number of items per page.
            created_from: A `datetime`, or a string in RFC 3339 format, with an offset or `Z`.
            created_to: A `datetime`, or a string in RFC 3339 format, with an offset or `Z`.
            updated_from: A `datetime`, or a string in RFC 3339 format, with an offset or `Z`.
            updated_to: A `datetime`, or a string in RFC 3339 format, with an offset or `Z`.
            order: `created` orders by the time of creation, `updated` by the last change; a leading `-` reverses
                the order. With `updated`, a reader that continues from its last cursor misses no change.
                Deletions are reported by the event log only.

        Returns:
            An iterable over all items. It requests page after page.

        Raises:
            ApiError: The server rejected the request, e.g. with 404 `form.not_found`.
            NoResponseError: No response arrived.
            ValueError: An id is empty.
        """
        return self._transport.paginate(
            f"/forms/customer/{ACCOUNT}/forms/{encode_segment(form_id)}/versions",
            query={
                "limit": limit,
                "createdFrom": created_from,
                "createdTo": created_to,
                "updatedFrom": updated_from,
                "updatedTo": updated_to,
                "order": order,
            },
        )

    def create(
        self,
        form_id: str,
        *,
        fields: Sequence[schemas.AnyField],
        settings: schemas.FormSettings | Unset = UNSET,
        remarks: str | Unset = UNSET,
        dry_run: bool = False,
        idempotency_key: str | None = None,
    ) -> schemas.FormVersion:
        """Create a form version.

        The new version is a draft. The form keeps collecting answers with its published version until you
        publish the draft. If you omit `settings`, the version gets those of the newest version. All errors in
        the definition are reported at once, each with its pointer.

        Changes to drafts record no event.

        Requires an API key with write access. A limited key needs the permission `forms:edit`.

        Args:
            form_id: The id of a form.
            fields: The fields of the form, in the order in which they are asked; at most 1,500.
            settings: The settings of a form.
            remarks: What is new in this version, for the people who manage it.
            dry_run: Validate the request and return the usual result, without changing anything.
            idempotency_key: Repeating a call with the same key within 24 hours returns the original response and
                has no further effect. Default: a new UUID.

        Returns:
            A version of a form.

        Raises:
            ApiError: The server rejected the request, e.g. with 404 `form.not_found`.
            NoResponseError: No response arrived.
            ValueError: An id is empty.
        """
        response: schemas.FormVersion = self._transport.request_json(
            "POST",
            f"/forms/customer/{ACCOUNT}/forms/{encode_segment(form_id)}/versions",
            query={"dryRun": dry_run or None},
            body={"fields": fields, "settings": settings, "remarks": remarks},
            idempotency_key=idempotency_key,
        )
        return response

    def validate(
        self,
        form_id: str,
        *,
        fields: Sequence[schemas.AnyField],
        settings: schemas.FormSettings | Unset = UNSET,
        remarks: str | Unset = UNSET,
        dry_run: bool = False,
        idempotency_key: str | None = None,
    ) -> schemas.ValidationResult:
        """Validate a form definition.

        Checks `fields` and `settings` without saving anything. The response lists all errors with their
        pointers, and its status is 200 whether or not the definition is valid. A body that does not match the
        schema is rejected with 422.

        A read-only API key is sufficient. A limited key needs the permission `forms:read`.

        Args:
            form_id: The id of a form.
            fields: The fields of the form, in the order in which they are asked; at most 1,500.
            settings: The settings of a form.
            remarks: What is new in this version, for the people who manage it.
            dry_run: Validate the request and return the usual result, without changing anything.
            idempotency_key: Repeating a call with the same key within 24 hours returns the original response and
                has no further effect. Default: a new UUID.

        Returns:
            The result of checking a form definition.

        Raises:
            ApiError: The server rejected the request, e.g. with 404 `form.not_found`.
            NoResponseError: No response arrived.
            ValueError: An id is empty.
        """
        response: schemas.ValidationResult = self._transport.request_json(
            "POST",
            f"/forms/customer/{ACCOUNT}/forms/{encode_segment(form_id)}/versions/validate",
            query={"dryRun": dry_run or None},
            body={"fields": fields, "settings": settings, "remarks": remarks},
            idempotency_key=idempotency_key,
        )
        return response

    def get(self, form_id: str, version_id: str) -> schemas.FormVersion:
        """Get a form version.

        Returns the fields and settings of the version.

        A read-only API key is sufficient. A limited key needs the permission `forms:read`.

        Args:
            form_id: The id of a form.
            version_id: The id of a form version.

        Returns:
            A version of a form.

        Raises:
            ApiError: The server rejected the request, e.g. with 404 `form.version.not_found`.
            NoResponseError: No response arrived.
            ValueError: An id is empty.
        """
        response: schemas.FormVersion = self._transport.request_json(
            "GET", f"/forms/customer/{ACCOUNT}/forms/{encode_segment(form_id)}/versions/{encode_segment(version_id)}"
        )
        return response

    def update(
        self,
        form_id: str,
        version_id: str,
        *,
        fields: Sequence[schemas.AnyField],
        settings: schemas.FormSettings | Unset = UNSET,
        remarks: str | Unset = UNSET,
        dry_run: bool = False,
        if_match: str | None = None,
    ) -> schemas.FormVersion:
        """Update a form version.

        Replaces the fields of a draft, and its settings and remarks if you send them. Final versions never
        change: updating one returns 409 `form.version.not_draft`.

        Changes to drafts record no event.

        Requires an API key with write access. A limited key needs the permission `forms:edit`.

        Args:
            form_id: The id of a form.
            version_id: The id of a form version.
            fields: The fields of the form, in the order in which they are asked; at most 1,500.
            settings: The settings of a form.
            remarks: What is new in this version, for the people who manage it.
            dry_run: Validate the request and return the usual result, without changing anything.
            if_match: The ETag of the resource as you have read it, from `etag()`. If the resource has changed
                since, the call fails with 412 `precondition.failed`.

        Returns:
            A version of a form.

        Raises:
            ApiError: The server rejected the request, e.g. with 404 `form.version.not_found`, 409
                `form.version.not_draft`, 412 `precondition.failed`.
            NoResponseError: No response arrived.
            ValueError: An id is empty.
        """
        response: schemas.FormVersion = self._transport.request_json(
            "PUT",
            f"/forms/customer/{ACCOUNT}/forms/{encode_segment(form_id)}/versions/{encode_segment(version_id)}",
            query={"dryRun": dry_run or None},
            body={"fields": fields, "settings": settings, "remarks": remarks},
            if_match=if_match,
        )
        return response

    def delete(
        self,
        form_id: str,
        version_id: str,
        *,
        permanent: bool | None = None,
        dry_run: bool = False,
        if_match: str | None = None,
    ) -> schemas.TrashItem:
        """Delete a form version.

        Moves a draft to the trash. Final versions cannot be deleted (409 `form.version.not_draft`), because
        submissions refer to them, and neither can the only version of a form (409 `form.version.only`).

        Records the event `version.deleted`.

        Requires an API key with write access. A limited key needs the permission `forms:edit`.

        Args:
            form_id: The id of a form.
            version_id: The id of a form version.
            permanent: Delete permanently instead of moving to the trash. This cannot be undone. Also deletes what
                is in the trash already.
            dry_run: Validate the request and return the usual result, without changing anything.
            if_match: The ETag of the resource as you have read it, from `etag()`. If the resource has changed
                since, the call fails with 412 `precondition.failed`.

        Returns:
            A deleted resource.

        Raises:
            ApiError: The server rejected the request, e.g. with 404 `form.version.not_found`, 409
                `form.version.not_draft`, 409 `form.version.only`, 412 `precondition.failed`.
            NoResponseError: No response arrived.
            ValueError: An id is empty.
        """
        response: schemas.TrashItem = self._transport.request_json(
            "DELETE",
            f"/forms/customer/{ACCOUNT}/forms/{encode_segment(form_id)}/versions/{encode_segment(version_id)}",
            query={"permanent": permanent, "dryRun": dry_run or None},
            if_match=if_match,
        )
        return response

    def publish(
        self, form_id: str, version_id: str, *, dry_run: bool = False, idempotency_key: str | None = None
    ) -> schemas.Form:
        """Publish a form version.

        Makes the version final and opens the form with it. Submissions that have already been started keep
        their version. You can publish an earlier final version again. Publishing the version that is already
        published changes nothing.

        Records the event `form.published`.

        Requires an API key with write access. A limited key needs the permission `forms:publish`.

        Args:
            form_id: The id of a form.
            version_id: The id of a form version.
            dry_run: Validate the request and return the usual result, without changing anything.
            idempotency_key: Repeating a call with the same key within 24 hours returns the original response and
                has no further effect. Default: a new UUID.

        Returns:
            A form.

        Raises:
            ApiError: The server rejected the request, e.g. with 404 `form.not_found`, 404
                `form.version.not_found`.
            NoResponseError: No response arrived.
            ValueError: An id is empty.
        """
        response: schemas.Form = self._transport.request_json(
            "POST",
            f"/forms/customer/{ACCOUNT}/forms/{encode_segment(form_id)}/versions/{encode_segment(version_id)}/publish",
            query={"dryRun": dry_run or None},
            idempotency_key=idempotency_key,
        )
        return response

    def get_schema(self, form_id: str, version_id: str) -> dict[str, Any]:
        """Get the answer schema of a form version.

        Returns a JSON Schema (2020-12) of the answers: their types and limits. It cannot express rules, so it
        only requires fields that are always shown.

        A read-only API key is sufficient. A limited key needs the permission `forms:read`.

        Args:
            form_id: The id of a form.
            version_id: The id of a form version.

        Returns:
            The JSON Schema.

        Raises:
            ApiError: The server rejected the request, e.g. with 404 `form.version.not_found`.
            NoResponseError: No response arrived.
            ValueError: An id is empty.
        """
        response: dict[str, Any] = self._transport.request_json(
            "GET",
            f"/forms/customer/{ACCOUNT}/forms/{encode_segment(form_id)}/versions/{encode_segment(version_id)}/schema",
        )
        return response

    def get_changes(self, form_id: str, version_id: str, *, since: str | None = None) -> schemas.FormVersionChanges:
        """Get the changes in a form version.

        Compares the version with an earlier one, by default the previous one. For each field that was added,
        removed or changed, the response says whether the change breaks consumers of the answers, and how many
        stored submissions have an answer to the field.

        A read-only API key is sufficient. A limited key needs the permission `forms:read`.

        Args:
            form_id: The id of a form.
            version_id: The id of a form version.
            since: The id of a form version.

        Returns:
            The differences between two versions of a form.

        Raises:
            ApiError: The server rejected the request, e.g. with 404 `form.version.not_found`.
            NoResponseError: No response arrived.
            ValueError: An id is empty.
        """
        response: schemas.FormVersionChanges = self._transport.request_json(
            "GET",
            f"/forms/customer/{ACCOUNT}/forms/{encode_segment(form_id)}/versions/{encode_segment(version_id)}/changes",
            query={"since": since},
        )
        return response

    def get_bundle(self, form_id: str, version_id: str) -> schemas.FormBundle:
        """Export a form version as a bundle.

        Returns any version, as `client.forms.get_bundle` does.

        A read-only API key is sufficient. A limited key needs the permission `forms:read`.

        Args:
            form_id: The id of a form.
            version_id: The id of a form version.

        Returns:
            A form version that other accounts can import.

        Raises:
            ApiError: The server rejected the request, e.g. with 404 `form.not_found`, 404
                `form.version.not_found`.
            NoResponseError: No response arrived.
            ValueError: An id is empty.
        """
        response: schemas.FormBundle = self._transport.request_json(
            "GET",
            f"/forms/customer/{ACCOUNT}/forms/{encode_segment(form_id)}/versions/{encode_segment(version_id)}/bundle",
        )
        return response

    def export(self, form_id: str, version_id: str) -> bytes:
        """Export a form version.

        Returns an XLSForm workbook (.xlsx). Get its export report for what the workbook cannot express.

        A read-only API key is sufficient. A limited key needs the permission `forms:read`.

        Args:
            form_id: The id of a form.
            version_id: The id of a form version.

        Returns:
            The file.

        Raises:
            ApiError: The server rejected the request, e.g. with 404 `form.version.not_found`.
            NoResponseError: No response arrived.
            ValueError: An id is empty.
        """
        return self._transport.request_bytes(
            "GET",
            f"/forms/customer/{ACCOUNT}/forms/{encode_segment(form_id)}/versions/{encode_segment(version_id)}/xlsform",
        )

    def get_export_report(self, form_id: str, version_id: str) -> schemas.XlsformExportReport:
        """Get the export report of a form version.

        Lists what the XLSForm workbook of the version cannot express.

        A read-only API key is sufficient. A limited key needs the permission `forms:read`.

        Args:
            form_id: The id of a form.
            version_id: The id of a form version.

        Returns:
            What an XLSForm workbook of a version does not contain.

        Raises:
            ApiError: The server rejected the request, e.g. with 404 `form.version.not_found`.
            NoResponseError: No response arrived.
            ValueError: An id is empty.
        """
        response: schemas.XlsformExportReport = self._transport.request_json(
            "GET",
            f"/forms/customer/{ACCOUNT}/forms/{encode_segment(form_id)}/versions/{encode_segment(version_id)}/xlsform/report",
        )
        return response

    def restore(
        self, form_id: str, version_id: str, *, dry_run: bool = False, idempotency_key: str | None = None
    ) -> schemas.FormVersion:
        """Restore a form version.

        Takes a draft out of the trash. If a newer version has its number, it gets the next free one. If its
        form is in the trash, too, restore that first (409 `trash.form_deleted`). A version that is not
        deleted is returned unchanged.

        Records the event `version.restored`.

        Requires an API key with write access. A limited key needs the permission `forms:edit`.

        Args:
            form_id: The id of a form.
            version_id: The id of a form version.
            dry_run: Validate the request and return the usual result, without changing anything.
            idempotency_key: Repeating a call with the same key within 24 hours returns the original response and
                has no further effect. Default: a new UUID.

        Returns:
            A version of a form.

        Raises:
            ApiError: The server rejected the request, e.g. with 404 `form.version.not_found`, 409
                `trash.form_deleted`.
            NoResponseError: No response arrived.
            ValueError: An id is empty.
        """
        response: schemas.FormVersion = self._transport.request_json(
            "POST",
            f"/forms/customer/{ACCOUNT}/forms/{encode_segment(form_id)}/versions/{encode_segment(version_id)}/restore",
            query={"dryRun": dry_run or None},
            idempotency_key=idempotency_key,
        )
        return response
