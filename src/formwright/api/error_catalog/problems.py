"""What is not there, or not in this way.

What does not go together with what is there.

What is overtaken, too much or of another type, and what fails on our side.

What is refused before it is looked up: what cannot be read, keys that are not known, what is not allowed.
"""

from formwright.api.error_catalog.entries import ProblemCode

ABSENT = (
    ProblemCode("route.not_found", 404, "There is no such path.", "Compare with `/api/v1.0/openapi.json`."),
    ProblemCode(
        "customer.not_found",
        404,
        "The `customerId` is not the account of the key.",
        "`GET /api/v1.0/customers` names the right one.",
    ),
    ProblemCode(
        "user.not_found",
        404,
        "No such user in this account. In `errors`: an id in the body names nobody.",
        "List the users: `GET /api/v1.0/customers/{customerId}/users`.",
    ),
    ProblemCode(
        "group.not_found",
        404,
        "No such group in this account. In `errors`: a `groups` entry names none.",
        "List them: `GET …/customers/{customerId}/groups`.",
    ),
    ProblemCode(
        "role.not_found",
        404,
        "No such role in this account. In `errors`: a `roleId` names none.",
        "List them: `GET …/customers/{customerId}/roles`.",
    ),
    ProblemCode(
        "form.not_found",
        404,
        "No such form in this account. In `errors`: a `formIds` entry names none.",
        "List the forms: `GET /api/v1.0/forms/customer/{customerId}/forms`.",
    ),
    ProblemCode(
        "form.version.not_found", 404, "The form has no such version.", "List them: `GET …/forms/{formId}/versions`."
    ),
    ProblemCode(
        "form.lookup.not_found",
        404,
        "The form has no lookup of this name. Met while filling a form.",
        "Load the page again.",
    ),
    ProblemCode(
        "template.not_found",
        404,
        "There is no such template, neither in this account nor among the global ones. In `errors`: a "
        "`templateId` names none.",
        "List them: `GET …/templates`.",
    ),
    ProblemCode(
        "folder.not_found",
        404,
        "No such folder in this account. In `errors`: a `folderId` or `parentId` names none.",
        "List them: `GET …/folders`.",
    ),
    ProblemCode(
        "submission.not_found", 404, "No such submission in this account.", "Check the id; it begins with `sub_`."
    ),
    ProblemCode(
        "file.not_found",
        404,
        "There is no such file, or the link to it was changed or cut off.",
        "List the files of the submission again: each has a whole link.",
    ),
    ProblemCode(
        "file.content_missing",
        404,
        "The file is known, and its content is not where files are kept.",
        "Tell the operator: something was removed from the folder or the bucket ([FORMWRIGHT_FILES_URL](settings.md)).",
    ),
    ProblemCode(
        "session.not_found",
        404,
        "This session has ended already. Met in the pages.",
        "Nothing: nobody is signed in there.",
    ),
    ProblemCode(
        "person.nothing_found",
        404,
        "Nothing is kept of this person. Met in the pages and on the command line.",
        "Look at how the person is named.",
    ),
    ProblemCode(
        "user.link.ended",
        404,
        "A link to set a password was used, has ended, or was replaced by a newer one. Met in the pages.",
        "Ask for a new one.",
    ),
    ProblemCode("mail.not_found", 404, "No such mail in this account. Met in the pages.", "Open Settings › Mail."),
    ProblemCode(
        "datasource.upload.not_found",
        404,
        "The file is no longer there: files wait for an hour. Met in the pages.",
        "Choose the file once more.",
    ),
    ProblemCode(
        "datasource.not_found", 404, "No such datasource in this account.", "List them: `GET /api/v1.0/datasources`."
    ),
    ProblemCode(
        "invite.not_found", 404, "No invite has this id.", "List them: `GET /api/v1.0/customers/{customerId}/invites`."
    ),
    ProblemCode(
        "task.not_found",
        404,
        "No task has this `id` or `externalId`.",
        "List them: `GET /api/v1.0/customers/{customerId}/tasks`.",
    ),
    ProblemCode("subscriber.not_found", 404, "No such subscriber in this account.", "List them: `GET …/subscribers`."),
    ProblemCode(
        "invocation.not_found",
        404,
        "This subscriber has no such invocation.",
        "List them: `GET …/subscribers/{subscriberId}/invocations`.",
    ),
    ProblemCode("event.not_found", 404, "The account's log has no such event.", "Check the id; it begins with `evt_`."),
    ProblemCode(
        "key.not_found",
        404,
        "No such key in this account. Met in the pages and on the command line.",
        "List them: `formwright keys list`.",
    ),
    ProblemCode(
        "method.not_allowed",
        405,
        "The path does not take this method.",
        "The header `Allow` names those that it takes.",
    ),
    ProblemCode(
        "accept.not_acceptable",
        406,
        "`Accept` does not allow what this endpoint answers with.",
        "Allow `application/json`, for an XLSForm its own type, or leave the header out.",
    ),
    ProblemCode(
        "body.too_slow",
        408,
        "The body took longer than 30 seconds and one more for each KiB of it.",
        "Send it whole, over a connection that holds; look for a proxy that stalls.",
    ),
)


CONFLICTS = (
    ProblemCode(
        "user.not_invited",
        409,
        "The person has come in already, or was disabled. Met in the pages.",
        "Send no invitation; a forgotten password is set anew from the page to sign in.",
    ),
    ProblemCode(
        "user.second_factor.on", 409, "The second factor is on already. Met in the pages.", "Switch it off first."
    ),
    ProblemCode("user.second_factor.off", 409, "The second factor is not on. Met in the pages.", "Begin anew."),
    ProblemCode(
        "idempotency.reused",
        409,
        "This `Idempotency-Key` came to this path with another request within the last day.",
        "Take a new one for each new request.",
    ),
    ProblemCode(
        "idempotency.running",
        409,
        "The first request with this `Idempotency-Key` is still under way.",
        "Send it again after `Retry-After` seconds.",
    ),
    ProblemCode(
        "idempotency.unreadable",
        409,
        "The request with this `Idempotency-Key` was done within the last day. What it was answered cannot be read any"
        " more, as the operator has changed the server's secret key since.",
        "Look for what it made; take a new key for a new request.",
    ),
    ProblemCode(
        "form.not_published",
        409,
        "The form has only a draft, so nobody can answer it.",
        'Publish a version: `POST …/versions/{versionId}/publish`. Or make forms with `"publish": true`.',
    ),
    ProblemCode(
        "form.no_draft",
        409,
        'The newest version is final, so `"publish": true` has nothing to publish.',
        "Send `fields` or `settings` along, or publish an earlier version: `POST …/versions/{versionId}/publish`.",
    ),
    ProblemCode(
        "form.version.not_draft",
        409,
        "The version is final, and a final version never changes.",
        "Make a new one: `POST …/forms/{formId}/versions`.",
    ),
    ProblemCode(
        "form.draft.overtaken",
        409,
        "Someone else changed the form since the designer read it. Met in the designer, which shows `detail`.",
        "Take theirs, or keep yours beside it: the designer offers both.",
    ),
    ProblemCode(
        "form.archived",
        409,
        "The form takes no more submissions.",
        'Use another form, or take it back: `PUT …/forms/{formId}` with `"status": "ACTIVE"`.',
    ),
    ProblemCode(
        "template.global",
        409,
        "The template comes with the program and belongs to nobody.",
        "Make one of your own from it: `POST …/templates`.",
    ),
    ProblemCode("folder.name_taken", 409, "A folder of this name is in the same place.", "Choose another name."),
    ProblemCode("folder.circle", 409, "The folder would lie in itself or below itself.", "Choose another `parentId`."),
    ProblemCode("folder.too_deep", 409, "The folder would be more than 20 levels deep.", "Put it further up."),
    ProblemCode(
        "submission.external_id_taken",
        409,
        "This form has a submission with this `externalId`.",
        "It came in before: nothing is to be done if you send it again. Otherwise choose another id.",
    ),
    ProblemCode(
        "submission.not_submitted",
        409,
        "The submission was only begun, so it cannot be corrected or judged.",
        "Wait until it is sent: `submission.submitted` tells.",
    ),
    ProblemCode(
        "submission.changed",
        409,
        "Someone else changed the submission since it was read. Met in the pages.",
        "Read it again, and change it then.",
    ),
    ProblemCode(
        "submission.submitted_already",
        409,
        "The page sent a filled form again, with other answers. Met while filling a form.",
        "Press Send once more: they are sent as a submission of their own. An invite or a task takes no second one.",
    ),
    ProblemCode("datasource.name_taken", 409, "The account has a datasource of this name.", "Choose another name."),
    ProblemCode(
        "datasource.upload.too_many",
        409,
        "20 files of the account wait to be imported. Met in the pages.",
        "Import or discard one of them, or wait an hour.",
    ),
    ProblemCode(
        "datasource.upload.busy",
        409,
        "The file is being read or imported right now. Met in the pages.",
        "Wait until that is done.",
    ),
    ProblemCode(
        "datasource.busy", 409, "Rows are being imported into the datasource right now.", "Try again when that is done."
    ),
    ProblemCode(
        "datasource.not_pulled",
        409,
        "A datasource without a `pull` was to be refreshed.",
        "Send its rows, or give it a `pull`.",
    ),
    ProblemCode(
        "invite.external_id_taken",
        409,
        "The account has an invite with this `externalId`, for another form or another person.",
        "Choose another id.",
    ),
    ProblemCode(
        "invite.ended",
        409,
        "The invite is in a state in which it can no longer be revoked, or sent again; `detail` names it.",
        "Make a new invite.",
    ),
    ProblemCode(
        "invite.link_ended",
        409,
        "The link of the invite has ended. Met while filling a form.",
        "Load the page again: it says why.",
    ),
    ProblemCode(
        "task.external_id_taken",
        409,
        "A task of another form has this `externalId`.",
        "Change that one with `PUT /api/v1.0/tasks`, or choose another id.",
    ),
    ProblemCode(
        "task.ended", 409, "The task is completed, declined or revoked; `detail` says which.", "Make a new task."
    ),
    ProblemCode(
        "task.not_open",
        409,
        "The task is `SCHEDULED`: it is not published yet.",
        "Give it another `publishAt` with `PUT`, or wait.",
    ),
    ProblemCode(
        "task.answered",
        409,
        "The recipient has sent or declined it already. Met while filling a form.",
        "Nothing is to be done.",
    ),
    ProblemCode(
        "subscriber.is_disabled",
        409,
        "The subscriber is disabled, so nothing is sent to it.",
        'Enable it: `PUT …/subscribers/{subscriberId}` with `"status": "ACTIVE"`.',
    ),
    ProblemCode("subscriber.gone", 409, "The subscriber of this delivery was deleted.", "Register the URL anew."),
    ProblemCode("invocation.ended", 409, "The delivery has ended; there is nothing to cancel.", "Nothing."),
    ProblemCode("invocation.under_way", 409, "The delivery is being sent at this moment.", "Try again in a moment."),
    ProblemCode(
        "invocation.not_kept", 409, "The event of this delivery is not kept any more.", "Read the resource itself."
    ),
    ProblemCode(
        "subscriber.limit_reached", 409, "The account has 100 subscribers.", "Delete one that is no longer used."
    ),
    ProblemCode(
        "file.limit_reached",
        409,
        "200 files or 1 GiB were uploaded for this form that no submission names. Met while filling a form.",
        "Send the forms they belong to. What no submission names is cleared away after a day; the page keeps the "
        "files and tries again.",
    ),
    ProblemCode(
        "key.limit_reached",
        409,
        "The account has 20 keys. Met in the pages and on the command line.",
        "Revoke one that is no longer used.",
    ),
    ProblemCode(
        "key.has_ended",
        409,
        "A key whose last day is over gets no new secret. Met in the pages and on the command line.",
        "Add another key.",
    ),
    ProblemCode("user.email_taken", 409, "The account has a user with this address.", "Use the user who is there."),
    ProblemCode(
        "person.too_many",
        409,
        "An answer was to name a person, and more than 100,000 submissions have it. Met in the pages and on the "
        "command line.",
        "Name an answer that only one person gives.",
    ),
    ProblemCode(
        "person.own_data",
        409,
        "Somebody would [erase](../guides/personal-data.md#erase) herself. Met in the pages.",
        "Ask another person who manages people.",
    ),
    ProblemCode(
        "user.last_owner",
        409,
        "Nobody who can sign in would be an owner of the account.",
        "Make somebody else an owner first.",
    ),
    ProblemCode("group.name_taken", 409, "The account has a group of this name.", "Choose another name."),
    ProblemCode("role.name_taken", 409, "The account has a role of this name.", "Choose another name."),
    ProblemCode(
        "role.built_in",
        409,
        "A built-in role was to be changed.",
        "Make one of your own: `POST …/customers/{customerId}/roles`.",
    ),
)


LIMITS = (
    ProblemCode(
        "precondition.failed",
        412,
        "The resource is no longer as `If-Match` says: somebody changed it meanwhile.",
        "Read it again, apply your change to what it is now, and send that with the new `ETag`.",
    ),
    ProblemCode(
        "body.too_large",
        413,
        "The body is larger than 10 MiB or, for the page in which a form is filled, larger than any answers to this "
        "form can be ([limits](conventions.md#limits)).",
        "Send less at once.",
    ),
    ProblemCode(
        "body.too_complex",
        413,
        "The body holds more than 100,000 values, lists and objects included (1,000,000 with the rows of a "
        "datasource; for the page in which a form is filled, as many as answers to its fields can have).",
        "Send less at once; send rows as CSV.",
    ),
    ProblemCode(
        "file.too_large", 413, "A file has more than 100 MiB, or one of rows more than 256 MiB.", "Send a smaller one."
    ),
    ProblemCode(
        "body.media_type",
        415,
        "The body is not declared as what the endpoint takes, or it is compressed.",
        "Send `Content-Type: application/json`, uncompressed. An XLSForm is sent as "
        "`application/vnd.openxmlformats-officedocument.spreadsheetml.sheet` or `application/vnd.ms-excel`, rows as "
        "one of these or as `text/csv`.",
    ),
    ProblemCode(
        "file.range",
        416,
        "The part of the file that `Range` asks for begins behind its end.",
        "`Content-Range` of the answer says how long the file is.",
    ),
    ProblemCode(
        "host.unknown",
        421,
        "The `Host` header names a host that is not one of this server.",
        "Call the server by its public address. The operator adds further names to "
        "[`FORMWRIGHT_ALLOWED_HOSTS`](settings.md).",
    ),
    ProblemCode(
        "request.invalid",
        422,
        "The body was understood and cannot be accepted.",
        "Mend what `errors` names. Nothing was changed.",
    ),
    ProblemCode("sign_in.too_many", 429, "Guessing is slowed. Met in the pages.", "Wait as long as the page says."),
    ProblemCode(
        "rate.exceeded",
        429,
        "The key has asked as often as it may within a minute.",
        "Wait `Retry-After` seconds. `RateLimit` in each answer says what is left; the operator sets the limit "
        "([FORMWRIGHT_RATE_LIMIT](settings.md)).",
    ),
    ProblemCode(
        "rate.unknown_keys",
        429,
        "More than 60 requests with unknown keys came from one address within a minute. Keys that are known are "
        "served on.",
        "Check the key; wait a minute.",
    ),
    ProblemCode(
        "fill.rate_exceeded",
        429,
        "Too many requests came to a fill link from one address, or for one link, within a minute. Met in the page "
        "that fills a form, which keeps the answers and tries again.",
        "Wait `Retry-After` seconds. The operator sets the limit ([FORMWRIGHT_FILL_RATE_LIMIT](settings.md)).",
    ),
    ProblemCode(
        "fill.quota_exceeded",
        429,
        "A form's link, or an account through all its links, has received as much as it may in a day. Met in the page "
        "that fills a form, which keeps the answers and tries again. The audit log names the form.",
        "Wait `Retry-After` seconds. The operator sets the quotas ([FORMWRIGHT_LINK_DAILY_MIB and its "
        "neighbours](settings.md)).",
    ),
    ProblemCode("server.error", 500, "Something is broken here.", "Tell the operator the `requestId`."),
    ProblemCode(
        "database.unavailable",
        503,
        "The database cannot be reached or is held by somebody else. Nothing was changed; where the connection was "
        "lost in the middle of a commit, `detail` says that this is not known.",
        "Try again after `Retry-After`, a POST with the same `Idempotency-Key`. The operator looks at the database.",
    ),
    ProblemCode(
        "storage.full",
        503,
        "The disk is almost full: uploads and submissions are refused so that everything else goes on. Nothing was "
        "changed.",
        "Try again after `Retry-After`. The operator makes room ([FORMWRIGHT_MIN_FREE_MIB](settings.md)).",
    ),
    ProblemCode(
        "request.timeout",
        503,
        "Answering took longer than the operator allows (60 seconds where nothing was set), and was given up; "
        "what it had begun is rolled back, unless just then it is being committed together with others.",
        "Ask for less at once: a smaller `limit`, fewer conditions. Or send it again later, a POST with the same "
        "`Idempotency-Key`.",
    ),
    ProblemCode(
        "files.unavailable",
        503,
        "The folder or bucket in which files are kept does not do as asked. Nothing was changed.",
        "Try again after `Retry-After`. The operator looks at it ([FORMWRIGHT_FILES_URL](settings.md)).",
    ),
    ProblemCode(
        "service.unavailable",
        503,
        "The service cannot do it right now. The kind of `database.unavailable`; no other is answered yet.",
        "Try again after `Retry-After`.",
    ),
)


REFUSED = (
    ProblemCode(
        "request.malformed",
        400,
        "The request is not HTTP as it should be.",
        "Look at how the client builds it; use a plain HTTP client to compare.",
    ),
    ProblemCode(
        "json.malformed",
        400,
        "The body is no JSON, no UTF-8, nested too deeply, or holds a number of more than 500 digits. `detail` says "
        "which.",
        "Send one whole JSON document.",
    ),
    ProblemCode(
        "query.invalid", 400, "The query has unknown members or values that do not fit.", "Mend what `errors` names."
    ),
    ProblemCode(
        "idempotency.key",
        400,
        "`Idempotency-Key` is empty, too long, or holds other than visible ASCII characters.",
        "Send a UUID.",
    ),
    ProblemCode("key.missing", 401, "The request has no `X-Api-Key`.", "Send the key in this header."),
    ProblemCode(
        "key.unknown",
        401,
        "The key was mistyped, never existed, or was revoked.",
        "Copy it again, or make a new one under Settings, Connections, API keys.",
    ),
    ProblemCode(
        "key.ended",
        401,
        "The key's last day is over, or it was rotated and the time in which the old text still works has passed.",
        "Take the new text, or make a new key.",
    ),
    ProblemCode(
        "access.denied",
        403,
        "The role of the person does not allow it, or somebody who may do more would be changed. Met in the "
        "pages; a key may do all that the API offers.",
        "Ask the owner of the account for a role that has the permission named in `detail`.",
    ),
    ProblemCode(
        "key.read_only", 403, "The key is read-only, and the operation changes something.", "Use a key that may write."
    ),
    ProblemCode(
        "file.link_ended",
        403,
        "The link to a file is older than 15 minutes.",
        "List the files of the submission again: each has a new link.",
    ),
    ProblemCode(
        "https.required",
        403,
        "A proxy said that it was called over plain HTTP.",
        "Call the same address with `https://`.",
    ),
)
