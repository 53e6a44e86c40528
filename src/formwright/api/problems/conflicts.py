"""What does not go together with what is there."""

from formwright.api.problems.entry import ProblemCode

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
        "Somebody would [erase](personal-data.md#erase) herself. Met in the pages.",
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
