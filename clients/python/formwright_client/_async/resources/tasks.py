"""The methods of `client.tasks`."""

# Generated from docs/openapi.json by `make openapi`. Do not edit.

from __future__ import annotations

import builtins
from collections.abc import Mapping, Sequence
from typing import Any, Literal

from formwright_client import schemas
from formwright_client._async.paginator import AsyncPaginator
from formwright_client._async.resource import AsyncResource
from formwright_client.encoding import ACCOUNT, UNSET, Timestamp, Unset, encode_segment


class AsyncTasks(AsyncResource):
    """Assign forms to users and groups, and follow their progress."""

    async def create_many(
        self,
        form_id: str,
        tasks: Sequence[schemas.TaskCreate],
        *,
        dry_run: bool = False,
        idempotency_key: str | None = None,
    ) -> builtins.list[schemas.Task]:
        """Create several tasks: all of them, or none.

        Assigns a form to users and groups, optionally with pre-filled answers. The members of a group are
        determined when the task is created.

        If the form already has a task with this `externalId`, the response is that task in its current state,
        and none is created. If a task of another form has it, the response is 409 `task.external_id_taken`.

        In `data`, the answer of a lookup is the key of a row. The fields that the lookup maps to are then
        filled in from the row, unless `data` contains them; a cell that does not match its field is left out.
        An unknown key is rejected.

        Error pointers begin with the index of the task.

        Records the event `task.created`, and `task.opened` as soon as the recipients can begin.

        Requires an API key with write access. A limited key needs the permission `tasks:manage`.

        Args:
            form_id: The id of a form.
            tasks: The tasks, at most 1,000.
            dry_run: Validate the request and return the usual result, without changing anything.
            idempotency_key: Repeating a call with the same key within 24 hours returns the original response and
                has no further effect. Default: a new UUID.

        Returns:
            The tasks, in the same order.

        Raises:
            ApiError: The server rejected the request, e.g. with 404 `form.not_found`, 409 `form.archived`, 409
                `form.not_published`, 409 `task.external_id_taken`.
            NoResponseError: No response arrived.
            ValueError: An id is empty.
        """
        response: builtins.list[schemas.Task] = await self._transport.request_json(
            "POST",
            f"/customers/{ACCOUNT}/{encode_segment(form_id)}/tasks",
            query={"dryRun": dry_run or None},
            body=tasks,
            idempotency_key=idempotency_key,
        )
        return response

    async def create(
        self,
        form_id: str,
        *,
        recipients: schemas.TaskRecipients,
        message: str | Unset = UNSET,
        data: Mapping[str, Any] | Unset = UNSET,
        publish_at: Timestamp | Unset | None = UNSET,
        publish_after: str | Unset | None = UNSET,
        due_at: Timestamp | Unset | None = UNSET,
        complete_when: schemas.CompleteWhen | Unset = UNSET,
        external_id: str | Unset | None = UNSET,
        notify: bool | Unset = UNSET,
        remind_before: str | Unset | None = UNSET,
        dry_run: bool = False,
        idempotency_key: str | None = None,
    ) -> schemas.Task:
        """Create a task.

        Assigns a form to users and groups, optionally with pre-filled answers. The members of a group are
        determined when the task is created.

        If the form already has a task with this `external_id`, the response is that task in its current state,
        and none is created. If a task of another form has it, the response is 409 `task.external_id_taken`.

        In `data`, the answer of a lookup is the key of a row. The fields that the lookup maps to are then
        filled in from the row, unless `data` contains them; a cell that does not match its field is left out.
        An unknown key is rejected.

        Records the event `task.created`, and `task.opened` as soon as the recipients can begin.

        Requires an API key with write access. A limited key needs the permission `tasks:manage`.

        Args:
            form_id: The id of a form.
            recipients: The users and groups who fill in the form.
            message: A message to the recipients, shown as plain text.
            data: Pre-filled answers, by field name. The answer of a lookup is the key of a row; the fields in its
                `mapping` are filled in from the row, unless they are included here.
            publish_at: When the recipients can begin. None or a time in the past: now.
            publish_after: The time from now until the recipients can begin, instead of `publish_at`.
            due_at: When the task is due. None: no due time.
            complete_when: `ANY`: one recipient must submit the form. `ALL`: every recipient must.
            external_id: Your own id. If the form already has a task with it, that task is returned.
            notify: Whether recipients are notified by email when the task opens, is due soon, and is overdue.
            remind_before: How long before the due time recipients who have not responded are reminded by email,
                as an ISO 8601 duration. None: no reminder.
            dry_run: Validate the request and return the usual result, without changing anything.
            idempotency_key: Repeating a call with the same key within 24 hours returns the original response and
                has no further effect. Default: a new UUID.

        Returns:
            A form that is assigned to users and groups.

        Raises:
            ApiError: The server rejected the request, e.g. with 404 `form.not_found`, 409 `form.archived`, 409
                `form.not_published`, 409 `task.external_id_taken`.
            NoResponseError: No response arrived.
            ValueError: An id is empty.
        """
        response: schemas.Task = await self._transport.request_json(
            "POST",
            f"/customers/{ACCOUNT}/{encode_segment(form_id)}/tasks",
            query={"dryRun": dry_run or None},
            body={
                "recipients": recipients,
                "message": message,
                "data": data,
                "publishAt": publish_at,
                "publishAfter": publish_after,
                "dueAt": due_at,
                "completeWhen": complete_when,
                "externalId": external_id,
                "notify": notify,
                "remindBefore": remind_before,
            },
            idempotency_key=idempotency_key,
        )
        return response

    def list(
        self,
        *,
        form_id: Sequence[str] = (),
        status: Sequence[schemas.TaskStatus] = (),
        user_id: str | None = None,
        group_id: str | None = None,
        external_id: str | None = None,
        due_from: Timestamp | None = None,
        due_to: Timestamp | None = None,
        overdue: bool | None = None,
        limit: int | None = None,
        created_from: Timestamp | None = None,
        created_to: Timestamp | None = None,
        updated_from: Timestamp | None = None,
        updated_to: Timestamp | None = None,
        order: Literal["-created", "-updated", "created", "updated"] | None = None,
    ) -> AsyncPaginator[schemas.Task]:
        """List tasks.

        Returns tasks, by default in order of creation. A task is listed if it matches all filters.

        A read-only API key is sufficient. A limited key needs the permission `tasks:read`.

        Args:
            form_id: Only tasks for this form. Several are combined with OR.
            status: Only tasks with this status. Several are combined with OR.
            user_id: The id of a user.
            group_id: The id of a group.
            external_id: Your own id for the resource.
            due_from: A `datetime`, or a string in RFC 3339 format, with an offset or `Z`.
            due_to: A `datetime`, or a string in RFC 3339 format, with an offset or `Z`.
            overdue: `true`: only tasks that are overdue and have not ended. `false`: only others.
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
            ApiError: The server rejected the request.
            NoResponseError: No response arrived.
        """
        return self._transport.paginate(
            f"/customers/{ACCOUNT}/tasks",
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
                "createdFrom": created_from,
                "createdTo": created_to,
                "updatedFrom": updated_from,
                "updatedTo": updated_to,
                "order": order,
            },
        )

    async def get_counts(self, *, by: Literal["form", "user"] | None = None) -> schemas.TaskCounts:
        """Count tasks.

        Returns the number of tasks in each state, for each form or for each user. Forms and users without
        tasks are omitted.

        A read-only API key is sufficient. A limited key needs the permission `tasks:read`.

        Args:
            by: Whether to count for each form, or for each recipient.

        Returns:
            Numbers of tasks, for each form or each user that has any.

        Raises:
            ApiError: The server rejected the request.
            NoResponseError: No response arrived.
        """
        response: schemas.TaskCounts = await self._transport.request_json(
            "GET", f"/customers/{ACCOUNT}/tasks/counts", query={"by": by}
        )
        return response

    async def get(self, task_id: str) -> schemas.Task:
        """Get a task.

        `fulfilments` contains the progress of each recipient.

        A read-only API key is sufficient. A limited key needs the permission `tasks:read`.

        Args:
            task_id: The id of a task.

        Returns:
            A form that is assigned to users and groups.

        Raises:
            ApiError: The server rejected the request, e.g. with 404 `task.not_found`.
            NoResponseError: No response arrived.
            ValueError: An id is empty.
        """
        response: schemas.Task = await self._transport.request_json(
            "GET", f"/customers/{ACCOUNT}/tasks/{encode_segment(task_id)}"
        )
        return response

    async def update(
        self,
        task_id: str,
        *,
        recipients: schemas.TaskRecipients | Unset = UNSET,
        message: str | Unset = UNSET,
        data: Mapping[str, Any] | Unset = UNSET,
        publish_at: Timestamp | Unset | None = UNSET,
        due_at: Timestamp | Unset | None = UNSET,
        complete_when: schemas.CompleteWhen | Unset = UNSET,
        notify: bool | Unset = UNSET,
        remind_before: str | Unset | None = UNSET,
        dry_run: bool = False,
        if_match: str | None = None,
    ) -> schemas.Task:
        """Update a task.

        Properties you omit stay unchanged. `recipients` replaces all recipients; those who remain keep their
        progress. A task that is completed, declined or revoked cannot be updated: the response is 409
        `task.ended`.

        Records the event `task.updated`.

        Requires an API key with write access. A limited key needs the permission `tasks:manage`.

        Args:
            task_id: The id of a task.
            recipients: The users and groups who fill in the form.
            message: A message to the recipients, shown as plain text.
            data: Pre-filled answers, by field name. The answer of a lookup is the key of a row; the fields in its
                `mapping` are filled in from the row, unless they are included here.
            publish_at: When the recipients can begin. None or a time in the past: now.
            due_at: When the task is due. None: no due time.
            complete_when: `ANY`: one recipient must submit the form. `ALL`: every recipient must.
            notify: Whether recipients are notified by email when the task opens, is due soon, and is overdue.
            remind_before: How long before the due time recipients who have not responded are reminded by email,
                as an ISO 8601 duration. None: no reminder.
            dry_run: Validate the request and return the usual result, without changing anything.
            if_match: The ETag of the resource as you have read it, from `etag()`. If the resource has changed
                since, the call fails with 412 `precondition.failed`.

        Returns:
            A form that is assigned to users and groups.

        Raises:
            ApiError: The server rejected the request, e.g. with 404 `task.not_found`, 409 `form.archived`, 409
                `form.not_published`, 409 `task.ended`, 412 `precondition.failed`.
            NoResponseError: No response arrived.
            ValueError: An id is empty.
        """
        response: schemas.Task = await self._transport.request_json(
            "PUT",
            f"/customers/{ACCOUNT}/tasks/{encode_segment(task_id)}",
            query={"dryRun": dry_run or None},
            body={
                "recipients": recipients,
                "message": message,
                "data": data,
                "publishAt": publish_at,
                "dueAt": due_at,
                "completeWhen": complete_when,
                "notify": notify,
                "remindBefore": remind_before,
            },
            if_match=if_match,
        )
        return response

    async def update_by_reference(
        self,
        *,
        recipients: schemas.TaskRecipients | Unset = UNSET,
        message: str | Unset = UNSET,
        data: Mapping[str, Any] | Unset = UNSET,
        publish_at: Timestamp | Unset | None = UNSET,
        due_at: Timestamp | Unset | None = UNSET,
        complete_when: schemas.CompleteWhen | Unset = UNSET,
        notify: bool | Unset = UNSET,
        remind_before: str | Unset | None = UNSET,
        id: str | Unset | None = UNSET,
        external_id: str | Unset | None = UNSET,
        dry_run: bool = False,
    ) -> schemas.Task:
        """Update a task by reference.

        Identify the task in the body by exactly one of `id` and `external_id`. Otherwise this is the same as
        `client.tasks.update`, except that it has no `if_match` header.

        Records the event `task.updated`.

        Requires an API key with write access. A limited key needs the permission `tasks:manage`.

        Args:
            recipients: The users and groups who fill in the form.
            message: A message to the recipients, shown as plain text.
            data: Pre-filled answers, by field name. The answer of a lookup is the key of a row; the fields in its
                `mapping` are filled in from the row, unless they are included here.
            publish_at: When the recipients can begin. None or a time in the past: now.
            due_at: When the task is due. None: no due time.
            complete_when: `ANY`: one recipient must submit the form. `ALL`: every recipient must.
            notify: Whether recipients are notified by email when the task opens, is due soon, and is overdue.
            remind_before: How long before the due time recipients who have not responded are reminded by email,
                as an ISO 8601 duration. None: no reminder.
            id: The id of the task.
            external_id: Your own id for the task, instead of `id`.
            dry_run: Validate the request and return the usual result, without changing anything.

        Returns:
            A form that is assigned to users and groups.

        Raises:
            ApiError: The server rejected the request, e.g. with 404 `task.not_found`, 409 `form.archived`, 409
                `form.not_published`, 409 `task.ended`.
            NoResponseError: No response arrived.
        """
        response: schemas.Task = await self._transport.request_json(
            "PUT",
            "/tasks",
            query={"dryRun": dry_run or None},
            body={
                "recipients": recipients,
                "message": message,
                "data": data,
                "publishAt": publish_at,
                "dueAt": due_at,
                "completeWhen": complete_when,
                "notify": notify,
                "remindBefore": remind_before,
                "id": id,
                "externalId": external_id,
            },
        )
        return response

    async def revoke(self, task_id: str, *, dry_run: bool = False, idempotency_key: str | None = None) -> schemas.Task:
        """Revoke a task.

        Ends the task before it is completed. Submissions made for it are kept. If it has already ended, the
        response is 409 `task.ended`.

        Records the event `task.revoked`.

        Requires an API key with write access. A limited key needs the permission `tasks:manage`.

        Args:
            task_id: The id of a task.
            dry_run: Validate the request and return the usual result, without changing anything.
            idempotency_key: Repeating a call with the same key within 24 hours returns the original response and
                has no further effect. Default: a new UUID.

        Returns:
            A form that is assigned to users and groups.

        Raises:
            ApiError: The server rejected the request, e.g. with 404 `task.not_found`, 409 `task.ended`.
            NoResponseError: No response arrived.
            ValueError: An id is empty.
        """
        response: schemas.Task = await self._transport.request_json(
            "POST",
            f"/customers/{ACCOUNT}/tasks/{encode_segment(task_id)}/revoke",
            query={"dryRun": dry_run or None},
            idempotency_key=idempotency_key,
        )
        return response

    async def complete(
        self, task_id: str, *, dry_run: bool = False, idempotency_key: str | None = None
    ) -> schemas.Task:
        """Complete a task.

        Marks a published task as completed, regardless of who has responded; for example, because the work
        was done in another way. Before it is published, the response is 409 `task.not_open`; if it has
        already ended, 409 `task.ended`.

        Records the event `task.completed`.

        Requires an API key with write access. A limited key needs the permission `tasks:manage`.

        Args:
            task_id: The id of a task.
            dry_run: Validate the request and return the usual result, without changing anything.
            idempotency_key: Repeating a call with the same key within 24 hours returns the original response and
                has no further effect. Default: a new UUID.

        Returns:
            A form that is assigned to users and groups.

        Raises:
            ApiError: The server rejected the request, e.g. with 404 `task.not_found`, 409 `task.ended`, 409
                `task.not_open`.
            NoResponseError: No response arrived.
            ValueError: An id is empty.
        """
        response: schemas.Task = await self._transport.request_json(
            "POST",
            f"/customers/{ACCOUNT}/tasks/{encode_segment(task_id)}/complete",
            query={"dryRun": dry_run or None},
            idempotency_key=idempotency_key,
        )
        return response
