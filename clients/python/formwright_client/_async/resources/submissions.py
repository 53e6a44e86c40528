"""The methods of `client.submissions`."""

# Generated from docs/openapi.json by `make openapi`. Do not edit.

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from formwright_client import schemas
from formwright_client._async.paginator import AsyncPaginator
from formwright_client._async.resource import AsyncResource
from formwright_client.encoding import ACCOUNT, UNSET, Timestamp, Unset, Upload, encode_segment


class AsyncSubmissions(AsyncResource):
    """Create, list, correct and review submissions."""

    def list(
        self,
        *,
        form_id: Sequence[str] = (),
        order: schemas.SortOrder | None = None,
        fields: Sequence[str] = (),
        limit: int | None = None,
        sort: str | None = None,
        expand: Sequence[Literal["form", "task", "user"]] = (),
        count: bool | None = None,
        folder_id: str | None = None,
        status: Sequence[schemas.SubmissionStatus] = (),
        user_id: str | None = None,
        task_id: str | None = None,
        invite_id: str | None = None,
        external_id: Sequence[str] = (),
        submitted_from: Timestamp | None = None,
        submitted_to: Timestamp | None = None,
        created_from: Timestamp | None = None,
        created_to: Timestamp | None = None,
        updated_from: Timestamp | None = None,
        updated_to: Timestamp | None = None,
        answers: Mapping[str, object] | None = None,
        q: str | None = None,
        view: str | None = None,
    ) -> AsyncPaginator[schemas.Submission]:
        """List submissions.

        A submission is listed if it matches all filters. To keep a copy up to date, use `order="updated"`:
        submissions that change while you page move to the end. Deletions are reported by the event log only.

        Conditions on answers are compared according to the fields of the forms you select with `form_id` or
        `folder_id`, or of all forms if you use neither.

        `view` uses a saved view: its filter and order, and of the answers in `data` only its columns, if it
        has any. What you filter beside it replaces the same filter of the view, and each condition on an
        answer the one with the same name and operator. An unknown view returns 404 `view.not_found`.

        `sort` orders the submissions of one form by the answers to an indexed field.

        `fields` selects answers, and `expand` adds the names of the form, the user and the task.

        `count=True` adds `count`, the number of submissions that match the filters, and `countExceeded`,
        whether there are more than the 10,000 that are counted.

        A read-only API key is sufficient. A limited key needs the permission `submissions:read`.

        Args:
            form_id: Only submissions of this form. Several are combined with OR.
            order: `submitted` orders by the time of submission (or of the start, if not submitted), `updated` by
                the last change; a leading `-` reverses the order. With `updated`, a reader that continues from
                its last cursor misses no change.
            fields: Only the answers of this field in `data`, and its rows in `lookups`. May be repeated, up to
                100 times; empty: no answers. Names that a form does not have are ignored. Replaces the columns of
                `view`.
            limit: The maximum number of items per page.
            sort: Orders the list by the answers to an indexed field: `answers.NAME`, or `-answers.NAME` for the
                reverse order. Only with one form, and for fields with one answer per submission. Texts are
                ordered by code point, and choices by value; submissions without an answer come last.
            expand: Adds `form`, `user` or `task`: the names of what the ids of a submission refer to. Several are
                combined with OR. Requires the permission to read it.
            count: Whether to count the submissions that match the filters, exactly up to 10,000. `next` leaves
                this parameter out, so only the first page is counted.
            folder_id: The id of a folder.
            status: Only submissions with this status. Several are combined with OR.
            user_id: The id of a user.
            task_id: The id of a task.
            invite_id: The id of an invite.
            external_id: Only submissions with this id of yours. May be repeated, up to 100 times.
            submitted_from: A `datetime`, or a string in RFC 3339 format, with an offset or `Z`.
            submitted_to: A `datetime`, or a string in RFC 3339 format, with an offset or `Z`.
            created_from: A `datetime`, or a string in RFC 3339 format, with an offset or `Z`.
            created_to: A `datetime`, or a string in RFC 3339 format, with an offset or `Z`.
            updated_from: A `datetime`, or a string in RFC 3339 format, with an offset or `Z`.
            updated_to: A `datetime`, or a string in RFC 3339 format, with an offset or `Z`.
            answers: Conditions on answers, such as `{"site": "Harbour", "people[gte]": 3}`. All must be met; at
                most 20. The operators are `ne`, `in` (a list of values), `gt`, `gte`, `lt`, `lte` and `contains`;
                which of them are allowed depends on the type of the field.
            q: Only submissions whose text contains all of these words, or longer words with them, in any order,
                without regard to case and accents. The text consists of the answers, with the labels of choices,
                the rows of lookups and the names of files, and of `external_id`. One word must have three letters
                or more (two in scripts without spaces).
            view: The id of a saved view.

        Returns:
            An iterable over all items. It requests page after page.

        Raises:
            ApiError: The server rejected the request, e.g. with 404 `view.not_found`, 409
                `submission.search_too_broad`, 503 `submission.search_not_ready`.
            NoResponseError: No response arrived.
        """
        return self._transport.paginate(
            "/submissions",
            query={
                "formId": form_id,
                "order": order,
                "fields": fields,
                "limit": limit,
                "sort": sort,
                "expand": expand,
                "count": count,
                "folderId": folder_id,
                "status": status,
                "userId": user_id,
                "taskId": task_id,
                "inviteId": invite_id,
                "externalId": external_id,
                "submittedFrom": submitted_from,
                "submittedTo": submitted_to,
                "createdFrom": created_from,
                "createdTo": created_to,
                "updatedFrom": updated_from,
                "updatedTo": updated_to,
                "answers": answers,
                "q": q,
                "view": view,
            },
        )

    async def get(self, submission_id: str) -> schemas.Submission:
        """Get a submission.

        Returns the submission with its answers. For links to its files, use `client.submissions.list_files`.

        A read-only API key is sufficient. A limited key needs the permission `submissions:read`.

        Args:
            submission_id: The id of a submission.

        Returns:
            A filled-in form.

        Raises:
            ApiError: The server rejected the request, e.g. with 404 `submission.not_found`.
            NoResponseError: No response arrived.
            ValueError: An id is empty.
        """
        response: schemas.Submission = await self._transport.request_json(
            "GET", f"/customers/{ACCOUNT}/submissions/{encode_segment(submission_id)}"
        )
        return response

    async def update(
        self,
        submission_id: str,
        *,
        data: Mapping[str, Any] | Unset = UNSET,
        status: schemas.SubmissionReviewStatus | Unset = UNSET,
        external_id: str | Unset | None = UNSET,
        submitted_at: Timestamp | Unset = UNSET,
        user_id: str | Unset | None = UNSET,
        location: schemas.GeoLocation | Unset | None = UNSET,
        note: str | Unset | None = UNSET,
        dry_run: bool = False,
        if_match: str | None = None,
    ) -> schemas.Submission:
        """Update a submission.

        Corrects, approves or rejects a submission. Properties you omit stay unchanged. `data` replaces all
        answers, which are validated against the version they were given for. The previous state is kept as a
        revision. A submission that has only been started cannot be updated: the response is 409
        `submission.not_submitted`.

        Records the event `submission.updated`. A request that changes nothing creates no revision and no
        event.

        Requires an API key with write access. A limited key needs the permission `submissions:edit`.

        Args:
            submission_id: The id of a submission.
            data: All answers by field name. Answers that are missing here are removed.
            status: The statuses that a reviewer can set.
            external_id: Your own id; None removes it.
            submitted_at: A `datetime`, or a string in RFC 3339 format, with an offset or `Z`.
            user_id: The user who filled in the form; None removes it.
            location: Where the form was filled in; None removes it.
            note: The reason for the status. It is shown to the person who filled in the form, and removed when
                the status changes.
            dry_run: Validate the request and return the usual result, without changing anything.
            if_match: The ETag of the resource as you have read it, from `etag()`. If the resource has changed
                since, the call fails with 412 `precondition.failed`.

        Returns:
            A filled-in form.

        Raises:
            ApiError: The server rejected the request, e.g. with 404 `submission.not_found`, 409
                `submission.external_id_taken`, 409 `submission.not_submitted`, 412 `precondition.failed`.
            NoResponseError: No response arrived.
            ValueError: An id is empty.
        """
        response: schemas.Submission = await self._transport.request_json(
            "PUT",
            f"/customers/{ACCOUNT}/submissions/{encode_segment(submission_id)}",
            query={"dryRun": dry_run or None},
            body={
                "data": data,
                "status": status,
                "externalId": external_id,
                "submittedAt": submitted_at,
                "userId": user_id,
                "location": location,
                "note": note,
            },
            if_match=if_match,
        )
        return response

    async def delete(self, submission_id: str, *, dry_run: bool = False, if_match: str | None = None) -> None:
        """Delete a submission.

        Deletes the submission and its revisions immediately, and its files after a day; links to the files
        expire within 15 minutes. Earlier events about it remain in the event log.

        Records the event `submission.deleted`, whose `data` is the last state of the submission.

        Requires an API key with write access. A limited key needs the permission `submissions:edit`.

        Args:
            submission_id: The id of a submission.
            dry_run: Validate the request and return the usual result, without changing anything.
            if_match: The ETag of the resource as you have read it, from `etag()`. If the resource has changed
                since, the call fails with 412 `precondition.failed`.

        Raises:
            ApiError: The server rejected the request, e.g. with 404 `submission.not_found`, 412
                `precondition.failed`.
            NoResponseError: No response arrived.
            ValueError: An id is empty.
        """
        await self._transport.request(
            "DELETE",
            f"/customers/{ACCOUNT}/submissions/{encode_segment(submission_id)}",
            query={"dryRun": dry_run or None},
            if_match=if_match,
        )

    async def create(
        self,
        form_id: str,
        *,
        data: Mapping[str, Any],
        external_id: str | Unset | None = UNSET,
        submitted_at: Timestamp | Unset | None = UNSET,
        user_id: str | Unset | None = UNSET,
        location: schemas.GeoLocation | Unset | None = UNSET,
        device_time: str | Unset | None = UNSET,
        dry_run: bool = False,
        idempotency_key: str | None = None,
    ) -> schemas.Submission:
        """Create a submission.

        Submits answers to the published version of a form. They are validated like the answers of a person,
        and all errors are reported at once, each with its pointer. The answer of a lookup must be the key of
        an existing row; `lookups` keeps the row in its current state, and answers to the fields it maps to
        stay as you send them.

        Use `external_id` to avoid duplicates: if the form already has a submission with the same id, the
        response is 409 `submission.external_id_taken` with the id of that submission in `existingId` and its
        URL in `Location`. A form that has not been published or is archived returns 409 `form.not_published`
        or `form.archived`.

        Records the event `submission.submitted`.

        Requires an API key with write access. A limited key needs the permission `submissions:create`.

        Args:
            form_id: The id of a form.
            data: Answers by field name.
            external_id: Your own id. Must be unique among the submissions of the form.
            submitted_at: When the form was filled in. Default: now.
            user_id: The user who filled in the form.
            location: Where the form was filled in.
            device_time: What `today()` and `now()` show in the rules of the form. Default: `submitted_at` in the
                time zone of the account.
            dry_run: Validate the request and return the usual result, without changing anything.
            idempotency_key: Repeating a call with the same key within 24 hours returns the original response and
                has no further effect. Default: a new UUID.

        Returns:
            A filled-in form.

        Raises:
            ApiError: The server rejected the request, e.g. with 404 `form.not_found`, 409 `form.archived`, 409
                `form.not_published`, 409 `submission.external_id_taken`.
            NoResponseError: No response arrived.
            ValueError: An id is empty.
        """
        response: schemas.Submission = await self._transport.request_json(
            "POST",
            f"/customers/{ACCOUNT}/forms/{encode_segment(form_id)}/submissions",
            query={"dryRun": dry_run or None},
            body={
                "data": data,
                "externalId": external_id,
                "submittedAt": submitted_at,
                "userId": user_id,
                "location": location,
                "deviceTime": device_time,
            },
            idempotency_key=idempotency_key,
        )
        return response

    def list_revisions(
        self, submission_id: str, *, limit: int | None = None
    ) -> AsyncPaginator[schemas.SubmissionRevision]:
        """List the revisions of a submission.

        Returns each state of the submission since it was first submitted, oldest first. The last one is its
        current state.

        A read-only API key is sufficient. A limited key needs the permission `submissions:read`.

        Args:
            submission_id: The id of a submission.
            limit: The maximum number of items per page.

        Returns:
            An iterable over all items. It requests page after page.

        Raises:
            ApiError: The server rejected the request, e.g. with 404 `submission.not_found`.
            NoResponseError: No response arrived.
            ValueError: An id is empty.
        """
        return self._transport.paginate(
            f"/customers/{ACCOUNT}/submissions/{encode_segment(submission_id)}/revisions", query={"limit": limit}
        )

    async def change(
        self,
        *,
        items: Sequence[schemas.AnySubmissionBulk],
        atomic: bool | Unset = UNSET,
        dry_run: bool = False,
        idempotency_key: str | None = None,
    ) -> schemas.SubmissionBulkResult:
        """Change many submissions.

        Creates, updates, reviews and deletes up to 1,000 submissions in one request, in the order of `items`.
        Each item is validated like the request to the single operation, and needs the same permission.

        The response is 200 even if items were rejected: each item of the response has the status of the
        single operation and, if it was rejected, a `problem`. Check `failed`. With `atomic`, one rejected
        item rejects the request: the response is 422 `submission.bulk_rejected`, its `errors` are those of
        all items, and nothing is changed.

        The accepted changes are committed together before the response is sent. If you get no response,
        either all of them were committed or none; repeat the request with the same `idempotency_key` to find
        out.

        Records one event for each change, in the order of `items`: `submission.submitted`,
        `submission.updated` or `submission.deleted`.

        Requires an API key with write access. A limited key needs the permission `submissions:create`.

        Args:
            items: The changes, in their order.
            atomic: Whether to apply all changes or none. Otherwise each is applied or rejected by itself.
            dry_run: Validate the request and return the usual result, without changing anything.
            idempotency_key: Repeating a call with the same key within 24 hours returns the original response and
                has no further effect. Default: a new UUID.

        Returns:
            The results of the items of the request.

        Raises:
            ApiError: The server rejected the request, e.g. with 422 `submission.bulk_rejected`.
            NoResponseError: No response arrived.
        """
        response: schemas.SubmissionBulkResult = await self._transport.request_json(
            "POST",
            f"/customers/{ACCOUNT}/submissions/bulk",
            query={"dryRun": dry_run or None},
            body={"items": items, "atomic": atomic},
            idempotency_key=idempotency_key,
        )
        return response

    def list_comments(
        self, submission_id: str, *, limit: int | None = None
    ) -> AsyncPaginator[schemas.SubmissionComment]:
        """List the comments on a submission.

        Returns the comments of reviewers, oldest first.

        A read-only API key is sufficient. A limited key needs the permission `submissions:read`.

        Args:
            submission_id: The id of a submission.
            limit: The maximum number of items per page.

        Returns:
            An iterable over all items. It requests page after page.

        Raises:
            ApiError: The server rejected the request, e.g. with 404 `submission.not_found`.
            NoResponseError: No response arrived.
            ValueError: An id is empty.
        """
        return self._transport.paginate(
            f"/customers/{ACCOUNT}/submissions/{encode_segment(submission_id)}/comments", query={"limit": limit}
        )

    async def create_comment(
        self,
        submission_id: str,
        *,
        body: str,
        mentions: Sequence[str] | Unset = UNSET,
        dry_run: bool = False,
        idempotency_key: str | None = None,
    ) -> schemas.SubmissionComment:
        """Comment on a submission.

        Adds a comment, which is plain text without leading and trailing white space. Each user in `mentions`,
        except the author, receives an email with a link to the submission; the email contains neither the
        comment nor answers. A user who cannot see the submission cannot be mentioned: the response is 422
        with the error `comment.mention_without_access`. To mention users, you need the permission
        `people:read`.

        A submission can have 500 comments; one more returns 409 `comment.limit_reached`.

        Records the event `comment.created`.

        Requires an API key with write access. A limited key needs the permission `submissions:edit`.

        Args:
            submission_id: The id of a submission.
            body: Plain text. Markup in it is shown as it is.
            mentions: The users to mention, each once. They receive an email, and must be able to see the
                submission.
            dry_run: Validate the request and return the usual result, without changing anything.
            idempotency_key: Repeating a call with the same key within 24 hours returns the original response and
                has no further effect. Default: a new UUID.

        Returns:
            A comment on a submission.

        Raises:
            ApiError: The server rejected the request, e.g. with 404 `submission.not_found`, 409
                `comment.limit_reached`.
            NoResponseError: No response arrived.
            ValueError: An id is empty.
        """
        response: schemas.SubmissionComment = await self._transport.request_json(
            "POST",
            f"/customers/{ACCOUNT}/submissions/{encode_segment(submission_id)}/comments",
            query={"dryRun": dry_run or None},
            body={"body": body, "mentions": mentions},
            idempotency_key=idempotency_key,
        )
        return response

    async def get_comment(self, submission_id: str, comment_id: str) -> schemas.SubmissionComment:
        """Get a comment on a submission.

        A read-only API key is sufficient. A limited key needs the permission `submissions:read`.

        Args:
            submission_id: The id of a submission.
            comment_id: The id of a comment on a submission.

        Returns:
            A comment on a submission.

        Raises:
            ApiError: The server rejected the request, e.g. with 404 `comment.not_found`, 404
                `submission.not_found`.
            NoResponseError: No response arrived.
            ValueError: An id is empty.
        """
        response: schemas.SubmissionComment = await self._transport.request_json(
            "GET",
            f"/customers/{ACCOUNT}/submissions/{encode_segment(submission_id)}/comments/{encode_segment(comment_id)}",
        )
        return response

    async def delete_comment(
        self, submission_id: str, comment_id: str, *, dry_run: bool = False, if_match: str | None = None
    ) -> None:
        """Delete a comment on a submission.

        Deletes a comment that you wrote. For a comment of another user or API key, the response is 403
        `comment.by_other`.

        Records the event `comment.deleted`, whose `data` is the last state of the comment.

        Requires an API key with write access. A limited key needs the permission `submissions:edit`.

        Args:
            submission_id: The id of a submission.
            comment_id: The id of a comment on a submission.
            dry_run: Validate the request and return the usual result, without changing anything.
            if_match: The ETag of the resource as you have read it, from `etag()`. If the resource has changed
                since, the call fails with 412 `precondition.failed`.

        Raises:
            ApiError: The server rejected the request, e.g. with 403 `comment.by_other`, 404 `comment.not_found`,
                404 `submission.not_found`, 412 `precondition.failed`.
            NoResponseError: No response arrived.
            ValueError: An id is empty.
        """
        await self._transport.request(
            "DELETE",
            f"/customers/{ACCOUNT}/submissions/{encode_segment(submission_id)}/comments/{encode_segment(comment_id)}",
            query={"dryRun": dry_run or None},
            if_match=if_match,
        )

    def list_features(
        self,
        *,
        form_id: Sequence[str] = (),
        order: schemas.SortOrder | None = None,
        fields: Sequence[str] = (),
        limit: int | None = None,
        field: str | None = None,
        folder_id: str | None = None,
        status: Sequence[schemas.SubmissionStatus] = (),
        user_id: str | None = None,
        task_id: str | None = None,
        invite_id: str | None = None,
        external_id: Sequence[str] = (),
        submitted_from: Timestamp | None = None,
        submitted_to: Timestamp | None = None,
        created_from: Timestamp | None = None,
        created_to: Timestamp | None = None,
        updated_from: Timestamp | None = None,
        updated_to: Timestamp | None = None,
        answers: Mapping[str, object] | None = None,
        q: str | None = None,
        view: str | None = None,
    ) -> AsyncPaginator[schemas.SubmissionFeature]:
        """List submissions as GeoJSON.

        Returns the submissions that `client.submissions.list` returns for the same filters as features (RFC 7946)
        with their answers as properties. A submission without a position is a feature whose `geometry` is
        null.

        If `field` is in a repeat, each row is a feature with the answers of the row, and `limit` is the
        number of submissions. A submission without rows is a single feature without answers.

        A read-only API key is sufficient. A limited key needs the permission `submissions:read`.

        Args:
            form_id: Only submissions of this form. Several are combined with OR.
            order: `submitted` orders by the time of submission (or of the start, if not submitted), `updated` by
                the last change; a leading `-` reverses the order. With `updated`, a reader that continues from
                its last cursor misses no change.
            fields: Only the answers of this field in `data`, and its rows in `lookups`. May be repeated, up to
                100 times; empty: no answers. Names that a form does not have are ignored. Replaces the columns of
                `view`.
            limit: The maximum number of items per page.
            field: The name of the location, line or area with the positions, or `_location` for where the form
                was filled in. Default: the first of these fields of each form, preferably outside repeats; if
                there is none, `_location`. If the field is in a repeat, each row is a feature.
            folder_id: The id of a folder.
            status: Only submissions with this status. Several are combined with OR.
            user_id: The id of a user.
            task_id: The id of a task.
            invite_id: The id of an invite.
            external_id: Only submissions with this id of yours. May be repeated, up to 100 times.
            submitted_from: A `datetime`, or a string in RFC 3339 format, with an offset or `Z`.
            submitted_to: A `datetime`, or a string in RFC 3339 format, with an offset or `Z`.
            created_from: A `datetime`, or a string in RFC 3339 format, with an offset or `Z`.
            created_to: A `datetime`, or a string in RFC 3339 format, with an offset or `Z`.
            updated_from: A `datetime`, or a string in RFC 3339 format, with an offset or `Z`.
            updated_to: A `datetime`, or a string in RFC 3339 format, with an offset or `Z`.
            answers: Conditions on answers, such as `{"site": "Harbour", "people[gte]": 3}`. All must be met; at
                most 20. The operators are `ne`, `in` (a list of values), `gt`, `gte`, `lt`, `lte` and `contains`;
                which of them are allowed depends on the type of the field.
            q: Only submissions whose text contains all of these words, or longer words with them, in any order,
                without regard to case and accents. The text consists of the answers, with the labels of choices,
                the rows of lookups and the names of files, and of `external_id`. One word must have three letters
                or more (two in scripts without spaces).
            view: The id of a saved view.

        Returns:
            An iterable over all features. It requests page after page.

        Raises:
            ApiError: The server rejected the request, e.g. with 404 `view.not_found`, 409
                `submission.search_too_broad`, 503 `submission.search_not_ready`.
            NoResponseError: No response arrived.
        """
        return self._transport.paginate(
            f"/customers/{ACCOUNT}/submissions.geojson",
            query={
                "formId": form_id,
                "order": order,
                "fields": fields,
                "limit": limit,
                "field": field,
                "folderId": folder_id,
                "status": status,
                "userId": user_id,
                "taskId": task_id,
                "inviteId": invite_id,
                "externalId": external_id,
                "submittedFrom": submitted_from,
                "submittedTo": submitted_to,
                "createdFrom": created_from,
                "createdTo": created_to,
                "updatedFrom": updated_from,
                "updatedTo": updated_to,
                "answers": answers,
                "q": q,
                "view": view,
            },
        )

    async def import_file(
        self,
        form_id: str,
        file: Upload,
        *,
        columns: Mapping[str, str] | None = None,
        skip_unmapped: bool | None = None,
        skip_bad_rows: bool | None = None,
        check_only: bool | None = None,
        silent: bool | None = None,
        time_zone: str | None = None,
        decimal_mark: schemas.DecimalMark | None = None,
        first_in_dates: schemas.DateOrder | None = None,
        delimiter: str | None = None,
        encoding: str | None = None,
        sheet: str | None = None,
        name: str | None = None,
        dry_run: bool = False,
        idempotency_key: str | None = None,
    ) -> schemas.SubmissionImport:
        """Import submissions from a file.

        The body is a CSV, .xlsx or .xls file with a submission in each row and the names of the columns in
        the first row. The import runs in the background: read it with `client.submissions.get_import` until `endedAt`
        is not null.

        Each row is checked as `client.submissions.create` checks a submission, before the first one is written. If a
        row is invalid, nothing is imported, and `errors` names the line, the column and the reason. With
        `skip_bad_rows=True`, the valid rows are imported. If the server stops during the import, another one
        continues, and no row is imported twice.

        The rows of a repeat are JSON in a cell, or in a workbook rows of a sheet with the name of the repeat,
        whose column `id` has the same value as the column `id` of the submission.

        Records the event `submission.submitted` for each submission. With `silent=True`, no webhooks are
        sent.

        Requires an API key with write access. A limited key needs the permission `submissions:create`.

        Args:
            form_id: The id of a form.
            file: The file, such as `Upload.csv(content)` or `Upload.xlsx(content)`.
            columns: Columns by field or property, such as `{"site": "Location"}`. Columns you do not name are
                skipped. Default: columns are mapped by their names, which are those of fields, labels of fields,
                or properties: `externalId`, `submittedAt`, `userId`, `latitude`, `longitude`, `accuracy`, and
                `id`, to which rows of repeats in other sheets refer. Write `columns.answers.userId` for a field
                that has the name of a property.
            skip_unmapped: Whether to skip columns that have the name of no field. Otherwise they are an error.
            skip_bad_rows: Whether to import the valid rows if others are invalid. Otherwise it is all or nothing.
            check_only: Whether to check all rows without importing any.
            silent: Whether to send no webhooks. The events are logged. Requires `webhooks:manage`.
            time_zone: The time zone of times without an offset (IANA). Default: the account's.
            decimal_mark: The decimal mark of the numbers that are text, also in a workbook. Default: decided from
                all of them; numbers such as `1.234` are rejected if it remains unclear.
            first_in_dates: What comes first in dates with slashes, such as `3/4/2026`. Default: decided from all
                of them; such dates are rejected if it remains unclear.
            delimiter: The delimiter of a CSV file. Default: detected.
            encoding: The encoding of a CSV file. Default: by its byte order mark, the `charset` of
                `Content-Type`, or detected. A file whose encoding is not certain is rejected.
            sheet: The sheet with the submissions. Default: the first visible one.
            name: The name of the file, to recognise the import.
            dry_run: Validate the request and return the usual result, without changing anything.
            idempotency_key: Repeating a call with the same key within 24 hours returns the original response and
                has no further effect. Default: a new UUID.

        Returns:
            An import of submissions from a file.

        Raises:
            ApiError: The server rejected the request, e.g. with 404 `form.not_found`, 409 `form.archived`, 409
                `form.not_published`, 409 `import.too_many`, 413 `file.too_large`, 503 `files.unavailable`.
            NoResponseError: No response arrived.
            ValueError: An id is empty.
        """
        response: schemas.SubmissionImport = await self._transport.request_json(
            "POST",
            f"/customers/{ACCOUNT}/forms/{encode_segment(form_id)}/submission-imports",
            query={
                "columns": columns,
                "skipUnmapped": skip_unmapped,
                "skipBadRows": skip_bad_rows,
                "checkOnly": check_only,
                "silent": silent,
                "timeZone": time_zone,
                "decimalMark": decimal_mark,
                "firstInDates": first_in_dates,
                "delimiter": delimiter,
                "encoding": encoding,
                "sheet": sheet,
                "name": name,
                "dryRun": dry_run or None,
            },
            body=file,
            idempotency_key=idempotency_key,
        )
        return response

    def list_imports(
        self, *, limit: int | None = None, form_id: str | None = None
    ) -> AsyncPaginator[schemas.SubmissionImport]:
        """List imports of submissions.

        Returns the imports of the last 30 days, newest first.

        A read-only API key is sufficient. A limited key needs the permission `submissions:read`.

        Args:
            limit: The maximum number of items per page.
            form_id: The id of a form.

        Returns:
            An iterable over all items. It requests page after page.

        Raises:
            ApiError: The server rejected the request.
            NoResponseError: No response arrived.
        """
        return self._transport.paginate(
            f"/customers/{ACCOUNT}/submission-imports", query={"limit": limit, "formId": form_id}
        )

    async def get_import(self, import_id: str) -> schemas.SubmissionImport:
        """Get an import of submissions.

        Returns its status, its progress, and the errors of invalid rows.

        A read-only API key is sufficient. A limited key needs the permission `submissions:read`.

        Args:
            import_id: The id of an import.

        Returns:
            An import of submissions from a file.

        Raises:
            ApiError: The server rejected the request, e.g. with 404 `import.not_found`.
            NoResponseError: No response arrived.
            ValueError: An id is empty.
        """
        response: schemas.SubmissionImport = await self._transport.request_json(
            "GET", f"/customers/{ACCOUNT}/submission-imports/{encode_segment(import_id)}"
        )
        return response

    def list_files(self, submission_id: str, *, limit: int | None = None) -> AsyncPaginator[schemas.SubmissionFile]:
        """List the files of a submission.

        Returns photos, signatures and other files in the order in which they were uploaded. Each has a
        download link that needs no API key and expires after 15 minutes; call this operation again for new
        links.

        A read-only API key is sufficient. A limited key needs the permission `submissions:read`.

        Args:
            submission_id: The id of a submission.
            limit: The maximum number of items per page.

        Returns:
            An iterable over all items. It requests page after page.

        Raises:
            ApiError: The server rejected the request, e.g. with 404 `submission.not_found`.
            NoResponseError: No response arrived.
            ValueError: An id is empty.
        """
        return self._transport.paginate(
            f"/customers/{ACCOUNT}/submissions/{encode_segment(submission_id)}/files", query={"limit": limit}
        )

    async def download_files(
        self,
        *,
        folder_id: str | None = None,
        status: Sequence[schemas.SubmissionStatus] = (),
        user_id: str | None = None,
        task_id: str | None = None,
        invite_id: str | None = None,
        external_id: Sequence[str] = (),
        submitted_from: Timestamp | None = None,
        submitted_to: Timestamp | None = None,
        created_from: Timestamp | None = None,
        created_to: Timestamp | None = None,
        updated_from: Timestamp | None = None,
        updated_to: Timestamp | None = None,
        answers: Mapping[str, object] | None = None,
        q: str | None = None,
        view: str | None = None,
        form_id: Sequence[str] = (),
        order: schemas.SortOrder | None = None,
    ) -> bytes:
        """Download the files of submissions.

        Returns a ZIP archive with the files of all submissions that match the filters, which are those of
        `client.submissions.list`. The archive has a folder for each form, in it one for each submission, named by its
        id, and the names of the files begin with the field: `Site visit/sub_01m7…/photos-2 quay.jpg`, or
        `defects-1-picture-1 crack.jpg` for a field in the first row of a repeat. Files whose content has been
        lost are listed in `missing.txt`.

        The archive is created while it is sent, so its size is not known in advance. An archive that was cut
        off has no directory at its end, and programs reject it.

        A read-only API key is sufficient. A limited key needs the permission `submissions:read`.

        Args:
            folder_id: The id of a folder.
            status: Only submissions with this status. Several are combined with OR.
            user_id: The id of a user.
            task_id: The id of a task.
            invite_id: The id of an invite.
            external_id: Only submissions with this id of yours. May be repeated, up to 100 times.
            submitted_from: A `datetime`, or a string in RFC 3339 format, with an offset or `Z`.
            submitted_to: A `datetime`, or a string in RFC 3339 format, with an offset or `Z`.
            created_from: A `datetime`, or a string in RFC 3339 format, with an offset or `Z`.
            created_to: A `datetime`, or a string in RFC 3339 format, with an offset or `Z`.
            updated_from: A `datetime`, or a string in RFC 3339 format, with an offset or `Z`.
            updated_to: A `datetime`, or a string in RFC 3339 format, with an offset or `Z`.
            answers: Conditions on answers, such as `{"site": "Harbour", "people[gte]": 3}`. All must be met; at
                most 20. The operators are `ne`, `in` (a list of values), `gt`, `gte`, `lt`, `lte` and `contains`;
                which of them are allowed depends on the type of the field.
            q: Only submissions whose text contains all of these words, or longer words with them, in any order,
                without regard to case and accents. The text consists of the answers, with the labels of choices,
                the rows of lookups and the names of files, and of `external_id`. One word must have three letters
                or more (two in scripts without spaces).
            view: The id of a saved view.
            form_id: Only submissions of this form. Several are combined with OR.
            order: The order of the submissions in the archive.

        Returns:
            The file.

        Raises:
            ApiError: The server rejected the request, e.g. with 404 `view.not_found`, 409
                `submission.search_too_broad`, 503 `submission.search_not_ready`.
            NoResponseError: No response arrived.
        """
        return await self._transport.request_bytes(
            "GET",
            f"/customers/{ACCOUNT}/submissions/files.zip",
            query={
                "folderId": folder_id,
                "status": status,
                "userId": user_id,
                "taskId": task_id,
                "inviteId": invite_id,
                "externalId": external_id,
                "submittedFrom": submitted_from,
                "submittedTo": submitted_to,
                "createdFrom": created_from,
                "createdTo": created_to,
                "updatedFrom": updated_from,
                "updatedTo": updated_to,
                "answers": answers,
                "q": q,
                "view": view,
                "formId": form_id,
                "order": order,
            },
        )

    async def get_report(self, submission_id: str) -> bytes:
        """Get the report of a submission.

        Returns a PDF document (A4) with the answers in the structure of the form, in the language of the
        form, with the first 100 photos and signatures, scaled to the page. The `ETag` changes with the
        revision of the submission and with the names that the report shows, so that a client can keep the
        document until then.

        A read-only API key is sufficient. A limited key needs the permission `submissions:read`.

        Args:
            submission_id: The id of a submission.

        Returns:
            The file.

        Raises:
            ApiError: The server rejected the request, e.g. with 404 `submission.not_found`, 409
                `report.template_failed`, 503 `pdf.too_demanding`.
            NoResponseError: No response arrived.
            ValueError: An id is empty.
        """
        return await self._transport.request_bytes(
            "GET", f"/customers/{ACCOUNT}/submissions/{encode_segment(submission_id)}/report.pdf"
        )
