"""The methods of `client.files`."""

# Generated from docs/openapi.json by `make openapi`. Do not edit.

from __future__ import annotations

from formwright_client import schemas
from formwright_client._sync.resource import Resource
from formwright_client.encoding import ACCOUNT, Upload, encode_segment


class Files(Resource):
    """Upload files, and read them."""

    def upload(
        self,
        form_id: str,
        file: Upload,
        *,
        field: str,
        name: str | None = None,
        dry_run: bool = False,
        idempotency_key: str | None = None,
    ) -> schemas.UploadedFile:
        """Upload a file.

        The body is the content of the file, of up to 100 MiB, with its media type as the `Content-Type`, and
        not a form (`multipart/form-data`). Use `application/octet-stream` if you do not know the type: the
        extension of `name` or the content then determines it. The content must match the type, and the field
        of the published version must accept it: photos are JPEG, PNG, WebP, HEIC or GIF images, and
        signatures are PNG images.

        Then use the `id` in the answer of a submission: in a list for fields of type `photo` and `file`, by
        itself for a `signature`. A file belongs to one submission. Files that no submission refers to are
        deleted after a day.

        Requires an API key with write access. A limited key needs the permission `submissions:create`.

        Args:
            form_id: The id of a form.
            file: The file, such as `Upload(content, "image/jpeg")`.
            field: The name of the field of type `photo`, `signature` or `file` that the file is for, also one in
                a repeat.
            name: The name of the file. Folders are removed, and an extension is added that matches its type.
            dry_run: Validate the request and return the usual result, without changing anything.
            idempotency_key: Repeating a call with the same key within 24 hours returns the original response and
                has no further effect. Default: a new UUID.

        Returns:
            A photo, a signature or another file.

        Raises:
            ApiError: The server rejected the request, e.g. with 404 `form.not_found`, 409 `file.limit_reached`,
                409 `form.archived`, 409 `form.not_published`, 413 `file.too_large`, 503 `files.unavailable`.
            NoResponseError: No response arrived.
            ValueError: An id is empty.
        """
        response: schemas.UploadedFile = self._transport.request_json(
            "POST",
            f"/customers/{ACCOUNT}/forms/{encode_segment(form_id)}/files",
            query={"field": field, "name": name, "dryRun": dry_run or None},
            body=file,
            idempotency_key=idempotency_key,
        )
        return response

    def get(self, file_id: str) -> schemas.UploadedFile:
        """Get a file.

        Returns its name, type, size and SHA-256, and a download link that needs no API key and expires after
        15 to 20 minutes; call this operation again for a new link.

        A read-only API key is sufficient. A limited key needs the permission `submissions:read`.

        Args:
            file_id: The id of a file.

        Returns:
            A photo, a signature or another file.

        Raises:
            ApiError: The server rejected the request, e.g. with 404 `file.not_found`.
            NoResponseError: No response arrived.
            ValueError: An id is empty.
        """
        response: schemas.UploadedFile = self._transport.request_json(
            "GET", f"/customers/{ACCOUNT}/files/{encode_segment(file_id)}"
        )
        return response
