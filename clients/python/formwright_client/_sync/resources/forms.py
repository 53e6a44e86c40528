"""The methods of `client.forms`."""

# Generated from docs/openapi.json by `make openapi`. Do not edit.

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

from formwright_client import schemas
from formwright_client._sync.paginator import Paginator
from formwright_client._sync.resource import Resource
from formwright_client.encoding import ACCOUNT, UNSET, Timestamp, Unset, Upload, encode_segment


class Forms(Resource):
    """Create, update, publish and import forms."""

    def list_media(self, form_id: str) -> Paginator[schemas.FormMedia]:
        """List the media of a form.

        Returns the files that `media` of fields and options name, in the order of their names, on a single
        page.

        A read-only API key is sufficient. A limited key needs the permission `forms:read`.

        Args:
            form_id: The id of a form.

        Returns:
            An iterable over all items. It requests page after page.

        Raises:
            ApiError: The server rejected the request, e.g. with 404 `form.not_found`.
            NoResponseError: No response arrived.
            ValueError: An id is empty.
        """
        return self._transport.paginate(f"/forms/customer/{ACCOUNT}/forms/{encode_segment(form_id)}/media", query={})

    def add_media(
        self, form_id: str, file: Upload, *, name: str, dry_run: bool = False, idempotency_key: str | None = None
    ) -> schemas.FormMedia:
        """Add a media file to a form.

        The body is an image (JPEG, PNG, WebP or GIF), a sound (MP3, M4A, WAV, Ogg or WebM) or a video (MP4,
        WebM or 3GP) of up to 25 MiB. Fields and options of all versions refer to it by its `name`; a file
        with the same name is replaced. A form can have 500 files and 200 MiB. If storing the file takes more
        than a day, the response is 404 `file.not_found`: send it again.

        Requires an API key with write access. A limited key needs the permission `forms:edit`.

        Args:
            form_id: The id of a form.
            file: The file, such as `Upload(content, "image/jpeg")`.
            name: The name of the file, by which fields and options refer to it. Folders are removed, and an
                extension is added that matches its type.
            dry_run: Validate the request and return the usual result, without changing anything.
            idempotency_key: Repeating a call with the same key within 24 hours returns the original response and
                has no further effect. Default: a new UUID.

        Returns:
            An image, a sound or a video of a form.

        Raises:
            ApiError: The server rejected the request, e.g. with 404 `file.not_found`, 404 `form.not_found`, 409
                `media.limit_reached`, 503 `files.unavailable`.
            NoResponseError: No response arrived.
            ValueError: An id is empty.
        """
        response: schemas.FormMedia = self._transport.request_json(
            "POST",
            f"/forms/customer/{ACCOUNT}/forms/{encode_segment(form_id)}/media",
            query={"name": name, "dryRun": dry_run or None},
            body=file,
            idempotency_key=idempotency_key,
        )
        return response

    def delete_media(self, form_id: str, media_id: str, *, dry_run: bool = False) -> None:
        """Delete a media file of a form.

        Questions and options that name it are shown without it.

        Requires an API key with write access. A limited key needs the permission `forms:edit`.

        Args:
            form_id: The id of a form.
            media_id: The id of a file.
            dry_run: Validate the request and return the usual result, without changing anything.

        Raises:
            ApiError: The server rejected the request, e.g. with 404 `file.not_found`, 404 `form.not_found`.
            NoResponseError: No response arrived.
            ValueError: An id is empty.
        """
        self._transport.request(
            "DELETE",
            f"/forms/customer/{ACCOUNT}/forms/{encode_segment(form_id)}/media/{encode_segment(media_id)}",
            query={"dryRun": dry_run or None},
        )

    def download_media(self, form_id: str) -> bytes:
        """Download the media of a form.

        Returns a ZIP archive with all media, which `importFormMedia` adds to another form. Files whose
        content has been lost are listed in `missing.txt`.

        A read-only API key is sufficient. A limited key needs the permission `forms:read`.

        Args:
            form_id: The id of a form.

        Returns:
            The file.

        Raises:
            ApiError: The server rejected the request, e.g. with 404 `form.not_found`.
            NoResponseError: No response arrived.
            ValueError: An id is empty.
        """
        return self._transport.request_bytes(
            "GET", f"/forms/customer/{ACCOUNT}/forms/{encode_segment(form_id)}/media.zip"
        )

    def import_media(
        self, form_id: str, file: Upload, *, dry_run: bool = False, idempotency_key: str | None = None
    ) -> schemas.FormMediaImport:
        """Add the media in a ZIP archive to a form.

        The archive is one of `downloadFormMedia`, or has been made otherwise; folders and hidden files in it
        are ignored. Each file is added as `client.forms.add_media` does. If any cannot be media, the response names all
        of these files, and none is added.

        Requires an API key with write access. A limited key needs the permission `forms:edit`.

        Args:
            form_id: The id of a form.
            file: The file: `Upload(content, "application/zip")`.
            dry_run: Validate the request and return the usual result, without changing anything.
            idempotency_key: Repeating a call with the same key within 24 hours returns the original response and
                has no further effect. Default: a new UUID.

        Returns:
            The files that an import has added to the media of a form.

        Raises:
            ApiError: The server rejected the request, e.g. with 404 `file.not_found`, 404 `form.not_found`, 409
                `media.limit_reached`, 503 `files.unavailable`.
            NoResponseError: No response arrived.
            ValueError: An id is empty.
        """
        response: schemas.FormMediaImport = self._transport.request_json(
            "POST",
            f"/forms/customer/{ACCOUNT}/forms/{encode_segment(form_id)}/media.zip",
            query={"dryRun": dry_run or None},
            body=file,
            idempotency_key=idempotency_key,
        )
        return response

    def create(
        self,
        *,
        name: str | Unset | None = UNSET,
        fields: Sequence[schemas.AnyField] | Unset | None = UNSET,
        template_id: str | Unset | None = UNSET,
        description: str | Unset | None = UNSET,
        folder_id: str | Unset | None = UNSET,
        tags: Sequence[str] | Unset = UNSET,
        external_id: str | Unset | None = UNSET,
        xform_id: str | Unset | None = UNSET,
        settings: schemas.FormSettings | Unset | None = UNSET,
        public_link: schemas.PublicLinkWrite | Unset | None = UNSET,
        publish: bool | Unset = UNSET,
        dry_run: bool = False,
        idempotency_key: str | None = None,
    ) -> schemas.Form:
        """Create a form.

        Send either `fields` or `template_id`. With `publish: true`, the form opens with its first version at
        `fillPath`; otherwise the version is a draft. All errors in the definition are reported at once, each
        with its pointer.

        Records the event `form.created` and, with `publish`, `form.published`.

        Requires an API key with write access. A limited key needs the permission `forms:edit`.

        Args:
            name: The name. Required with `fields`; default: the template's.
            fields: The fields of the form, in the order in which they are asked; at most 1,500.
            template_id: The template to create the form from, instead of `fields`.
            description: A description for the people who manage forms.
            folder_id: The folder that contains the form, or None at the top level.
            tags: Tags to group forms by.
            external_id: Your own id. Must be unique among the forms of the account.
            xform_id: The `form_id` by which the form is known in XLSForm files. Must be unique within the
                account. Default: made from the name.
            settings: The settings of a form.
            public_link: The limits of the public link and, except `onePer`, of invites. They do not apply to API
                keys and tasks.
            publish: Publish the version, so that people can fill in the form; otherwise it is a draft.
            dry_run: Validate the request and return the usual result, without changing anything.
            idempotency_key: Repeating a call with the same key within 24 hours returns the original response and
                has no further effect. Default: a new UUID.

        Returns:
            A form.

        Raises:
            ApiError: The server rejected the request, e.g. with 409 `form.external_id_taken`.
            NoResponseError: No response arrived.
        """
        response: schemas.Form = self._transport.request_json(
            "POST",
            "/forms",
            query={"dryRun": dry_run or None},
            body={
                "name": name,
                "fields": fields,
                "templateId": template_id,
                "description": description,
                "folderId": folder_id,
                "tags": tags,
                "externalId": external_id,
                "xformId": xform_id,
                "settings": settings,
                "publicLink": public_link,
                "publish": publish,
            },
            idempotency_key=idempotency_key,
        )
        return response

    def list(
        self,
        *,
        name: str | None = None,
        q: str | None = None,
        status: schemas.FormStatus | None = None,
        external_id: str | None = None,
        folder_id: str | None = None,
        datasource_id: str | None = None,
        limit: int | None = None,
        created_from: Timestamp | None = None,
        created_to: Timestamp | None = None,
        updated_from: Timestamp | None = None,
        updated_to: Timestamp | None = None,
        order: Literal["-created", "-updated", "created", "updated"] | None = None,
    ) -> Paginator[schemas.Form]:
        """List forms.

        Returns the forms of the account, by default in order of creation. A form is listed if it matches all
        filters.

        A read-only API key is sufficient. A limited key needs the permission `forms:read`.

        Args:
            name: Only forms with exactly this name.
            q: Only forms whose name contains this text, ignoring case.
            status: Only forms with this status.
            external_id: Your own id for the resource.
            folder_id: The id of a folder.
            datasource_id: The id of a data source.
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
            f"/forms/customer/{ACCOUNT}/forms",
            query={
                "name": name,
                "q": q,
                "status": status,
                "externalId": external_id,
                "folderId": folder_id,
                "datasourceId": datasource_id,
                "limit": limit,
                "createdFrom": created_from,
                "createdTo": created_to,
                "updatedFrom": updated_from,
                "updatedTo": updated_to,
                "order": order,
            },
        )

    def get(self, form_id: str) -> schemas.Form:
        """Get a form.

        The fields are part of its versions: get the version `publishedVersionId` for those that people
        currently fill in.

        A read-only API key is sufficient. A limited key needs the permission `forms:read`.

        Args:
            form_id: The id of a form.

        Returns:
            A form.

        Raises:
            ApiError: The server rejected the request, e.g. with 404 `form.not_found`.
            NoResponseError: No response arrived.
            ValueError: An id is empty.
        """
        response: schemas.Form = self._transport.request_json(
            "GET", f"/forms/customer/{ACCOUNT}/forms/{encode_segment(form_id)}"
        )
        return response

    def update(
        self,
        form_id: str,
        *,
        name: str | Unset = UNSET,
        description: str | Unset = UNSET,
        folder_id: str | Unset | None = UNSET,
        tags: Sequence[str] | Unset = UNSET,
        external_id: str | Unset | None = UNSET,
        xform_id: str | Unset = UNSET,
        status: schemas.FormStatus | Unset = UNSET,
        public_link: schemas.PublicLinkWrite | Unset | None = UNSET,
        fields: Sequence[schemas.AnyField] | Unset = UNSET,
        settings: schemas.FormSettings | Unset = UNSET,
        publish: bool | Unset = UNSET,
        dry_run: bool = False,
        if_match: str | None = None,
    ) -> schemas.Form:
        """Update a form.

        Properties you omit stay unchanged. `fields` and `settings` go into the newest version if that is a
        draft, otherwise into a new draft. `publish: true`, with them or alone, publishes the newest version;
        if that is not a draft, the response is 409 `form.no_draft`. An archived form accepts no submissions;
        set `status` to `ACTIVE` to restore it.

        Records the events `form.updated`, `form.archived` and `form.published` as applicable. Changes to
        drafts record no event.

        Requires an API key with write access. A limited key needs the permission `forms:edit`.

        Args:
            form_id: The id of a form.
            name: The name of the form.
            description: A description for the people who manage forms.
            folder_id: The folder to move the form to; None: the top level.
            tags: Tags to group forms by.
            external_id: Your own id; None removes it.
            xform_id: The `form_id` by which the form is known in XLSForm files. Must be unique within the
                account.
            status: `ARCHIVED`: the form accepts no more submissions. `ACTIVE` restores it.
            public_link: The new limits of the public link, as a whole; None removes all of them.
            fields: The fields of the form, in the order in which they are asked; at most 1,500.
            settings: The new settings, as a whole. They go into the same version as `fields`.
            publish: Publish the newest version, which must be a draft, with the changes of this request.
            dry_run: Validate the request and return the usual result, without changing anything.
            if_match: The ETag of the resource as you have read it, from `etag()`. If the resource has changed
                since, the call fails with 412 `precondition.failed`.

        Returns:
            A form.

        Raises:
            ApiError: The server rejected the request, e.g. with 404 `form.not_found`, 409
                `form.external_id_taken`, 409 `form.no_draft`, 412 `precondition.failed`.
            NoResponseError: No response arrived.
            ValueError: An id is empty.
        """
        response: schemas.Form = self._transport.request_json(
            "PUT",
            f"/forms/customer/{ACCOUNT}/forms/{encode_segment(form_id)}",
            query={"dryRun": dry_run or None},
            body={
                "name": name,
                "description": description,
                "folderId": folder_id,
                "tags": tags,
                "externalId": external_id,
                "xformId": xform_id,
                "status": status,
                "publicLink": public_link,
                "fields": fields,
                "settings": settings,
                "publish": publish,
            },
            if_match=if_match,
        )
        return response

    def delete(
        self, form_id: str, *, permanent: bool | None = None, dry_run: bool = False, if_match: str | None = None
    ) -> schemas.TrashItem:
        """Delete a form.

        Moves the form to the trash, with its versions, submissions, files, tasks and invites: they disappear
        from all lists and counts, and ids of them return 404. Its links show that the form is closed. Its
        tasks and invites pause. You can restore all of it for 30 days; then it is deleted permanently, and
        the event log only keeps the ids.

        Records the event `form.deleted`, but no events for what belongs to the form.

        Requires an API key with write access. A limited key needs the permission `forms:edit`.

        Args:
            form_id: The id of a form.
            permanent: Delete permanently instead of moving to the trash. This cannot be undone. Also deletes what
                is in the trash already.
            dry_run: Validate the request and return the usual result, without changing anything.
            if_match: The ETag of the resource as you have read it, from `etag()`. If the resource has changed
                since, the call fails with 412 `precondition.failed`.

        Returns:
            A deleted resource.

        Raises:
            ApiError: The server rejected the request, e.g. with 404 `form.not_found`, 412 `precondition.failed`.
            NoResponseError: No response arrived.
            ValueError: An id is empty.
        """
        response: schemas.TrashItem = self._transport.request_json(
            "DELETE",
            f"/forms/customer/{ACCOUNT}/forms/{encode_segment(form_id)}",
            query={"permanent": permanent, "dryRun": dry_run or None},
            if_match=if_match,
        )
        return response

    def upsert(
        self,
        *,
        external_id: str,
        name: str | Unset = UNSET,
        description: str | Unset = UNSET,
        folder_id: str | Unset | None = UNSET,
        tags: Sequence[str] | Unset = UNSET,
        xform_id: str | Unset = UNSET,
        status: schemas.FormStatus | Unset = UNSET,
        public_link: schemas.PublicLinkWrite | Unset | None = UNSET,
        fields: Sequence[schemas.AnyField] | Unset = UNSET,
        settings: schemas.FormSettings | Unset = UNSET,
        publish: bool | Unset = UNSET,
        dry_run: bool = False,
    ) -> schemas.Form:
        """Create or update a form by external id.

        Updates the form with this `external_id` as `client.forms.update` does or, if there is none, creates one as
        `client.forms.create` does. If the newest version is published and has the same `fields` and `settings`, no
        other version is created or published.

        Records the events of that operation.

        Requires an API key with write access. A limited key needs the permission `forms:edit`.

        Args:
            external_id: Your own id for the resource.
            name: The name of the form.
            description: A description for the people who manage forms.
            folder_id: The folder to move the form to; None: the top level.
            tags: Tags to group forms by.
            xform_id: The `form_id` by which the form is known in XLSForm files. Must be unique within the
                account.
            status: `ARCHIVED`: the form accepts no more submissions. `ACTIVE` restores it.
            public_link: The new limits of the public link, as a whole; None removes all of them.
            fields: The fields of the form, in the order in which they are asked; at most 1,500.
            settings: The new settings, as a whole. They go into the same version as `fields`.
            publish: Publish the newest version, which must be a draft, with the changes of this request.
            dry_run: Validate the request and return the usual result, without changing anything.

        Returns:
            A form.

        Raises:
            ApiError: The server rejected the request, e.g. with 409 `form.external_id_taken`, 409
                `form.no_draft`.
            NoResponseError: No response arrived.
        """
        response: schemas.Form = self._transport.request_json(
            "PUT",
            f"/forms/customer/{ACCOUNT}/forms/by-external-id",
            query={"dryRun": dry_run or None},
            body={
                "name": name,
                "description": description,
                "folderId": folder_id,
                "tags": tags,
                "xformId": xform_id,
                "status": status,
                "publicLink": public_link,
                "fields": fields,
                "settings": settings,
                "publish": publish,
                "externalId": external_id,
            },
        )
        return response

    def copy(
        self,
        form_id: str,
        *,
        name: str | Unset | None = UNSET,
        folder_id: str | Unset | None = UNSET,
        version_id: str | Unset | None = UNSET,
        publish: bool | Unset = UNSET,
        dry_run: bool = False,
        idempotency_key: str | None = None,
    ) -> schemas.Form:
        """Copy a form.

        Creates a form with the fields and settings of one version of this form: `version_id` or, by default,
        the published version, or the newest draft if none is published. The copy has neither submissions nor
        an external id, and its version is a draft unless you set `publish`. Reading the form takes the
        permission `forms:read`.

        Records the event `form.created` and, with `publish`, `form.published`.

        Requires an API key with write access. A limited key needs the permission `forms:edit`.

        Args:
            form_id: The id of a form.
            name: The name of the copy. Default: that of the form.
            folder_id: The folder for the copy; None: the top level. Default: the folder of the form.
            version_id: The version to copy. Default: the published version, or else the newest draft.
            publish: Publish the version, so that people can fill in the form; otherwise it is a draft.
            dry_run: Validate the request and return the usual result, without changing anything.
            idempotency_key: Repeating a call with the same key within 24 hours returns the original response and
                has no further effect. Default: a new UUID.

        Returns:
            A form.

        Raises:
            ApiError: The server rejected the request, e.g. with 404 `form.not_found`.
            NoResponseError: No response arrived.
            ValueError: An id is empty.
        """
        response: schemas.Form = self._transport.request_json(
            "POST",
            f"/forms/customer/{ACCOUNT}/forms/{encode_segment(form_id)}/copy",
            query={"dryRun": dry_run or None},
            body={"name": name, "folderId": folder_id, "versionId": version_id, "publish": publish},
            idempotency_key=idempotency_key,
        )
        return response

    def get_bundle(self, form_id: str) -> schemas.FormBundle:
        """Export a form as a bundle.

        Returns the published version or, if none is published, the newest draft as a document that
        `client.forms.import_bundle` imports into any account. It contains the name, description, tags, fields, settings
        and texts in all languages, and the names and columns of the data sources that lookups use; neither
        their rows, nor submissions or other versions. A form with lookups also takes the permission
        `datasources:read`.

        A read-only API key is sufficient. A limited key needs the permission `forms:read`.

        Args:
            form_id: The id of a form.

        Returns:
            A form version that other accounts can import.

        Raises:
            ApiError: The server rejected the request, e.g. with 404 `form.not_found`.
            NoResponseError: No response arrived.
            ValueError: An id is empty.
        """
        response: schemas.FormBundle = self._transport.request_json(
            "GET", f"/forms/customer/{ACCOUNT}/forms/{encode_segment(form_id)}/bundle"
        )
        return response

    def import_bundle(
        self,
        *,
        bundle: schemas.FormBundle,
        name: str | Unset | None = UNSET,
        folder_id: str | Unset | None = UNSET,
        datasources: Mapping[str, str] | Unset = UNSET,
        publish: bool | Unset = UNSET,
        dry_run: bool = False,
        idempotency_key: str | None = None,
    ) -> schemas.Form:
        """Import a bundle.

        Creates a form from a bundle that this or another installation has exported. Lookups use the data
        sources of your account with the same names, or those that you name in `datasources`. If some are
        missing, or lack columns that the form uses, nothing is created and the response lists all of them
        (`bundle.datasource_missing`, `bundle.columns_missing`): send `dry_run=True` to find out first. The
        version is a draft unless you set `publish`.

        Records the event `form.created` and, with `publish`, `form.published`.

        Requires an API key with write access. A limited key needs the permission `forms:edit`.

        Args:
            bundle: The bundle, as `client.forms.get_bundle` returned it.
            name: The name of the form. Default: that in the bundle.
            folder_id: The folder for the form. Default: the top level.
            datasources: Data sources of your account to use for lookups, by the name in the bundle. For other
                names, your data source of the same name is used.
            publish: Publish the version, so that people can fill in the form; otherwise it is a draft.
            dry_run: Validate the request and return the usual result, without changing anything.
            idempotency_key: Repeating a call with the same key within 24 hours returns the original response and
                has no further effect. Default: a new UUID.

        Returns:
            A form.

        Raises:
            ApiError: The server rejected the request.
            NoResponseError: No response arrived.
        """
        response: schemas.Form = self._transport.request_json(
            "POST",
            f"/forms/customer/{ACCOUNT}/forms/import-bundle",
            query={"dryRun": dry_run or None},
            body={
                "bundle": bundle,
                "name": name,
                "folderId": folder_id,
                "datasources": datasources,
                "publish": publish,
            },
            idempotency_key=idempotency_key,
        )
        return response

    def get_summary(
        self,
        form_id: str,
        *,
        split_by: str | None = None,
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
    ) -> schemas.FormSummary:
        """Summarize the submissions of a form.

        Counts the submissions that `client.submissions.list` returns for the same filters, and returns for each field
        what suits its `kind`: the count and share of options, the distribution of numbers, answers over time,
        the newest texts and most frequent words. Days and hours are in the time zone of the account.

        Answers are counted by the version that was filled in. Fields that the published version no longer has
        are `removed`, and a field that has changed its kind is returned once for each kind, with the
        `versions` that have it.

        `split_by` adds `split`, which has the same summaries of the submissions with the same answer to a
        single choice.

        All matching submissions are read, so the response can take seconds if there are hundreds of thousands
        of them. It is faster if all fields are indexed and nothing is filtered. With `view`, only the fields
        among its columns are returned, if it has any.

        A read-only API key is sufficient. A limited key needs the permission `submissions:read`.

        Args:
            form_id: The id of a form.
            split_by: The name of a single choice, outside repeats and in the published version, by whose answers
                the submissions are summarized, too.
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
            The summary of the submissions of a form that match the filters.

        Raises:
            ApiError: The server rejected the request, e.g. with 404 `form.not_found`, 404 `view.not_found`, 409
                `submission.search_too_broad`, 503 `submission.search_not_ready`.
            NoResponseError: No response arrived.
            ValueError: An id is empty.
        """
        response: schemas.FormSummary = self._transport.request_json(
            "GET",
            f"/customers/{ACCOUNT}/forms/{encode_segment(form_id)}/summary",
            query={
                "splitBy": split_by,
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
        return response

    def get_receipts(self, form_id: str) -> schemas.FormReceipts:
        """Get the receipt settings of a form.

        Returns to whom emails with a PDF of their answers are sent after they have submitted the form.

        A read-only API key is sufficient. A limited key needs the permission `forms:read`.

        Args:
            form_id: The id of a form.

        Returns:
            To whom the receipts of a form are sent.

        Raises:
            ApiError: The server rejected the request, e.g. with 404 `form.not_found`.
            NoResponseError: No response arrived.
            ValueError: An id is empty.
        """
        response: schemas.FormReceipts = self._transport.request_json(
            "GET", f"/forms/customer/{ACCOUNT}/forms/{encode_segment(form_id)}/receipts"
        )
        return response

    def update_receipts(
        self,
        form_id: str,
        *,
        recipient: schemas.ReceiptRecipient | None,
        field: str | Unset | None = UNSET,
        dry_run: bool = False,
        if_match: str | None = None,
    ) -> schemas.FormReceipts:
        """Set to whom the receipts of a form are sent.

        Each submission that is sent from a page of the form from now on gets one email with a PDF of the
        answers, within a minute or so. Changes of a submission get no other one, and submissions through the
        API and imports get none. In 24 hours, at most 5 receipts of an account are sent to an address, and
        1,000 of a form; the others are left out.

        Requires an API key with write access. A limited key needs the permission `forms:edit`.

        Args:
            form_id: The id of a form.
            recipient: To whom receipts are sent. `RESPONDENT`: the invited person, or the user who responded.
                `FIELD`: the address in the answer to `field`. None: to nobody.
            field: The name of the field with the address, if `recipient` is `FIELD`: of type email or text, and
                not part of a repeat. Answers that are no email address get no receipt.
            dry_run: Validate the request and return the usual result, without changing anything.
            if_match: The ETag of the resource as you have read it, from `etag()`. If the resource has changed
                since, the call fails with 412 `precondition.failed`.

        Returns:
            To whom the receipts of a form are sent.

        Raises:
            ApiError: The server rejected the request, e.g. with 404 `form.not_found`, 412 `precondition.failed`.
            NoResponseError: No response arrived.
            ValueError: An id is empty.
        """
        response: schemas.FormReceipts = self._transport.request_json(
            "PUT",
            f"/forms/customer/{ACCOUNT}/forms/{encode_segment(form_id)}/receipts",
            query={"dryRun": dry_run or None},
            body={"recipient": recipient, "field": field},
            if_match=if_match,
        )
        return response

    def import_xlsform(
        self,
        file: Upload,
        *,
        name: str | None = None,
        folder_id: str | None = None,
        publish: bool | None = None,
        dry_run: bool = False,
        idempotency_key: str | None = None,
    ) -> schemas.ImportedForm:
        """Import a form.

        Creates a form from an XLSForm workbook (.xlsx, .xlsm or .xls). `report` lists, by sheet and row,
        everything that was converted or could not be imported. Without `publish`, the first version is a
        draft. Questions with choices in files (`select_one_from_file`) look up the rows of the data source
        that is named like the file: create it first. Lists in the sheet `external_choices`, and lists of more
        than 1,000 choices, become data sources if you may create some, unless the account has one with such a
        name and exactly these rows.

        Records the event `form.created` and, with `publish`, `form.published`.

        Requires an API key with write access. A limited key needs the permission `forms:edit`.

        Args:
            file: The file, such as `Upload.csv(content)` or `Upload.xlsx(content)`.
            name: The name of the form. Default: the title in the workbook.
            folder_id: The id of a folder.
            publish: Publish the form; otherwise it is a draft.
            dry_run: Validate the request and return the usual result, without changing anything.
            idempotency_key: Repeating a call with the same key within 24 hours returns the original response and
                has no further effect. Default: a new UUID.

        Returns:
            A form that was created from an XLSForm workbook.

        Raises:
            ApiError: The server rejected the request.
            NoResponseError: No response arrived.
        """
        response: schemas.ImportedForm = self._transport.request_json(
            "POST",
            f"/forms/customer/{ACCOUNT}/forms/import",
            query={"name": name, "folderId": folder_id, "publish": publish, "dryRun": dry_run or None},
            body=file,
            idempotency_key=idempotency_key,
        )
        return response

    def restore(self, form_id: str, *, dry_run: bool = False, idempotency_key: str | None = None) -> schemas.Form:
        """Restore a form.

        Takes the form out of the trash with everything that belongs to it. Its links work again, and its
        tasks and invites continue; those that became due in the trash expire or are overdue now. If its
        folder no longer exists, the form is outside of folders. A form that was deleted with its folder is
        restored with the folder (409 `trash.part_of_folder`). A form that is not deleted is returned
        unchanged.

        Records the event `form.restored`. The submissions have not changed, so read them again if you had
        deleted your copies.

        Requires an API key with write access. A limited key needs the permission `forms:edit`.

        Args:
            form_id: The id of a form.
            dry_run: Validate the request and return the usual result, without changing anything.
            idempotency_key: Repeating a call with the same key within 24 hours returns the original response and
                has no further effect. Default: a new UUID.

        Returns:
            A form.

        Raises:
            ApiError: The server rejected the request, e.g. with 404 `form.not_found`, 409
                `form.external_id_taken`, 409 `trash.folder_gone`, 409 `trash.part_of_folder`.
            NoResponseError: No response arrived.
            ValueError: An id is empty.
        """
        response: schemas.Form = self._transport.request_json(
            "POST",
            f"/forms/customer/{ACCOUNT}/forms/{encode_segment(form_id)}/restore",
            query={"dryRun": dry_run or None},
            idempotency_key=idempotency_key,
        )
        return response
