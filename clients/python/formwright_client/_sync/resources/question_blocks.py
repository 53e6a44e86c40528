"""The methods of `client.question_blocks`."""

# Generated from docs/openapi.json by `make openapi`. Do not edit.

from __future__ import annotations

from collections.abc import Sequence

from formwright_client import schemas
from formwright_client._sync.paginator import Paginator
from formwright_client._sync.resource import Resource
from formwright_client.encoding import ACCOUNT, UNSET, Unset, encode_segment


class QuestionBlocks(Resource):
    """Manage blocks of questions that many forms use."""

    def list(self, *, limit: int | None = None, q: str | None = None) -> Paginator[schemas.QuestionBlock]:
        """List question blocks.

        Returns the blocks of the question library in order of creation, each with the fields of its newest
        version.

        A read-only API key is sufficient. A limited key needs the permission `forms:read`.

        Args:
            limit: The maximum number of items per page.
            q: Only blocks whose name contains this text, ignoring case.

        Returns:
            An iterable over all items. It requests page after page.

        Raises:
            ApiError: The server rejected the request.
            NoResponseError: No response arrived.
        """
        return self._transport.paginate(f"/forms/customer/{ACCOUNT}/question-blocks", query={"limit": limit, "q": q})

    def create(
        self,
        *,
        name: str,
        fields: Sequence[schemas.AnyField],
        description: str | Unset = UNSET,
        language: str | Unset = UNSET,
        dry_run: bool = False,
        idempotency_key: str | None = None,
    ) -> schemas.QuestionBlock:
        """Create a question block.

        Adds fields to the question library. To use them, copy `fields` to a form and set `block` of each
        field to the id and version of the block and the name of the field in it, so that the form can be
        updated later. `block` of the fields that you send here is dropped: blocks contain no other blocks.

        Records the event `question_block.created`.

        Requires an API key with write access. A limited key needs the permission `forms:edit`.

        Args:
            name: The name of the block.
            fields: The fields of the block, in order. Rules refer to fields of the block.
            description: A description for the people who build forms.
            language: The language of texts that are not translated (BCP 47).
            dry_run: Validate the request and return the usual result, without changing anything.
            idempotency_key: Repeating a call with the same key within 24 hours returns the original response and
                has no further effect. Default: a new UUID.

        Returns:
            A question block.

        Raises:
            ApiError: The server rejected the request.
            NoResponseError: No response arrived.
        """
        response: schemas.QuestionBlock = self._transport.request_json(
            "POST",
            f"/forms/customer/{ACCOUNT}/question-blocks",
            query={"dryRun": dry_run or None},
            body={"name": name, "fields": fields, "description": description, "language": language},
            idempotency_key=idempotency_key,
        )
        return response

    def get(self, block_id: str) -> schemas.QuestionBlock:
        """Get a question block.

        Returns the block with the fields of its newest version.

        A read-only API key is sufficient. A limited key needs the permission `forms:read`.

        Args:
            block_id: The id of a question block.

        Returns:
            A question block.

        Raises:
            ApiError: The server rejected the request, e.g. with 404 `question_block.not_found`.
            NoResponseError: No response arrived.
            ValueError: An id is empty.
        """
        response: schemas.QuestionBlock = self._transport.request_json(
            "GET", f"/forms/customer/{ACCOUNT}/question-blocks/{encode_segment(block_id)}"
        )
        return response

    def update(
        self,
        block_id: str,
        *,
        name: str,
        fields: Sequence[schemas.AnyField],
        description: str | Unset = UNSET,
        language: str | Unset = UNSET,
        dry_run: bool = False,
        if_match: str | None = None,
    ) -> schemas.QuestionBlock:
        """Update a question block.

        Replaces the block: optional properties you omit get their default values. If `fields` or `language`
        differ, they become a new version. Earlier versions remain available. Forms that use the block do not
        change: `client.question_blocks.list_forms` returns those for which an update is available.

        Records the event `question_block.updated`, unless nothing changes.

        Requires an API key with write access. A limited key needs the permission `forms:edit`.

        Args:
            block_id: The id of a question block.
            name: The name of the block.
            fields: The fields of the block, in order. Rules refer to fields of the block.
            description: A description for the people who build forms.
            language: The language of texts that are not translated (BCP 47).
            dry_run: Validate the request and return the usual result, without changing anything.
            if_match: The ETag of the resource as you have read it, from `etag()`. If the resource has changed
                since, the call fails with 412 `precondition.failed`.

        Returns:
            A question block.

        Raises:
            ApiError: The server rejected the request, e.g. with 404 `question_block.not_found`, 412
                `precondition.failed`.
            NoResponseError: No response arrived.
            ValueError: An id is empty.
        """
        response: schemas.QuestionBlock = self._transport.request_json(
            "PUT",
            f"/forms/customer/{ACCOUNT}/question-blocks/{encode_segment(block_id)}",
            query={"dryRun": dry_run or None},
            body={"name": name, "fields": fields, "description": description, "language": language},
            if_match=if_match,
        )
        return response

    def delete(
        self, block_id: str, *, permanent: bool | None = None, dry_run: bool = False, if_match: str | None = None
    ) -> schemas.TrashItem:
        """Delete a question block.

        Moves the block to the trash with all of its versions. Forms keep the questions.

        Records the event `question_block.deleted`.

        Requires an API key with write access. A limited key needs the permission `forms:edit`.

        Args:
            block_id: The id of a question block.
            permanent: Delete permanently instead of moving to the trash. This cannot be undone. Also deletes what
                is in the trash already.
            dry_run: Validate the request and return the usual result, without changing anything.
            if_match: The ETag of the resource as you have read it, from `etag()`. If the resource has changed
                since, the call fails with 412 `precondition.failed`.

        Returns:
            A deleted resource.

        Raises:
            ApiError: The server rejected the request, e.g. with 404 `question_block.not_found`, 412
                `precondition.failed`.
            NoResponseError: No response arrived.
            ValueError: An id is empty.
        """
        response: schemas.TrashItem = self._transport.request_json(
            "DELETE",
            f"/forms/customer/{ACCOUNT}/question-blocks/{encode_segment(block_id)}",
            query={"permanent": permanent, "dryRun": dry_run or None},
            if_match=if_match,
        )
        return response

    def list_versions(
        self, block_id: str, *, limit: int | None = None, number: int | None = None
    ) -> Paginator[schemas.QuestionBlockVersion]:
        """List the versions of a question block.

        Returns all versions in the order of their numbers. Versions never change.

        A read-only API key is sufficient. A limited key needs the permission `forms:read`.

        Args:
            block_id: The id of a question block.
            limit: The maximum number of items per page.
            number: The number of a version, beginning with 1.

        Returns:
            An iterable over all items. It requests page after page.

        Raises:
            ApiError: The server rejected the request, e.g. with 404 `question_block.not_found`.
            NoResponseError: No response arrived.
            ValueError: An id is empty.
        """
        return self._transport.paginate(
            f"/forms/customer/{ACCOUNT}/question-blocks/{encode_segment(block_id)}/versions",
            query={"limit": limit, "number": number},
        )

    def list_forms(self, block_id: str, *, limit: int | None = None) -> Paginator[schemas.QuestionBlockUse]:
        """List the forms that use a question block.

        Returns the forms with fields of the block in their published version or newest draft, in order of
        creation, with the versions of the block that they use. A limited key only sees its forms.

        A read-only API key is sufficient. A limited key needs the permission `forms:read`.

        Args:
            block_id: The id of a question block.
            limit: The maximum number of items per page.

        Returns:
            An iterable over all items. It requests page after page.

        Raises:
            ApiError: The server rejected the request, e.g. with 404 `question_block.not_found`.
            NoResponseError: No response arrived.
            ValueError: An id is empty.
        """
        return self._transport.paginate(
            f"/forms/customer/{ACCOUNT}/question-blocks/{encode_segment(block_id)}/forms", query={"limit": limit}
        )

    def restore(
        self, block_id: str, *, dry_run: bool = False, idempotency_key: str | None = None
    ) -> schemas.QuestionBlock:
        """Restore a question block.

        Takes the block out of the trash with all of its versions. A block that is not deleted is returned
        unchanged.

        Records the event `question_block.restored`.

        Requires an API key with write access. A limited key needs the permission `forms:edit`.

        Args:
            block_id: The id of a question block.
            dry_run: Validate the request and return the usual result, without changing anything.
            idempotency_key: Repeating a call with the same key within 24 hours returns the original response and
                has no further effect. Default: a new UUID.

        Returns:
            A question block.

        Raises:
            ApiError: The server rejected the request, e.g. with 404 `question_block.not_found`.
            NoResponseError: No response arrived.
            ValueError: An id is empty.
        """
        response: schemas.QuestionBlock = self._transport.request_json(
            "POST",
            f"/forms/customer/{ACCOUNT}/question-blocks/{encode_segment(block_id)}/restore",
            query={"dryRun": dry_run or None},
            idempotency_key=idempotency_key,
        )
        return response
