"""Faults of what is sent out and handed in, and of people, webhooks, files and keys."""

from formwright.api.problems.entry import FaultCode

WORK = (
    FaultCode("value.past", "The time is in the past.", "Name one to come."),
    FaultCode(
        "invite.whom",
        "The person is named by both `email` and `userId`, or by neither.",
        "Send exactly one of the two.",
    ),
    FaultCode("invite.remind", "`remindAt` is not before `expiresAt`.", "Name an earlier time."),
    FaultCode(
        "task.which", "The task is named by both `id` and `externalId`, or by neither.", "Send exactly one of the two."
    ),
    FaultCode("task.publish_twice", "Both `publishAt` and `publishAfter` are given.", "Send one of the two."),
    FaultCode("task.due_before_publish", "The task would be due before it is published.", "Change one of the times."),
    FaultCode("task.published", "The task is published already, so its `publishAt` cannot change.", "Leave it out."),
    FaultCode("group.empty", "Nobody is in the group who could receive a task.", "Put somebody in, or name people."),
    FaultCode(
        "user.status",
        "A person cannot have this status now: setting a password makes active, nothing else does.",
        "Send `DISABLED`, or to bring somebody back `ACTIVE`.",
    ),
    FaultCode(
        "folder.required",
        "A form or folder was to be put outside of every folder by somebody who may edit in some only. Met in the "
        "pages.",
        "Choose a folder.",
    ),
    FaultCode("grant.without_effect", "The role allows nothing in a folder or a form.", "Give it for the account."),
    FaultCode(
        "grant.not_held",
        "More is given or taken than the giver may do at that place. Met in the pages; a key lacks nothing.",
        "Ask somebody who may do as much.",
    ),
    FaultCode("user.disabled", "A recipient is disabled.", "Choose another."),
    FaultCode(
        "reconcile.too_many",
        "The named part has more than 10,000 submissions here.",
        "Ask form by form, or for a shorter time.",
    ),
    FaultCode(
        "replay.from",
        "A replay says both where to begin and since when, or neither.",
        "Say either `afterSequence` or `since`.",
    ),
    FaultCode(
        "replay.not_kept", "The log does not reach back so far.", "`detail` names the oldest sequence that is kept."
    ),
    FaultCode(
        "subscriber.header",
        "A header cannot be sent: its name, its value, or because the platform sets it itself.",
        "`detail` says which.",
    ),
    FaultCode(
        "subscriber.header.again",
        "The value of a header is not known, or was given for another server.",
        "Send its value.",
    ),
    FaultCode(
        "subscriber.url",
        "No event can be sent to this address. `detail` says why.",
        "Use a public `https://` address, or ask the operator to allow the range "
        "([FORMWRIGHT_WEBHOOK_ALLOW](settings.md)).",
    ),
    FaultCode(
        "submission.client_id",
        "The page that fills a form named the submission by something that is no UUID. Met while filling a form.",
        "Load the page again.",
    ),
    FaultCode(
        "file.unknown",
        "The answer names a file that nobody uploaded for this field of this form, or that was cleared away.",
        "Upload it again while filling the form.",
    ),
    FaultCode("file.taken", "The file belongs to another submission.", "Upload it once more."),
    FaultCode(
        "file.empty",
        "The file is empty. Met while filling a form, as all below that begin with `file.`.",
        "Choose another.",
    ),
    FaultCode(
        "file.type",
        "The file says that it is of one type, and its content is something else.",
        "Save it anew in the program it comes from.",
    ),
    FaultCode(
        "file.not_accepted", "The field does not take files of this type. `detail` lists those it takes.", "Convert it."
    ),
    FaultCode("file.field", "The query names no field that takes files.", "Load the page again."),
    FaultCode("file.name", "The header `X-File-Name` is not percent-encoded UTF-8.", "Load the page again."),
    FaultCode(
        "key.name",
        "A key needs a name of 1 to 100 characters. Met in the pages and on the command line.",
        "Give it one.",
    ),
    FaultCode(
        "key.expires",
        "A key's last day lies behind, or more than ten years ahead. Met in the pages and on the command line.",
        "Choose another, or none.",
    ),
    FaultCode(
        "key.not_held",
        "A key may do more than the person who would make it, or give it another secret. Met in the pages.",
        "Choose a read-only key, or have an owner do it.",
    ),
    FaultCode(
        "key.overlap",
        "The old secret of a rotated key works on for 0 to 7 days. Met in the pages and on the command line.",
        "Choose within that.",
    ),
)
