"""The calls of Tasks.

Made by `make openapi` from docs/openapi.json: change nothing here.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, overload

from formwright_client import shapes
from formwright_client.calling import Caller, Moment, part
from formwright_client.paging import Pages


class Tasks(Caller):
    """One a method."""

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
        """Create a task."""
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
        """List tasks."""
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
    ) -> shapes.TaskCounts:
        """Count tasks."""
        found: shapes.TaskCounts = self._answer(
            "GET",
            f"/customers/{self.customer_id}/tasks/counts",
            query={"by": by},
        )
        return found

    def get_task(
        self,
        task_id: str,
    ) -> shapes.Task:
        """Get a task."""
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
        """Update a task."""
        found: shapes.Task = self._answer(
            "PUT",
            f"/customers/{self.customer_id}/tasks/{part(task_id)}",
            query={"dryRun": dry_run or None},
            body=body,
            if_match=if_match,
        )
        return found

    def update_task_by_reference(
        self,
        body: shapes.TaskUpdateByReference,
        *,
        dry_run: bool = False,
    ) -> shapes.Task:
        """Update a task by reference."""
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
        """Revoke a task."""
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
        """Complete a task."""
        found: shapes.Task = self._answer(
            "POST",
            f"/customers/{self.customer_id}/tasks/{part(task_id)}/complete",
            query={"dryRun": dry_run or None},
            idempotency_key=idempotency_key,
        )
        return found
