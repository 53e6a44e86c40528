"""Codes of problems, grouped by status: rejected, not found, conflicts, and limits and failures."""

from formwright.api.error_catalog.entries import ProblemCode

REJECTED = (
    ProblemCode(
        "request.malformed",
        400,
        "The request is not valid HTTP.",
        "Check how the client builds the request; compare it with a plain HTTP client.",
    ),
    ProblemCode(
        "json.malformed",
        400,
        "The body is not JSON, not UTF-8, nested too deeply, or contains a number of more than 500 digits. `detail` "
        "says which.",
        "Send one complete JSON document.",
    ),
    ProblemCode(
        "query.invalid", 400, "The query contains unknown parameters or invalid values.", "Correct what `errors` lists."
    ),
    ProblemCode(
        "idempotency.key",
        400,
        "`Idempotency-Key` is empty, too long, or contains other than visible ASCII characters.",
        "Send a UUID.",
    ),
    ProblemCode("key.missing", 401, "The request has no `X-Api-Key` header.", "Send an API key in this header."),
    ProblemCode(
        "key.unknown",
        401,
        "The key was mistyped, never existed, or was revoked.",
        "Copy it again, or create a key under Settings, Connections, API keys.",
    ),
    ProblemCode(
        "key.ended",
        401,
        "The key has expired, or it was rotated and its old secret is no longer valid.",
        "Use the new secret, or create a key.",
    ),
    ProblemCode(
        "access.denied",
        403,
        "The user's roles do not allow this, or it would change a user with more permissions. Only in the pages; a "
        "key may do everything the API offers.",
        "Ask the owner of the account for a role with the permission named in `detail`.",
    ),
    ProblemCode(
        "key.read_only", 403, "The key is read-only, but the operation makes changes.", "Use a key with write access."
    ),
    ProblemCode(
        "file.link_ended",
        403,
        "The link to the file has expired: links are valid for 15 minutes.",
        "List the files of the submission again for new links.",
    ),
    ProblemCode(
        "https.required", 403, "The request reached a proxy over plain HTTP.", "Use the same URL with `https://`."
    ),
)

NOT_FOUND = (
    ProblemCode("route.not_found", 404, "There is no such path.", "Compare it with `/api/v1.0/openapi.json`."),
    ProblemCode(
        "customer.not_found",
        404,
        "The `customerId` is not that of the key's account.",
        "`GET /api/v1.0/customers` returns the right one.",
    ),
    ProblemCode(
        "user.not_found",
        404,
        "The account has no such user. In `errors`: an id in the body is not that of a user.",
        "List the users: `GET /api/v1.0/customers/{customerId}/users`.",
    ),
    ProblemCode(
        "group.not_found",
        404,
        "The account has no such group. In `errors`: an id in `groups` is not that of a group.",
        "List the groups: `GET …/customers/{customerId}/groups`.",
    ),
    ProblemCode(
        "role.not_found",
        404,
        "The account has no such role. In `errors`: a `roleId` is not that of a role.",
        "List the roles: `GET …/customers/{customerId}/roles`.",
    ),
    ProblemCode(
        "form.not_found",
        404,
        "The account has no such form. In `errors`: an id in `formIds` is not that of a form.",
        "List the forms: `GET /api/v1.0/forms/customer/{customerId}/forms`.",
    ),
    ProblemCode(
        "form.version.not_found",
        404,
        "The form has no such version.",
        "List the versions: `GET …/forms/{formId}/versions`.",
    ),
    ProblemCode(
        "form.lookup.not_found",
        404,
        "The form has no lookup with this name. Only when filling in a form.",
        "Reload the page.",
    ),
    ProblemCode(
        "template.not_found",
        404,
        "There is no such template, neither in the account nor among the global ones. In `errors`: a `templateId` "
        "is not that of a template.",
        "List the templates: `GET …/templates`.",
    ),
    ProblemCode(
        "folder.not_found",
        404,
        "The account has no such folder. In `errors`: a `folderId` or `parentId` is not that of a folder.",
        "List the folders: `GET …/folders`.",
    ),
    ProblemCode(
        "submission.not_found", 404, "The account has no such submission.", "Check the id: it begins with `sub_`."
    ),
    ProblemCode(
        "file.not_found",
        404,
        "There is no such file, or the link to it is incomplete or was changed.",
        "List the files of the submission again for complete links.",
    ),
    ProblemCode(
        "file.content_missing",
        404,
        "The content of the file is missing from the file storage.",
        "Report it to the operator: something was deleted from the folder or bucket "
        "([FORMWRIGHT_FILES_URL](settings.md)).",
    ),
    ProblemCode(
        "session.not_found",
        404,
        "The session has already ended. Only in the pages.",
        "Nothing: nobody is signed in there.",
    ),
    ProblemCode(
        "person.nothing_found",
        404,
        "No data is stored about this person. Only in the pages and on the command line.",
        "Check how you identified the person.",
    ),
    ProblemCode(
        "user.link.ended",
        404,
        "The link to set a password was used, has expired, or was replaced by a newer one. Only in the pages.",
        "Request a new link.",
    ),
    ProblemCode("mail.not_found", 404, "The account has no such email. Only in the pages.", "Open Settings › Email."),
    ProblemCode(
        "datasource.upload.not_found",
        404,
        "The uploaded file no longer exists: files are deleted after an hour. Only in the pages.",
        "Choose the file again.",
    ),
    ProblemCode(
        "datasource.not_found",
        404,
        "The account has no such data source.",
        "List the data sources: `GET /api/v1.0/datasources`.",
    ),
    ProblemCode(
        "invite.not_found",
        404,
        "The account has no such invite.",
        "List the invites: `GET /api/v1.0/customers/{customerId}/invites`.",
    ),
    ProblemCode(
        "task.not_found",
        404,
        "The account has no task with this `id` or `externalId`.",
        "List the tasks: `GET /api/v1.0/customers/{customerId}/tasks`.",
    ),
    ProblemCode(
        "subscriber.not_found", 404, "The account has no such subscriber.", "List the subscribers: `GET …/subscribers`."
    ),
    ProblemCode(
        "invocation.not_found",
        404,
        "The subscriber has no such delivery (invocation).",
        "List the deliveries: `GET …/subscribers/{subscriberId}/invocations`.",
    ),
    ProblemCode(
        "event.not_found",
        404,
        "The event log of the account has no such event.",
        "Check the id: it begins with `evt_`. Old events are deleted.",
    ),
    ProblemCode(
        "key.not_found",
        404,
        "The account has no such key. Only in the pages and on the command line.",
        "List the keys: `formwright keys list`.",
    ),
    ProblemCode(
        "method.not_allowed",
        405,
        "The path does not support this method.",
        "The `Allow` header lists the methods it supports.",
    ),
    ProblemCode(
        "accept.not_acceptable",
        406,
        "`Accept` excludes the media type of the response.",
        "Allow `application/json` (for an XLSForm, the type of the workbook), or omit the header.",
    ),
    ProblemCode(
        "body.too_slow",
        408,
        "Receiving the body took longer than 30 seconds plus one second per KiB.",
        "Send the body without pauses, over a stable connection; look for a proxy that stalls.",
    ),
)

CONFLICTS = (
    ProblemCode(
        "user.not_invited",
        409,
        "The user has already accepted the invitation, or is disabled. Only in the pages.",
        "Do not invite them again. They can reset a forgotten password on the sign-in page.",
    ),
    ProblemCode(
        "user.second_factor.on",
        409,
        "Two-factor authentication is already on. Only in the pages.",
        "Turn it off first.",
    ),
    ProblemCode(
        "user.second_factor.off", 409, "Two-factor authentication is not on. Only in the pages.", "Start again."
    ),
    ProblemCode(
        "idempotency.reused",
        409,
        "This `Idempotency-Key` was used for this path with a different request within the last 24 hours.",
        "Use a new key for each new request.",
    ),
    ProblemCode(
        "idempotency.running",
        409,
        "The first request with this `Idempotency-Key` is still running.",
        "Retry after `Retry-After` seconds.",
    ),
    ProblemCode(
        "idempotency.unreadable",
        409,
        "The request with this `Idempotency-Key` succeeded within the last 24 hours, but its response can no longer "
        "be decrypted, because the operator has changed the server's secret key.",
        "Look for the resource it created. Use a new key for a new request.",
    ),
    ProblemCode(
        "form.not_published",
        409,
        "The form has no published version, so it cannot be filled in.",
        'Publish a version: `POST …/versions/{versionId}/publish`. Or create forms with `"publish": true`.',
    ),
    ProblemCode(
        "form.no_draft",
        409,
        'The newest version is final, so `"publish": true` has nothing to publish.',
        "Send `fields` or `settings` too, or publish an earlier version: `POST …/versions/{versionId}/publish`.",
    ),
    ProblemCode(
        "form.version.not_draft",
        409,
        "The version is final, and final versions never change.",
        "Create a new version: `POST …/forms/{formId}/versions`.",
    ),
    ProblemCode(
        "form.draft.overtaken",
        409,
        "Somebody else changed the form since the designer loaded it. Only in the designer, which shows `detail`.",
        "Use their version, or save yours as another one: the designer offers both.",
    ),
    ProblemCode(
        "form.archived",
        409,
        "The form is archived and accepts no submissions.",
        'Use another form, or restore it: `PUT …/forms/{formId}` with `"status": "ACTIVE"`.',
    ),
    ProblemCode(
        "template.global",
        409,
        "The template comes with Formwright and cannot be changed.",
        "Create your own from it: `POST …/templates`.",
    ),
    ProblemCode(
        "folder.name_taken", 409, "The parent folder already contains a folder with this name.", "Choose another name."
    ),
    ProblemCode("folder.circle", 409, "The folder would be inside itself.", "Choose another `parentId`."),
    ProblemCode(
        "folder.too_deep", 409, "Folders would be nested more than 20 levels deep.", "Choose a folder further up."
    ),
    ProblemCode(
        "submission.external_id_taken",
        409,
        "The form already has a submission with this `externalId`.",
        "If you are repeating a request, the submission was received before: there is nothing to do. Otherwise use "
        "another id.",
    ),
    ProblemCode(
        "submission.not_submitted",
        409,
        "The submission has only been started, so it cannot be corrected or reviewed.",
        "Wait for the event `submission.submitted`.",
    ),
    ProblemCode(
        "submission.changed",
        409,
        "Somebody else changed the submission since you loaded it. Only in the pages.",
        "Reload the page, then make your change.",
    ),
    ProblemCode(
        "submission.submitted_already",
        409,
        "The page submitted the form a second time, with other answers. Only when filling in a form.",
        "Press Send again to submit them as a separate submission. Invites and tasks accept only one.",
    ),
    ProblemCode(
        "datasource.name_taken", 409, "The account already has a data source with this name.", "Choose another name."
    ),
    ProblemCode(
        "datasource.upload.too_many",
        409,
        "The account has 20 uploaded files that wait to be imported. Only in the pages.",
        "Import or discard one of them, or wait an hour.",
    ),
    ProblemCode(
        "datasource.upload.busy",
        409,
        "The file is being read or imported. Only in the pages.",
        "Wait until that is done.",
    ),
    ProblemCode("datasource.busy", 409, "Another import into the data source is running.", "Retry when it is done."),
    ProblemCode(
        "datasource.not_pulled",
        409,
        "The data source has no `pull` and cannot be refreshed.",
        "Send its rows, or add a `pull`.",
    ),
    ProblemCode(
        "invite.external_id_taken",
        409,
        "The account already has an invite with this `externalId`, for another form or another person.",
        "Use another id.",
    ),
    ProblemCode(
        "invite.ended",
        409,
        "The invite can no longer be revoked or resent; `detail` contains its status.",
        "Create a new invite.",
    ),
    ProblemCode(
        "invite.link_ended",
        409,
        "The link of the invite has ended. Only when filling in a form.",
        "Reload the page: it says why.",
    ),
    ProblemCode(
        "task.external_id_taken",
        409,
        "A task of another form has this `externalId`.",
        "Update that task with `PUT /api/v1.0/tasks`, or use another id.",
    ),
    ProblemCode(
        "task.ended", 409, "The task is completed, declined or revoked; `detail` says which.", "Create a new task."
    ),
    ProblemCode(
        "task.not_open",
        409,
        "The task is `SCHEDULED`: it has not been published yet.",
        "Change `publishAt` with `PUT`, or wait.",
    ),
    ProblemCode(
        "task.answered",
        409,
        "The recipient has already submitted or declined. Only when filling in a form.",
        "Nothing.",
    ),
    ProblemCode(
        "subscriber.is_disabled",
        409,
        "The subscriber is disabled, so nothing is sent to it.",
        'Enable it: `PUT …/subscribers/{subscriberId}` with `"status": "ACTIVE"`.',
    ),
    ProblemCode("subscriber.gone", 409, "The subscriber of this delivery has been deleted.", "Register the URL again."),
    ProblemCode("invocation.ended", 409, "The delivery has ended, so there is nothing to cancel.", "Nothing."),
    ProblemCode("invocation.under_way", 409, "An attempt of the delivery is running.", "Retry in a moment."),
    ProblemCode(
        "invocation.not_kept", 409, "The event of this delivery is no longer stored.", "Read the resource itself."
    ),
    ProblemCode(
        "subscriber.limit_reached", 409, "The account has 100 subscribers.", "Delete one that is no longer used."
    ),
    ProblemCode(
        "file.limit_reached",
        409,
        "200 files or 1 GiB have been uploaded for this form without being part of a submission. Only when filling "
        "in a form.",
        "Submit the forms they belong to. Files without a submission are deleted after a day; the page keeps its "
        "files and retries.",
    ),
    ProblemCode(
        "key.limit_reached",
        409,
        "The account has 20 keys. Only in the pages and on the command line.",
        "Revoke one that is no longer used.",
    ),
    ProblemCode(
        "key.has_ended",
        409,
        "The key has expired and cannot be rotated. Only in the pages and on the command line.",
        "Create another key.",
    ),
    ProblemCode(
        "user.email_taken", 409, "The account already has a user with this email address.", "Use the existing user."
    ),
    ProblemCode(
        "person.too_many",
        409,
        "A person was to be identified by an answer that more than 100,000 submissions have. Only in the pages and "
        "on the command line.",
        "Use an answer that only one person gives.",
    ),
    ProblemCode(
        "person.own_data",
        409,
        "Somebody tried to [erase](../guides/personal-data.md#erase) their own data. Only in the pages.",
        "Ask another person who manages users.",
    ),
    ProblemCode(
        "user.last_owner", 409, "The account would have no owner who can sign in.", "Make another user an owner first."
    ),
    ProblemCode("group.name_taken", 409, "The account already has a group with this name.", "Choose another name."),
    ProblemCode("role.name_taken", 409, "The account already has a role with this name.", "Choose another name."),
    ProblemCode(
        "role.built_in",
        409,
        "Built-in roles cannot be changed.",
        "Create your own role: `POST …/customers/{customerId}/roles`.",
    ),
)

LIMITS_AND_FAILURES = (
    ProblemCode(
        "precondition.failed",
        412,
        "The resource has changed since you read it: its ETag is not that of `If-Match`.",
        "Read it again, apply your change to the current state, and send that with the new `ETag`.",
    ),
    ProblemCode(
        "body.too_large",
        413,
        "The body is larger than 10 MiB or, on the page in which a form is filled in, larger than answers to the "
        "form can be ([limits](conventions.md#limits)).",
        "Send less at a time.",
    ),
    ProblemCode(
        "body.too_complex",
        413,
        "The body contains more than 100,000 values, including lists and objects (1,000,000 with the rows of a data "
        "source; on the page in which a form is filled in, as many as its fields can have).",
        "Send less at a time; send rows as CSV.",
    ),
    ProblemCode(
        "file.too_large",
        413,
        "The file is larger than 100 MiB, or a file of rows is larger than 256 MiB.",
        "Send a smaller file.",
    ),
    ProblemCode(
        "body.media_type",
        415,
        "The operation does not accept the media type of the body, or the body is compressed.",
        "Send `Content-Type: application/json`, uncompressed. Send an XLSForm as "
        "`application/vnd.openxmlformats-officedocument.spreadsheetml.sheet` or `application/vnd.ms-excel`, and "
        "rows as one of these or as `text/csv`.",
    ),
    ProblemCode(
        "file.range",
        416,
        "The requested `Range` begins after the end of the file.",
        "`Content-Range` in the response contains the size of the file.",
    ),
    ProblemCode(
        "host.unknown",
        421,
        "The `Host` header is not a host name of this server.",
        "Use the server's public URL. The operator can add names to [`FORMWRIGHT_ALLOWED_HOSTS`](settings.md).",
    ),
    ProblemCode(
        "request.invalid", 422, "The request body is invalid. Nothing was changed.", "Correct what `errors` lists."
    ),
    ProblemCode(
        "sign_in.too_many",
        429,
        "Too many failed attempts to sign in. Only in the pages.",
        "Wait as long as the page says.",
    ),
    ProblemCode(
        "rate.exceeded",
        429,
        "The key has reached its rate limit.",
        "Wait `Retry-After` seconds. `RateLimit` in each response says what remains; the operator sets the limit "
        "([FORMWRIGHT_RATE_LIMIT](settings.md)).",
    ),
    ProblemCode(
        "rate.unknown_keys",
        429,
        "More than 60 requests with unknown keys came from one address within a minute. Valid keys still work.",
        "Check the key, and wait a minute.",
    ),
    ProblemCode(
        "fill.rate_exceeded",
        429,
        "Too many requests came from one address, or through one fill link, within a minute. Only when filling in a "
        "form; the page keeps the answers and retries.",
        "Wait `Retry-After` seconds. The operator sets the limit ([FORMWRIGHT_FILL_RATE_LIMIT](settings.md)).",
    ),
    ProblemCode(
        "fill.quota_exceeded",
        429,
        "The link of a form, or all links of an account together, have reached their daily quota. Only when filling "
        "in a form; the page keeps the answers and retries. The audit log names the form.",
        "Wait `Retry-After` seconds. The operator sets the quotas ([FORMWRIGHT_LINK_DAILY_MIB and related "
        "settings](settings.md)).",
    ),
    ProblemCode("server.error", 500, "The server failed unexpectedly.", "Report the `requestId` to the operator."),
    ProblemCode(
        "database.unavailable",
        503,
        "The database cannot be reached or is locked. Nothing was changed; if the connection was lost during a "
        "commit, `detail` says that this is unknown.",
        "Retry after `Retry-After` seconds; repeat a POST with the same `Idempotency-Key`. The operator should "
        "check the database.",
    ),
    ProblemCode(
        "storage.full",
        503,
        "The disk is almost full, so uploads and submissions are rejected to keep everything else working. Nothing "
        "was changed.",
        "Retry after `Retry-After` seconds. The operator should free space ([FORMWRIGHT_MIN_FREE_MIB](settings.md)).",
    ),
    ProblemCode(
        "request.timeout",
        503,
        "Processing the request took longer than the operator allows (60 seconds by default). Its changes were "
        "rolled back, unless they were just being committed.",
        "Request less at a time: a smaller `limit`, or fewer conditions. Or retry later; repeat a POST with the "
        "same `Idempotency-Key`.",
    ),
    ProblemCode(
        "files.unavailable",
        503,
        "The folder or bucket with the files is unavailable. Nothing was changed.",
        "Retry after `Retry-After` seconds. The operator should check it ([FORMWRIGHT_FILES_URL](settings.md)).",
    ),
    ProblemCode(
        "service.unavailable",
        503,
        "The service is temporarily unavailable. This is the general form of `database.unavailable`; no other such "
        "error is returned yet.",
        "Retry after `Retry-After` seconds.",
    ),
)
