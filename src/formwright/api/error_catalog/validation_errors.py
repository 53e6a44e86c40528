"""Codes of validation errors of everything but values, forms, data sources and imports."""

from formwright.api.error_catalog.entries import ValidationErrorCode

OTHER = (
    ValidationErrorCode("value.past", "The time is in the past.", "Use a time in the future."),
    ValidationErrorCode(
        "invite.whom",
        "The person is identified by both `email` and `userId`, or by neither.",
        "Send exactly one of them.",
    ),
    ValidationErrorCode("invite.remind", "`remindAt` is not before `expiresAt`.", "Use an earlier time."),
    ValidationErrorCode(
        "task.which",
        "The task is identified by both `id` and `externalId`, or by neither.",
        "Send exactly one of them.",
    ),
    ValidationErrorCode(
        "task.publish_twice", "The request contains both `publishAt` and `publishAfter`.", "Send one of them."
    ),
    ValidationErrorCode(
        "form.xform_id_taken",
        "Another form of the account already has this `xformId`.",
        "Choose another one, or omit it: a new form gets one that is made from its name.",
    ),
    ValidationErrorCode(
        "form.closes_before_opening", "`closesAt` of a public link is not after `opensAt`.", "Change one of the times."
    ),
    ValidationErrorCode(
        "form.embed_origin", "A site in `publicLink.embedOrigins` is not an origin.", "Send scheme and host only."
    ),
    ValidationErrorCode(
        "form.redirect_url",
        "The page to open after submitting is not given by its URL.",
        "Send an `https` or `http` URL with a host, without user name and password.",
    ),
    ValidationErrorCode(
        "receipt.field",
        "Receipts go to the address in an answer, but the form has no such field.",
        "Send the name of a field of type `email` or `text` that is not part of a repeat.",
    ),
    ValidationErrorCode(
        "submission.device",
        "The form accepts one response per device, and the request does not identify the device. Only when filling "
        "in a form.",
        "Reload the page.",
    ),
    ValidationErrorCode(
        "task.due_before_publish", "The task would be due before it is published.", "Change one of the times."
    ),
    ValidationErrorCode(
        "task.published", "The task has already been published, so `publishAt` cannot change.", "Omit it."
    ),
    ValidationErrorCode(
        "group.empty", "The group has no members who can receive a task.", "Add members, or assign the task to users."
    ),
    ValidationErrorCode(
        "user.status",
        "The user cannot get this status. Users only become active by setting a password.",
        "Send `DISABLED`, or `ACTIVE` to enable a disabled user.",
    ),
    ValidationErrorCode(
        "folder.required",
        "A form or folder would be outside every folder, but the user may only edit in some folders. Only in the "
        "pages.",
        "Choose a folder.",
    ),
    ValidationErrorCode(
        "grant.without_effect",
        "The role has no permissions that apply to a folder or a form.",
        "Grant it for the account.",
    ),
    ValidationErrorCode(
        "comment.mention_without_access",
        "The mentioned user is disabled, or has no permission to see the submission.",
        "Mention somebody who can see it, or grant them `submissions:read` for the form.",
    ),
    ValidationErrorCode(
        "grant.not_held",
        "Somebody tried to grant or remove permissions that they do not hold there. Only in the pages; keys hold "
        "all permissions.",
        "Ask somebody who holds these permissions.",
    ),
    ValidationErrorCode("user.disabled", "A recipient is disabled.", "Choose another recipient."),
    ValidationErrorCode(
        "reconcile.too_many",
        "The selected forms and period contain more than 10,000 submissions.",
        "Compare form by form, or a shorter period.",
    ),
    ValidationErrorCode(
        "replay.from", "A replay contains both `afterSequence` and `since`, or neither.", "Send exactly one of them."
    ),
    ValidationErrorCode(
        "replay.not_kept",
        "The event log does not reach back that far.",
        "`detail` contains the oldest sequence that is stored.",
    ),
    ValidationErrorCode(
        "subscriber.header",
        "A header cannot be sent: its name or value is invalid, or the server sets it itself.",
        "See `detail`.",
    ),
    ValidationErrorCode(
        "subscriber.header.again",
        "The value of a header is missing, or was set for another server.",
        "Send the value of the header.",
    ),
    ValidationErrorCode(
        "subscriber.url",
        "Events cannot be sent to this URL. `detail` says why.",
        "Use a public `https://` URL, or ask the operator to allow the address range "
        "([FORMWRIGHT_WEBHOOK_ALLOW](settings.md)).",
    ),
    ValidationErrorCode(
        "export.form_required",
        "Somebody who may edit the submissions of some forms only tried to export all forms.",
        "Send a `formId`.",
    ),
    ValidationErrorCode(
        "export.view_form",
        "The saved view belongs to another form than the export.",
        "Use a view of the same form, or one of all forms.",
    ),
    ValidationErrorCode(
        "export.schedule_unused",
        "The property has no effect for this `every`: `hour` if the export runs hourly, `weekday` unless weekly, and"
        " `day` unless monthly.",
        "Leave the property out, or choose another `every`. The values in responses are accepted.",
    ),
    ValidationErrorCode(
        "export.path",
        "The path of the destination contains characters other than letters, digits, `.`, `_`, `=` and `-`, or a part"
        " that is empty or begins with a dot.",
        "Send a path such as `exports/daily`.",
    ),
    ValidationErrorCode(
        "export.folder_unknown",
        "The operator offers no folder with this name.",
        "Use one of the names in `detail`; the operator sets them with [FORMWRIGHT_EXPORT_FOLDERS](settings.md).",
    ),
    ValidationErrorCode(
        "export.endpoint",
        "The server must not connect to the endpoint of the bucket, or the URL has a path.",
        "Send the public https URL of the S3 service. The operator can allow private addresses"
        " ([FORMWRIGHT_WEBHOOK_ALLOW](settings.md)).",
    ),
    ValidationErrorCode(
        "export.secret_missing",
        "The secret access key of the bucket is not stored, or was stored for another bucket or access key.",
        "Send `secretAccessKey`.",
    ),
    ValidationErrorCode(
        "view.private",
        "An API key tried to save a private view. Private views belong to users.",
        "Send `ACCOUNT`, or omit `visibility`.",
    ),
    ValidationErrorCode(
        "view.form_required",
        "Somebody who may edit the submissions of some forms only tried to save a view of all forms for everyone. Only "
        "in the pages.",
        "Choose a form or a folder, or save the view for yourself.",
    ),
    ValidationErrorCode(
        "view.period",
        "A view has both `lastDays` and `fromDay` or `toDay`, or `toDay` is before `fromDay`.",
        "Send one kind of period, in order.",
    ),
    ValidationErrorCode(
        "view.column",
        "There is no such column: it is neither one that every submission has, nor a field of the published version.",
        "Use a column listed in `detail`, or `answers.` and the name of a field.",
    ),
    ValidationErrorCode(
        "view.field_removed",
        "In `problems` of a saved view: the published version no longer has this field. A condition only matches "
        "submissions of earlier versions, and the list shows no such column.",
        "Update the view.",
    ),
    ValidationErrorCode(
        "view.folder_removed",
        "In `problems` of a saved view: its folder no longer exists, so the view shows no submissions.",
        "Update or delete the view.",
    ),
    ValidationErrorCode(
        "submission.client_id",
        "The page sent an id for the submission that is not a UUID. Only when filling in a form.",
        "Reload the page.",
    ),
    ValidationErrorCode(
        "file.unknown",
        "The answer refers to a file that was not uploaded for this field of this form, or has been deleted since.",
        "Upload it again while filling in the form.",
    ),
    ValidationErrorCode("file.taken", "The file belongs to another submission.", "Upload it again."),
    ValidationErrorCode(
        "file.empty",
        "The file is empty. This code and those below that begin with `file.` only occur when filling in a form.",
        "Choose another file.",
    ),
    ValidationErrorCode(
        "file.type", "The content of the file does not match its type.", "Save it again in the program that created it."
    ),
    ValidationErrorCode(
        "file.not_accepted",
        "The field does not accept this type of file. `detail` lists the types it accepts.",
        "Convert the file.",
    ),
    ValidationErrorCode(
        "file.field",
        "The query does not refer to a field that accepts files.",
        "Send the name of such a field of the published version.",
    ),
    ValidationErrorCode("file.name", "The header `X-File-Name` is not percent-encoded UTF-8.", "Reload the page."),
    ValidationErrorCode(
        "bundle.format",
        "The document is not a form bundle.",
        "Send a bundle as `getFormBundle` returns it.",
    ),
    ValidationErrorCode(
        "bundle.newer",
        "A newer version of Formwright exported the bundle, and its format has changed since.",
        "Update this server.",
    ),
    ValidationErrorCode(
        "bundle.damaged",
        "A lookup of the bundle refers to a data source that the bundle does not describe.",
        "Export the form again.",
    ),
    ValidationErrorCode(
        "bundle.datasource_missing",
        "The account has no data source with the name that the bundle mentions.",
        "Create the data source, or name another one in `datasources`.",
    ),
    ValidationErrorCode(
        "bundle.columns_missing",
        "The data source lacks columns that lookups of the form display, copy or filter by.",
        "Add the columns to the data source, or name another one in `datasources`.",
    ),
    ValidationErrorCode(
        "key.name",
        "The name of a key must have 1 to 100 characters. Only in the pages and on the command line.",
        "Enter a name.",
    ),
    ValidationErrorCode(
        "key.expires",
        "The expiry date is in the past, or more than ten years ahead. Only in the pages and on the command line.",
        "Choose another date, or none.",
    ),
    ValidationErrorCode(
        "key.not_held",
        "The key would have more permissions than the person who creates, changes or rotates it. Only in the pages.",
        "Choose a read-only or limited key, or ask an owner.",
    ),
    ValidationErrorCode(
        "key.access_fixed",
        "A key keeps its kind of access: full, read-only or limited. Only in the pages and on the command line.",
        "Create another key.",
    ),
    ValidationErrorCode(
        "key.permission.whole_account",
        "A key for folders or forms has a permission that only applies to the whole account. Only in the pages and on "
        "the command line.",
        "Leave out the permissions that `detail` names, or limit the key to permissions only.",
    ),
    ValidationErrorCode(
        "key.rate_limit",
        "The rate limit of the key is not a number from 1 to 1,000,000, or exceeds that of the installation. Only in "
        "the pages and on the command line.",
        "Enter another number, or none.",
    ),
    ValidationErrorCode(
        "key.overlap",
        "The old secret of a rotated key can remain valid for 0 to 7 days. Only in the pages and on the command line.",
        "Choose a period within these limits.",
    ),
    ValidationErrorCode(
        "domain.record_missing",
        "The domain has no TXT record with the value for this account.",
        "Add the record, and wait until it is visible.",
    ),
    ValidationErrorCode(
        "identity_provider.shared_issuer",
        "Addresses of this identity provider cannot be trusted, because its issuer signs in people of many "
        "organisations. Only in the pages.",
        "Use the issuer of your own tenant, or link users by addresses that the provider verifies.",
    ),
    ValidationErrorCode(
        "identity_provider.provisioning_taken",
        "Another identity provider of the account links users created by provisioning. Only in the pages.",
        "Switch it off there first.",
    ),
    ValidationErrorCode(
        "odata.filter",
        "`$filter` of the OData feed is invalid, or compares values of different types.",
        "Correct what the message says.",
    ),
    ValidationErrorCode(
        "odata.option",
        "A query option of the OData feed is invalid, or would have to read too many rows at once.",
        "Correct what the message says, or restrict the rows with `$filter`.",
    ),
)
