"""Every operation of the API but the list of events, which is `Client.events`.

Made by `make openapi` from docs/openapi.json: change nothing here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, overload

from formwright_client import shapes
from formwright_client.calling import Caller, Moment, Table, part
from formwright_client.paging import Pages


class Calls(Caller):
    """The operations, one a method. Members of the query are named, and left out where they are not given."""

    def list_submissions(
        self,
        *,
        form_id: Sequence[str] = (),
        folder_id: str | None = None,
        status: Sequence[shapes.SubmissionStatus] = (),
        user_id: str | None = None,
        task_id: str | None = None,
        invite_id: str | None = None,
        submitted_from: Moment | None = None,
        submitted_to: Moment | None = None,
        updated_from: Moment | None = None,
        updated_to: Moment | None = None,
        answers: Mapping[str, object] | None = None,
        order: Literal["-submitted", "-updated", "submitted", "updated"] | None = None,
        limit: int | None = None,
    ) -> Pages[shapes.Submission]:
        """List submissions, filtered by form, status, person, task, time and answers."""
        return self._listed(
            "/submissions",
            query={
                "formId": form_id,
                "folderId": folder_id,
                "status": status,
                "userId": user_id,
                "taskId": task_id,
                "inviteId": invite_id,
                "submittedFrom": submitted_from,
                "submittedTo": submitted_to,
                "updatedFrom": updated_from,
                "updatedTo": updated_to,
                "answers": answers,
                "order": order,
                "limit": limit,
            },
        )

    def get_submission(
        self,
        submission_id: str,
    ) -> shapes.Submission:
        """Read one submission with its answers."""
        found: shapes.Submission = self._answer(
            "GET",
            f"/customers/{self.customer_id}/submissions/{part(submission_id)}",
        )
        return found

    def change_submission(
        self,
        submission_id: str,
        body: shapes.SubmissionChange,
        *,
        dry_run: bool = False,
        if_match: str | None = None,
    ) -> shapes.Submission:
        """Correct, approve or reject a submission that was sent."""
        found: shapes.Submission = self._answer(
            "PUT",
            f"/customers/{self.customer_id}/submissions/{part(submission_id)}",
            query={"dryRun": dry_run or None},
            body=body,
            if_match=if_match,
        )
        return found

    def delete_submission(
        self,
        submission_id: str,
        *,
        dry_run: bool = False,
        if_match: str | None = None,
    ) -> None:
        """Delete a submission with its revisions and files."""
        self._done(
            "DELETE",
            f"/customers/{self.customer_id}/submissions/{part(submission_id)}",
            query={"dryRun": dry_run or None},
            if_match=if_match,
        )

    def create_submission(
        self,
        form_id: str,
        body: shapes.SubmissionCreate,
        *,
        dry_run: bool = False,
        idempotency_key: str | None = None,
    ) -> shapes.Submission:
        """Hand in a filled form for the published version."""
        found: shapes.Submission = self._answer(
            "POST",
            f"/customers/{self.customer_id}/forms/{part(form_id)}/submissions",
            query={"dryRun": dry_run or None},
            body=body,
            idempotency_key=idempotency_key,
        )
        return found

    def list_revisions(
        self,
        submission_id: str,
        *,
        limit: int | None = None,
    ) -> Pages[shapes.SubmissionRevision]:
        """List what a submission was since it was first sent, and what it is, in the order of the changes."""
        return self._listed(
            f"/customers/{self.customer_id}/submissions/{part(submission_id)}/revisions",
            query={"limit": limit},
        )

    def list_files(
        self,
        submission_id: str,
        *,
        limit: int | None = None,
    ) -> Pages[shapes.File]:
        """List the files of a submission, in the order in which they were uploaded."""
        return self._listed(
            f"/customers/{self.customer_id}/submissions/{part(submission_id)}/files",
            query={"limit": limit},
        )

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
        limit: int | None = None,
    ) -> Pages[shapes.Form]:
        """List the account's forms in the order in which they were made, or those of a folder with all below it."""
        return self._listed(
            f"/forms/customer/{self.customer_id}/forms",
            query={
                "folderId": folder_id,
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

    def change_form(
        self,
        form_id: str,
        body: shapes.FormChange,
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

    def list_versions(
        self,
        form_id: str,
        *,
        limit: int | None = None,
    ) -> Pages[shapes.Version]:
        """List the versions of a form by their number."""
        return self._listed(
            f"/forms/customer/{self.customer_id}/forms/{part(form_id)}/versions",
            query={"limit": limit},
        )

    def create_version(
        self,
        form_id: str,
        body: shapes.VersionWrite,
        *,
        dry_run: bool = False,
        idempotency_key: str | None = None,
    ) -> shapes.Version:
        """Begin a new version as a draft. What is being filled stays as it is until the draft is published."""
        found: shapes.Version = self._answer(
            "POST",
            f"/forms/customer/{self.customer_id}/forms/{part(form_id)}/versions",
            query={"dryRun": dry_run or None},
            body=body,
            idempotency_key=idempotency_key,
        )
        return found

    def validate_version(
        self,
        form_id: str,
        body: shapes.VersionWrite,
        *,
        dry_run: bool = False,
        idempotency_key: str | None = None,
    ) -> shapes.Verdict:
        """Check a definition without saving it: every fault is named, with its pointer."""
        found: shapes.Verdict = self._answer(
            "POST",
            f"/forms/customer/{self.customer_id}/forms/{part(form_id)}/versions/validate",
            query={"dryRun": dry_run or None},
            body=body,
            idempotency_key=idempotency_key,
        )
        return found

    def get_version(
        self,
        form_id: str,
        version_id: str,
    ) -> shapes.Version:
        """Read one version of a form with its fields."""
        found: shapes.Version = self._answer(
            "GET",
            f"/forms/customer/{self.customer_id}/forms/{part(form_id)}/versions/{part(version_id)}",
        )
        return found

    def change_version(
        self,
        form_id: str,
        version_id: str,
        body: shapes.VersionWrite,
        *,
        dry_run: bool = False,
        if_match: str | None = None,
    ) -> shapes.Version:
        """Put another definition into a draft. A final version never changes."""
        found: shapes.Version = self._answer(
            "PUT",
            f"/forms/customer/{self.customer_id}/forms/{part(form_id)}/versions/{part(version_id)}",
            query={"dryRun": dry_run or None},
            body=body,
            if_match=if_match,
        )
        return found

    def publish_version(
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

    def get_version_schema(
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

    def get_version_changes(
        self,
        form_id: str,
        version_id: str,
        *,
        since: str | None = None,
    ) -> shapes.VersionChanges:
        """Read what changed since another version, what of it breaks readers, and how many submissions it touches."""
        found: shapes.VersionChanges = self._answer(
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
    ) -> shapes.FormImported:
        """Make a form from an XLSForm file."""
        found: shapes.FormImported = self._answer(
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

    def export_version(
        self,
        form_id: str,
        version_id: str,
    ) -> bytes:
        """Read a version as an XLSForm file. What such a file cannot say is named in its report."""
        return self._content(
            "GET",
            f"/forms/customer/{self.customer_id}/forms/{part(form_id)}/versions/{part(version_id)}/xlsform",
        )

    def get_export_report(
        self,
        form_id: str,
        version_id: str,
    ) -> shapes.ExportReport:
        """Read what the XLSForm file of a version does not carry."""
        found: shapes.ExportReport = self._answer(
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

    def change_template(
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

    def list_folders(
        self,
        *,
        limit: int | None = None,
    ) -> Pages[shapes.Folder]:
        """List the folders; `parentId` makes a tree of them."""
        return self._listed(
            f"/forms/customer/{self.customer_id}/folders",
            query={"limit": limit},
        )

    def create_folder(
        self,
        body: shapes.FolderWrite,
        *,
        dry_run: bool = False,
        idempotency_key: str | None = None,
    ) -> shapes.Folder:
        """Create a folder, at the root or in another."""
        found: shapes.Folder = self._answer(
            "POST",
            f"/forms/customer/{self.customer_id}/folders",
            query={"dryRun": dry_run or None},
            body=body,
            idempotency_key=idempotency_key,
        )
        return found

    def get_folder(
        self,
        folder_id: str,
    ) -> shapes.Folder:
        """Read one folder."""
        found: shapes.Folder = self._answer(
            "GET",
            f"/forms/customer/{self.customer_id}/folders/{part(folder_id)}",
        )
        return found

    def change_folder(
        self,
        folder_id: str,
        body: shapes.FolderWrite,
        *,
        dry_run: bool = False,
        if_match: str | None = None,
    ) -> shapes.Folder:
        """Rename a folder, or move it with all that is in it."""
        found: shapes.Folder = self._answer(
            "PUT",
            f"/forms/customer/{self.customer_id}/folders/{part(folder_id)}",
            query={"dryRun": dry_run or None},
            body=body,
            if_match=if_match,
        )
        return found

    def move_forms(
        self,
        folder_id: str,
        body: shapes.FolderMove,
        *,
        dry_run: bool = False,
        idempotency_key: str | None = None,
    ) -> shapes.Folder:
        """Move forms into a folder: all of them or, where one is unknown, none."""
        found: shapes.Folder = self._answer(
            "POST",
            f"/forms/customer/{self.customer_id}/folders/{part(folder_id)}/forms",
            query={"dryRun": dry_run or None},
            body=body,
            idempotency_key=idempotency_key,
        )
        return found

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
        """Change a datasource; with `rows`, or a CSV or .xlsx file as the body, replace all its rows."""
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
        body: shapes.RowsGiven | Table,
        *,
        dry_run: bool = False,
        skip_bad_rows: bool | None = None,
        delimiter: str | None = None,
        encoding: str | None = None,
        sheet: str | None = None,
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
        )
        return found

    def upsert_datasource_rows(
        self,
        datasource_id: str,
        body: shapes.RowsGiven | Table,
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
    ) -> Pages[shapes.Import]:
        """List the imports into a datasource, the newest first; also those that failed, and why."""
        return self._listed(
            f"/customers/{self.customer_id}/datasources/{part(datasource_id)}/imports",
            query={"limit": limit},
        )

    @overload
    def create_task(
        self,
        form_id: str,
        body: list[shapes.TaskCreate],
        *,
        dry_run: bool = False,
        idempotency_key: str | None = None,
    ) -> list[shapes.Task]: ...

    @overload
    def create_task(
        self,
        form_id: str,
        body: shapes.TaskCreate,
        *,
        dry_run: bool = False,
        idempotency_key: str | None = None,
    ) -> shapes.Task: ...

    def create_task(
        self,
        form_id: str,
        body: list[shapes.TaskCreate] | shapes.TaskCreate,
        *,
        dry_run: bool = False,
        idempotency_key: str | None = None,
    ) -> list[shapes.Task] | shapes.Task:
        """Create a task: a form that people are to fill, with what is known filled in beforehand. Or up to
        1,000 at once.
        """
        found: list[shapes.Task] | shapes.Task = self._answer(
            "POST",
            f"/customers/{self.customer_id}/{part(form_id)}/tasks",
            query={"dryRun": dry_run or None},
            body=body,
            idempotency_key=idempotency_key,
        )
        return found

    def list_tasks(
        self,
        *,
        form_id: Sequence[str] = (),
        status: Sequence[shapes.TaskStatus] = (),
        user_id: str | None = None,
        group_id: str | None = None,
        external_id: str | None = None,
        due_from: Moment | None = None,
        due_to: Moment | None = None,
        overdue: bool | None = None,
        limit: int | None = None,
    ) -> Pages[shapes.Task]:
        """List the account's tasks in the order in which they were made."""
        return self._listed(
            f"/customers/{self.customer_id}/tasks",
            query={
                "formId": form_id,
                "status": status,
                "userId": user_id,
                "groupId": group_id,
                "externalId": external_id,
                "dueFrom": due_from,
                "dueTo": due_to,
                "overdue": overdue,
                "limit": limit,
            },
        )

    def get_task_counts(
        self,
        *,
        by: Literal["form", "user"] | None = None,
    ) -> shapes.Counts:
        """Count the tasks: how many are open, overdue and completed, for each form or for each person."""
        found: shapes.Counts = self._answer(
            "GET",
            f"/customers/{self.customer_id}/tasks/counts",
            query={"by": by},
        )
        return found

    def get_task(
        self,
        task_id: str,
    ) -> shapes.Task:
        """Read one task, with what each of its recipients has done."""
        found: shapes.Task = self._answer(
            "GET",
            f"/customers/{self.customer_id}/tasks/{part(task_id)}",
        )
        return found

    def update_task(
        self,
        task_id: str,
        body: shapes.TaskUpdate,
        *,
        dry_run: bool = False,
        if_match: str | None = None,
    ) -> shapes.Task:
        """Change a task, or give it to others. Recipients who stay keep what they have done."""
        found: shapes.Task = self._answer(
            "PUT",
            f"/customers/{self.customer_id}/tasks/{part(task_id)}",
            query={"dryRun": dry_run or None},
            body=body,
            if_match=if_match,
        )
        return found

    def change_task(
        self,
        body: shapes.TaskChange,
        *,
        dry_run: bool = False,
    ) -> shapes.Task:
        """Change a task that is named by its `id` or by the caller's own `externalId`."""
        found: shapes.Task = self._answer(
            "PUT",
            "/tasks",
            query={"dryRun": dry_run or None},
            body=body,
        )
        return found

    def revoke_task(
        self,
        task_id: str,
        *,
        dry_run: bool = False,
        idempotency_key: str | None = None,
    ) -> shapes.Task:
        """Take a task back that has not ended. What was sent for it stays."""
        found: shapes.Task = self._answer(
            "POST",
            f"/customers/{self.customer_id}/tasks/{part(task_id)}/revoke",
            query={"dryRun": dry_run or None},
            idempotency_key=idempotency_key,
        )
        return found

    def complete_task(
        self,
        task_id: str,
        *,
        dry_run: bool = False,
        idempotency_key: str | None = None,
    ) -> shapes.Task:
        """Say that a task is done, whoever has answered: the work was done in another way."""
        found: shapes.Task = self._answer(
            "POST",
            f"/customers/{self.customer_id}/tasks/{part(task_id)}/complete",
            query={"dryRun": dry_run or None},
            idempotency_key=idempotency_key,
        )
        return found

    @overload
    def create_invite(
        self,
        body: list[shapes.InviteCreate],
        *,
        dry_run: bool = False,
        idempotency_key: str | None = None,
    ) -> list[shapes.Invite]: ...

    @overload
    def create_invite(
        self,
        body: shapes.InviteCreate,
        *,
        dry_run: bool = False,
        idempotency_key: str | None = None,
    ) -> shapes.Invite: ...

    def create_invite(
        self,
        body: list[shapes.InviteCreate] | shapes.InviteCreate,
        *,
        dry_run: bool = False,
        idempotency_key: str | None = None,
    ) -> list[shapes.Invite] | shapes.Invite:
        """Ask a person to fill a form: she gets a mail with a link that needs no account. Or up to 1,000 at once."""
        found: list[shapes.Invite] | shapes.Invite = self._answer(
            "POST",
            f"/customers/{self.customer_id}/invites",
            query={"dryRun": dry_run or None},
            body=body,
            idempotency_key=idempotency_key,
        )
        return found

    def list_invites(
        self,
        *,
        form_id: Sequence[str] = (),
        status: Sequence[shapes.InviteStatus] = (),
        email: str | None = None,
        user_id: str | None = None,
        external_id: str | None = None,
        from_: Moment | None = None,
        to: Moment | None = None,
        limit: int | None = None,
    ) -> Pages[shapes.Invite]:
        """List the account's invites in the order in which they were made."""
        return self._listed(
            f"/customers/{self.customer_id}/invites",
            query={
                "formId": form_id,
                "status": status,
                "email": email,
                "userId": user_id,
                "externalId": external_id,
                "from": from_,
                "to": to,
                "limit": limit,
            },
        )

    def get_invite(
        self,
        invite_id: str,
    ) -> shapes.Invite:
        """Read one invite."""
        found: shapes.Invite = self._answer(
            "GET",
            f"/customers/{self.customer_id}/invites/{part(invite_id)}",
        )
        return found

    def resend_invite(
        self,
        invite_id: str,
        *,
        dry_run: bool = False,
        idempotency_key: str | None = None,
    ) -> shapes.Invite:
        """Send an invite anew, with a new link that lasts as long as the first was meant to; the links before
        it end.
        """
        found: shapes.Invite = self._answer(
            "POST",
            f"/customers/{self.customer_id}/invites/{part(invite_id)}/resend",
            query={"dryRun": dry_run or None},
            idempotency_key=idempotency_key,
        )
        return found

    def revoke_invite(
        self,
        invite_id: str,
        *,
        dry_run: bool = False,
        idempotency_key: str | None = None,
    ) -> shapes.Invite:
        """Take an invite back: its link ends at once, and a mail that still waits is not sent."""
        found: shapes.Invite = self._answer(
            "POST",
            f"/customers/{self.customer_id}/invites/{part(invite_id)}/revoke",
            query={"dryRun": dry_run or None},
            idempotency_key=idempotency_key,
        )
        return found

    def list_customers(
        self,
        *,
        limit: int | None = None,
    ) -> Pages[shapes.Customer]:
        """List the accounts in reach of the key: the one it was made in."""
        return self._listed(
            "/customers",
            query={"limit": limit},
        )

    def get_customer(
        self,
    ) -> shapes.Customer:
        """Read the account's information."""
        found: shapes.Customer = self._answer(
            "GET",
            f"/customers/{self.customer_id}",
        )
        return found

    def list_users(
        self,
        *,
        status: Sequence[shapes.UserStatus] = (),
        group_id: Sequence[str] = (),
        email: str | None = None,
        limit: int | None = None,
    ) -> Pages[shapes.User]:
        """List the people of the account, the first to come at the front."""
        return self._listed(
            f"/customers/{self.customer_id}/users",
            query={
                "status": status,
                "groupId": group_id,
                "email": email,
                "limit": limit,
            },
        )

    def create_user(
        self,
        body: shapes.UserCreate,
        *,
        dry_run: bool = False,
        idempotency_key: str | None = None,
    ) -> shapes.User:
        """Add a person, who gets a mail with a link to set a password. Until then the status is `INVITED`."""
        found: shapes.User = self._answer(
            "POST",
            f"/customers/{self.customer_id}/users",
            query={"dryRun": dry_run or None},
            body=body,
            idempotency_key=idempotency_key,
        )
        return found

    def get_user(
        self,
        user_id: str,
    ) -> shapes.User:
        """Read one person of the account."""
        found: shapes.User = self._answer(
            "GET",
            f"/customers/{self.customer_id}/users/{part(user_id)}",
        )
        return found

    def change_user(
        self,
        user_id: str,
        body: shapes.UserChange,
        *,
        dry_run: bool = False,
        if_match: str | None = None,
    ) -> shapes.User:
        """Change a person: name, address, language, status, groups, and what is given to the person."""
        found: shapes.User = self._answer(
            "PUT",
            f"/customers/{self.customer_id}/users/{part(user_id)}",
            query={"dryRun": dry_run or None},
            body=body,
            if_match=if_match,
        )
        return found

    def get_user_access(
        self,
        user_id: str,
        *,
        permission: shapes.Permission | None = None,
        form_id: str | None = None,
        folder_id: str | None = None,
    ) -> shapes.Access:
        """Read what a person may do with a form, in a folder or in the account, and which grant allows it."""
        found: shapes.Access = self._answer(
            "GET",
            f"/customers/{self.customer_id}/users/{part(user_id)}/access",
            query={
                "permission": permission,
                "formId": form_id,
                "folderId": folder_id,
            },
        )
        return found

    def list_groups(
        self,
        *,
        user_id: str | None = None,
        limit: int | None = None,
    ) -> Pages[shapes.Group]:
        """List the account's groups in the order in which they were made."""
        return self._listed(
            f"/customers/{self.customer_id}/groups",
            query={
                "userId": user_id,
                "limit": limit,
            },
        )

    def create_group(
        self,
        body: shapes.GroupCreate,
        *,
        dry_run: bool = False,
        idempotency_key: str | None = None,
    ) -> shapes.Group:
        """Make a group. Its members may do what it is given, beside what they are given themselves."""
        found: shapes.Group = self._answer(
            "POST",
            f"/customers/{self.customer_id}/groups",
            query={"dryRun": dry_run or None},
            body=body,
            idempotency_key=idempotency_key,
        )
        return found

    def get_group(
        self,
        group_id: str,
    ) -> shapes.Group:
        """Read one group."""
        found: shapes.Group = self._answer(
            "GET",
            f"/customers/{self.customer_id}/groups/{part(group_id)}",
        )
        return found

    def change_group(
        self,
        group_id: str,
        body: shapes.GroupUpdate,
        *,
        dry_run: bool = False,
        if_match: str | None = None,
    ) -> shapes.Group:
        """Change a group: its name, who is in it, and what it is given."""
        found: shapes.Group = self._answer(
            "PUT",
            f"/customers/{self.customer_id}/groups/{part(group_id)}",
            query={"dryRun": dry_run or None},
            body=body,
            if_match=if_match,
        )
        return found

    def list_roles(
        self,
        *,
        limit: int | None = None,
    ) -> Pages[shapes.Role]:
        """List the account's roles: those that are built in, and its own."""
        return self._listed(
            f"/customers/{self.customer_id}/roles",
            query={"limit": limit},
        )

    def create_role(
        self,
        body: shapes.RoleCreate,
        *,
        dry_run: bool = False,
        idempotency_key: str | None = None,
    ) -> shapes.Role:
        """Make a role of named permissions. It does nothing until it is given to somebody."""
        found: shapes.Role = self._answer(
            "POST",
            f"/customers/{self.customer_id}/roles",
            query={"dryRun": dry_run or None},
            body=body,
            idempotency_key=idempotency_key,
        )
        return found

    def get_role(
        self,
        role_id: str,
    ) -> shapes.Role:
        """Read one role."""
        found: shapes.Role = self._answer(
            "GET",
            f"/customers/{self.customer_id}/roles/{part(role_id)}",
        )
        return found

    def change_role(
        self,
        role_id: str,
        body: shapes.RoleUpdate,
        *,
        dry_run: bool = False,
        if_match: str | None = None,
    ) -> shapes.Role:
        """Change a role of the account's own. Everybody who has it may do so much from then on."""
        found: shapes.Role = self._answer(
            "PUT",
            f"/customers/{self.customer_id}/roles/{part(role_id)}",
            query={"dryRun": dry_run or None},
            body=body,
            if_match=if_match,
        )
        return found

    def replay_events(
        self,
        subscriber_id: str,
        body: shapes.ReplayWish,
        *,
        dry_run: bool = False,
        idempotency_key: str | None = None,
    ) -> shapes.Replayed:
        """Send a part of the log once more: what this subscriber wants of it."""
        found: shapes.Replayed = self._answer(
            "POST",
            f"/webhooks/customer/{self.customer_id}/subscribers/{part(subscriber_id)}/replay",
            query={"dryRun": dry_run or None},
            body=body,
            idempotency_key=idempotency_key,
        )
        return found

    def rotate_secret(
        self,
        subscriber_id: str,
        body: shapes.Rotation,
        *,
        dry_run: bool = False,
        idempotency_key: str | None = None,
    ) -> shapes.SubscriberMade:
        """Give a subscriber another secret, answered here and never again."""
        found: shapes.SubscriberMade = self._answer(
            "POST",
            f"/webhooks/customer/{self.customer_id}/subscribers/{part(subscriber_id)}/rotate-secret",
            query={"dryRun": dry_run or None},
            body=body,
            idempotency_key=idempotency_key,
        )
        return found

    def test_subscriber(
        self,
        subscriber_id: str,
        *,
        dry_run: bool = False,
        idempotency_key: str | None = None,
    ) -> shapes.Invocation:
        """Send a subscriber a test: an event of the type `test`, once, that stands in no log."""
        found: shapes.Invocation = self._answer(
            "POST",
            f"/webhooks/customer/{self.customer_id}/subscribers/{part(subscriber_id)}/test",
            query={"dryRun": dry_run or None},
            idempotency_key=idempotency_key,
        )
        return found

    def retry_invocation(
        self,
        subscriber_id: str,
        invocation_id: str,
        *,
        dry_run: bool = False,
        idempotency_key: str | None = None,
    ) -> shapes.Invocation:
        """Send it now: one that waits is due at once, one that has ended begins its schedule anew."""
        found: shapes.Invocation = self._answer(
            "POST",
            f"/webhooks/customer/{self.customer_id}/subscribers/{part(subscriber_id)}/invocations/{part(invocation_id)}/retry",
            query={"dryRun": dry_run or None},
            idempotency_key=idempotency_key,
        )
        return found

    def cancel_invocation(
        self,
        subscriber_id: str,
        invocation_id: str,
        *,
        dry_run: bool = False,
        if_match: str | None = None,
    ) -> None:
        """Cancel a delivery that waits. It stays in the list as `CANCELLED`."""
        self._done(
            "DELETE",
            f"/webhooks/customer/{self.customer_id}/subscribers/{part(subscriber_id)}/invocations/{part(invocation_id)}",
            query={"dryRun": dry_run or None},
            if_match=if_match,
        )

    def get_invocation(
        self,
        subscriber_id: str,
        invocation_id: str,
    ) -> shapes.Invocation:
        """Read one invocation with its tries."""
        found: shapes.Invocation = self._answer(
            "GET",
            f"/webhooks/customer/{self.customer_id}/subscribers/{part(subscriber_id)}/invocations/{part(invocation_id)}",
        )
        return found

    def create_subscriber(
        self,
        body: shapes.SubscriberCreate,
        *,
        dry_run: bool = False,
        idempotency_key: str | None = None,
    ) -> shapes.SubscriberMade:
        """Register a URL to which the events are sent from here on."""
        found: shapes.SubscriberMade = self._answer(
            "POST",
            "/webhooks/subscribers",
            query={"dryRun": dry_run or None},
            body=body,
            idempotency_key=idempotency_key,
        )
        return found

    def list_subscribers(
        self,
        *,
        limit: int | None = None,
    ) -> Pages[shapes.Subscriber]:
        """List the account's subscribers in the order in which they came."""
        return self._listed(
            f"/webhooks/customer/{self.customer_id}/subscribers",
            query={"limit": limit},
        )

    def get_subscriber(
        self,
        subscriber_id: str,
    ) -> shapes.Subscriber:
        """Read one subscriber; its secret is not shown again."""
        found: shapes.Subscriber = self._answer(
            "GET",
            f"/webhooks/customer/{self.customer_id}/subscribers/{part(subscriber_id)}",
        )
        return found

    def change_subscriber(
        self,
        subscriber_id: str,
        body: shapes.SubscriberChange,
        *,
        dry_run: bool = False,
        if_match: str | None = None,
    ) -> shapes.Subscriber:
        """Change a subscriber, disable or enable it; what is not named stays as it is."""
        found: shapes.Subscriber = self._answer(
            "PUT",
            f"/webhooks/customer/{self.customer_id}/subscribers/{part(subscriber_id)}",
            query={"dryRun": dry_run or None},
            body=body,
            if_match=if_match,
        )
        return found

    def delete_subscriber(
        self,
        subscriber_id: str,
        *,
        dry_run: bool = False,
        if_match: str | None = None,
    ) -> None:
        """Remove a subscriber, with what still waits for it."""
        self._done(
            "DELETE",
            f"/webhooks/customer/{self.customer_id}/subscribers/{part(subscriber_id)}",
            query={"dryRun": dry_run or None},
            if_match=if_match,
        )

    def list_invocations(
        self,
        subscriber_id: str,
        *,
        status: shapes.InvocationStatus | None = None,
        limit: int | None = None,
    ) -> Pages[shapes.Invocation]:
        """List what was and will be sent to a subscriber, the newest first, with every try."""
        return self._listed(
            f"/webhooks/customer/{self.customer_id}/subscribers/{part(subscriber_id)}/invocations",
            query={
                "status": status,
                "limit": limit,
            },
        )

    def get_event(
        self,
        event_id: str,
    ) -> shapes.Event:
        """Read one event, byte for byte as it was sent."""
        found: shapes.Event = self._answer(
            "GET",
            f"/webhooks/customer/{self.customer_id}/events/{part(event_id)}",
        )
        return found

    def list_event_types(
        self,
        *,
        limit: int | None = None,
    ) -> Pages[shapes.EventType]:
        """List the types of events by name, each with what causes it, the JSON Schema of the event, and an example."""
        return self._listed(
            f"/webhooks/customer/{self.customer_id}/event-types",
            query={"limit": limit},
        )

    def reconcile_submissions(
        self,
        body: shapes.Reconciliation,
        *,
        dry_run: bool = False,
        idempotency_key: str | None = None,
    ) -> shapes.Difference:
        """Say what differs: send the id and the revision of each submission that you hold, at most 10,000."""
        found: shapes.Difference = self._answer(
            "POST",
            f"/webhooks/customer/{self.customer_id}/reconcile",
            query={"dryRun": dry_run or None},
            body=body,
            idempotency_key=idempotency_key,
        )
        return found

    def list_reconciliation(
        self,
        *,
        form_id: Sequence[str] = (),
        submitted_from: Moment | None = None,
        submitted_to: Moment | None = None,
        limit: int | None = None,
    ) -> Pages[shapes.Day]:
        """Count the submissions of each form and day, with a checksum over their ids and revisions."""
        return self._listed(
            f"/webhooks/customer/{self.customer_id}/reconcile",
            query={
                "formId": form_id,
                "submittedFrom": submitted_from,
                "submittedTo": submitted_to,
                "limit": limit,
            },
        )

    def list_audit(
        self,
        *,
        actor: str | None = None,
        action: str | None = None,
        resource_type: str | None = None,
        resource_id: str | None = None,
        from_: Moment | None = None,
        to: Moment | None = None,
        limit: int | None = None,
    ) -> Pages[shapes.AuditEntry]:
        """List who did what to what, when and from where, the newest first."""
        return self._listed(
            f"/customers/{self.customer_id}/audit",
            query={
                "actor": actor,
                "action": action,
                "resourceType": resource_type,
                "resourceId": resource_id,
                "from": from_,
                "to": to,
                "limit": limit,
            },
        )

    def list_announcements(
        self,
        *,
        limit: int | None = None,
        kind: Sequence[shapes.AnnouncementKind] = (),
        operation: Sequence[str] = (),
    ) -> Pages[shapes.Announcement]:
        """List the changes of the API that will come, the newest announcement first."""
        return self._listed(
            "/announcements",
            query={
                "limit": limit,
                "kind": kind,
                "operation": operation,
            },
        )
