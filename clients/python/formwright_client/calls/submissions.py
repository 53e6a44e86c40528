"""The calls of Submissions.

Made by `make openapi` from docs/openapi.json: change nothing here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

from formwright_client import shapes
from formwright_client.calling import Caller, Moment, part
from formwright_client.paging import Pages


class Submissions(Caller):
    """One a method."""

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
        """List submissions."""
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
        """Get a submission."""
        found: shapes.Submission = self._answer(
            "GET",
            f"/customers/{self.customer_id}/submissions/{part(submission_id)}",
        )
        return found

    def update_submission(
        self,
        submission_id: str,
        body: shapes.SubmissionUpdate,
        *,
        dry_run: bool = False,
        if_match: str | None = None,
    ) -> shapes.Submission:
        """Update a submission."""
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
        """Delete a submission."""
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
        """Create a submission."""
        found: shapes.Submission = self._answer(
            "POST",
            f"/customers/{self.customer_id}/forms/{part(form_id)}/submissions",
            query={"dryRun": dry_run or None},
            body=body,
            idempotency_key=idempotency_key,
        )
        return found

    def list_submission_revisions(
        self,
        submission_id: str,
        *,
        limit: int | None = None,
    ) -> Pages[shapes.SubmissionRevision]:
        """List the revisions of a submission."""
        return self._listed(
            f"/customers/{self.customer_id}/submissions/{part(submission_id)}/revisions",
            query={"limit": limit},
        )

    def list_submission_files(
        self,
        submission_id: str,
        *,
        limit: int | None = None,
    ) -> Pages[shapes.SubmissionFile]:
        """List the files of a submission."""
        return self._listed(
            f"/customers/{self.customer_id}/submissions/{part(submission_id)}/files",
            query={"limit": limit},
        )
