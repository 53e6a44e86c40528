"""Codes of problems, grouped by status: rejected, not found, and limits and failures. `conflicts` has those of 409."""

from formwright.api.error_catalog.entries import ProblemCode, not_found

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
        "`Idempotency-Key` is empty, too long, or contains characters other than visible ASCII.",
        "Send a UUID.",
    ),
    ProblemCode("odata.version", 400, "The client accepts only OData 3 or older.", "Use a client for OData 4."),
    ProblemCode("key.missing", 401, "The request has no `X-Api-Key` header.", "Send an API key in this header."),
    ProblemCode(
        "key.unknown",
        401,
        "The key was mistyped, never existed, or was revoked.",
        "Copy it again, or create a key under Settings, Connections, API keys.",
    ),
    ProblemCode(
        "provisioning.token_missing",
        401,
        "The SCIM request has no Bearer token.",
        "Send the token in the header `Authorization: Bearer …`.",
    ),
    ProblemCode(
        "provisioning.token_unknown",
        401,
        "The SCIM token was mistyped, never existed, or was replaced or revoked.",
        "Create another one under Settings, Sign-in, Provisioning.",
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
        "The user's roles or the limits of the API key do not allow this, or it would change a user with more "
        "permissions.",
        "Use a key, or ask the owner of the account for a role, with the permission named in `detail`.",
    ),
    ProblemCode(
        "odata.disabled",
        403,
        "The OData feed of the account is switched off.",
        "Switch it on under Settings, Connections, OData feed.",
    ),
    ProblemCode("comment.by_other", 403, "Another user or API key wrote the comment.", "Ask the author to delete it."),
    ProblemCode(
        "key.read_only", 403, "The key is read-only, but the operation makes changes.", "Use a key with write access."
    ),
    ProblemCode(
        "user.email_protected",
        403,
        "Only a person who is signed in may change this email address: that of an owner who has a password, or, over "
        "SCIM, also that of a user whom the identity provider did not create and who has not signed in with one.",
        "Change it in the pages, under Users. The old address gets an email.",
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
    not_found(
        "odata.not_found",
        "The OData feed has no such table or row.",
        "Use a name from the [service document](../guides/odata.md#tables).",
    ),
    not_found("route.not_found", "There is no such path.", "Compare it with `/api/v1.0/openapi.json`."),
    not_found(
        "customer.not_found",
        "The `customerId` is not that of the key's account.",
        "`GET /api/v1.0/customers` returns the right one.",
    ),
    not_found(
        "user.not_found",
        "The account has no such user. In `errors`: an id in the body is not that of a user.",
        "List the users: `GET /api/v1.0/customers/{customerId}/users`.",
    ),
    not_found(
        "group.not_found",
        "The account has no such group. In `errors`: an id in `groups` is not that of a group.",
        "List the groups: `GET …/customers/{customerId}/groups`.",
    ),
    not_found(
        "role.not_found",
        "The account has no such role. In `errors`: a `roleId` is not that of a role.",
        "List the roles: `GET …/customers/{customerId}/roles`.",
    ),
    not_found(
        "form.not_found",
        "The account has no such form. In `errors`: an id in `formIds` is not that of a form.",
        "List the forms: `GET /api/v1.0/forms/customer/{customerId}/forms`.",
    ),
    not_found(
        "form.version.not_found", "The form has no such version.", "List the versions: `GET …/forms/{formId}/versions`."
    ),
    not_found(
        "form.lookup.not_found",
        "The form has no lookup with this name. Only when filling in a form.",
        "Reload the page.",
    ),
    not_found(
        "template.not_found",
        "There is no such template, neither in the account nor among the global ones. In `errors`: a `templateId` "
        "is not that of a template.",
        "List the templates: `GET …/templates`.",
    ),
    not_found(
        "question_block.not_found",
        "The account has no such question block.",
        "List the blocks: `GET …/question-blocks`.",
    ),
    not_found(
        "folder.not_found",
        "The account has no such folder. In `errors`: a `folderId` or `parentId` is not that of a folder.",
        "List the folders: `GET …/folders`.",
    ),
    not_found("submission.not_found", "The account has no such submission.", "Check the id: it begins with `sub_`."),
    not_found("comment.not_found", "The submission has no such comment.", "Check the id: it begins with `cmt_`."),
    not_found(
        "bulk_change.not_found",
        "You have not started such a bulk change, or did so more than a day ago. Only in the pages.",
        "Nothing: its changes remain.",
    ),
    not_found(
        "export.not_found",
        "The account has no such export, or you may not read the submissions of its form.",
        "List the exports: `GET /api/v1.0/customers/{customerId}/exports`.",
    ),
    not_found(
        "export_run.not_found",
        "The export has no such run.",
        "List its runs: `GET /api/v1.0/customers/{customerId}/exports/{exportId}/runs`.",
    ),
    not_found(
        "view.not_found",
        "The account has no such saved view, or it is a private view of another user.",
        "List the saved views: `GET /api/v1.0/customers/{customerId}/views`.",
    ),
    not_found(
        "file.not_found",
        "There is no such file, or the link to it is incomplete or was changed.",
        "List the files of the submission again for complete links.",
    ),
    not_found(
        "file.no_thumbnail",
        "The file is not a JPEG, PNG, WebP or GIF image, is damaged, or is larger than 32 MiB or 50 megapixels.",
        "Download the file itself.",
    ),
    not_found(
        "file.content_missing",
        "The content of the file is missing from the file storage.",
        "Report it to the operator: something was deleted from the folder or bucket "
        "([FORMWRIGHT_FILES_URL](settings.md)).",
    ),
    not_found(
        "identity_provider.not_found",
        "The account has no identity provider with this id, or the user is not linked to it. Only in the pages.",
        "Open **Settings › Sign-in**.",
    ),
    not_found(
        "session.not_found", "The session has already ended. Only in the pages.", "Nothing: nobody is signed in there."
    ),
    not_found(
        "person.nothing_found",
        "No data is stored about this person. Only in the pages and on the command line.",
        "Check how you identified the person.",
    ),
    not_found(
        "user.link.ended",
        "The link to set a password was used, has expired, or was replaced by a newer one. Only in the pages.",
        "Request a new link.",
    ),
    not_found("mail.not_found", "The account has no such email. Only in the pages.", "Open Settings › Email."),
    not_found(
        "datasource.upload.not_found",
        "The uploaded file no longer exists: files are deleted after an hour. Only in the pages.",
        "Choose the file again.",
    ),
    not_found(
        "datasource.row.not_found",
        "The data source has no row with this key or, if you restore one, its trash has none.",
        "List its rows with `GET …/rows?key=…`, and those in the trash with `GET …/trash?kind=datasourceRow`.",
    ),
    not_found(
        "trash.not_found",
        "The trash has no such entry any more. Only in the pages.",
        "Check whether somebody has restored it or deleted it permanently.",
    ),
    not_found(
        "datasource.not_found",
        "The account has no such data source.",
        "List the data sources: `GET /api/v1.0/datasources`.",
    ),
    not_found(
        "import.not_found",
        "The account has no such import of submissions. Imports are kept for 30 days.",
        "List the imports: `GET /api/v1.0/customers/{customerId}/submission-imports`.",
    ),
    not_found(
        "invite.not_found",
        "The account has no such invite.",
        "List the invites: `GET /api/v1.0/customers/{customerId}/invites`.",
    ),
    not_found(
        "task.not_found",
        "The account has no task with this `id` or `externalId`.",
        "List the tasks: `GET /api/v1.0/customers/{customerId}/tasks`.",
    ),
    not_found(
        "subscriber.not_found", "The account has no such subscriber.", "List the subscribers: `GET …/subscribers`."
    ),
    not_found(
        "invocation.not_found",
        "The subscriber has no such delivery (invocation).",
        "List the deliveries: `GET …/subscribers/{subscriberId}/invocations`.",
    ),
    not_found(
        "event.not_found",
        "The event log of the account has no such event.",
        "Check the id: it begins with `evt_`. Old events are deleted.",
    ),
    not_found(
        "key.not_found",
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

LIMITS_AND_FAILURES = (
    ProblemCode(
        "odata.delta_expired",
        410,
        "The event log no longer reaches back to the delta link of the OData feed.",
        "Read the whole table again.",
    ),
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
        "url.too_long",
        414,
        "The path has more than 2,048 characters, or the query more than 16 KiB or 200 parameters.",
        "Send fewer or shorter parameters. To write many values, use an operation with a body.",
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
        "submission.bulk_rejected",
        422,
        "At least one item of an `atomic` request was rejected. Nothing was changed.",
        "Correct or remove the items that `errors` names: `/items/3` is the fourth one.",
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
        "One address sent more than 60 requests with unknown keys within a minute. Valid keys still work.",
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
    ProblemCode(
        "headers.too_large",
        431,
        "The request has more than 100 headers, 64 KiB of headers, 50 cookies or 8 KiB of cookies.",
        "Remove headers that the server doesn't need, and cookies that belong to other services.",
    ),
    ProblemCode("server.error", 500, "The server failed unexpectedly.", "Report the `requestId` to the operator."),
    ProblemCode(
        "odata.not_supported",
        501,
        "The OData feed does not support this part of OData.",
        "Use the [supported options](../guides/odata.md#options).",
    ),
    ProblemCode(
        "database.unavailable",
        503,
        "The database cannot be reached or is locked. Nothing was changed.",
        "Retry after `Retry-After` seconds. The operator should check the database.",
    ),
    ProblemCode(
        "database.outcome_unknown",
        503,
        "The database became unavailable during a commit or between two commits of the request, so the change may "
        "or may not have been saved.",
        "Repeat a POST with the same `Idempotency-Key`, or with the same `externalId`: it takes effect once. Repeat a "
        "PUT, or check with a GET. See [uncertain outcomes](conventions.md#uncertain-outcomes).",
    ),
    ProblemCode(
        "submission.search_not_ready",
        503,
        "Submissions of an earlier release are still being prepared for the search with `q`.",
        "Try again in a few minutes.",
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
        "pdf.too_demanding",
        503,
        "Creating the PDF needs more memory or processor time than is allowed, for example because of large photos. A "
        "busy server may succeed later.",
        "Retry after `Retry-After` seconds. If it fails again, get the submission and its files instead.",
    ),
    ProblemCode(
        "service.unavailable",
        503,
        "The service is temporarily unavailable, for a reason that has no code of its own.",
        "Retry after `Retry-After` seconds.",
    ),
)
