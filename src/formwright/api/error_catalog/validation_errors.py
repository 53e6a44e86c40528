"""Codes of validation errors: of values and queries, forms, and everything but data sources."""

from formwright.api.error_catalog.entries import ValidationErrorCode

VALUES = (
    ValidationErrorCode("value.type", "The value has the wrong type.", "Send the type named in `detail`."),
    ValidationErrorCode("value.required", "A required property or query parameter is missing.", "Add it."),
    ValidationErrorCode(
        "value.unknown", "There is no such property, or the form has no such field.", "Remove it, or correct its name."
    ),
    ValidationErrorCode(
        "value.choice", "The value is not one of the allowed values.", "Use one of those listed in `detail`."
    ),
    ValidationErrorCode(
        "value.format",
        "The value is not a valid date, time, email address or URL.",
        "Send the format described in `detail`.",
    ),
    ValidationErrorCode(
        "value.pattern", "The text does not match the pattern.", "Send a text that matches the expression in `detail`."
    ),
    ValidationErrorCode("value.too_short", "The text has too few characters.", "Make it longer."),
    ValidationErrorCode("value.too_long", "The text has too many characters.", "Make it shorter."),
    ValidationErrorCode("value.too_small", "The number is too small.", "Send a larger number."),
    ValidationErrorCode("value.too_great", "The number is too large.", "Send a smaller number."),
    ValidationErrorCode("value.too_few", "The list or object has too few items.", "Add items."),
    ValidationErrorCode("value.too_many", "The list or object has too many items.", "Send fewer items."),
    ValidationErrorCode(
        "value.rule",
        "The field's `validIf` rule rejects the answer. `detail` is the field's `message`, if it has one.",
        "Send an answer that the rule allows.",
    ),
    ValidationErrorCode(
        "field.table",
        "The fields of a section with `table` are not choices with the same options.",
        "Give all fields the same type and options, or remove `table`.",
    ),
    ValidationErrorCode(
        "field.hidden",
        "`hidden` is set for a note, a section or a repeat.",
        "Remove it, or use a `visibleIf` rule.",
    ),
    ValidationErrorCode(
        "value.rows.count",
        "There are more or fewer rows than the repeat's `countRule` computes from the other answers.",
        "Send as many rows, or correct the answers from which the number is computed.",
    ),
    ValidationErrorCode(
        "field.rows_from",
        "`rowsFrom` names a lookup that depends on answers in the rows, or the repeat also has a `countRule`.",
        "Filter the lookup by answers outside the repeat, or remove one of the two.",
    ),
    ValidationErrorCode(
        "value.choice.filtered",
        "The field's `optionFilter` does not offer the chosen option together with the other answers.",
        "Send an option that the filter offers, or correct the other answers.",
    ),
    ValidationErrorCode(
        "value.choice.exclusive",
        "The answer has an option that is `exclusive`, such as “None of the above”, and other options.",
        "Send only the exclusive option, or only others.",
    ),
    ValidationErrorCode(
        "value.rule.too_costly",
        "With these answers, evaluating a rule might take more work than is [allowed](forms.md#limits-of-rules). No "
        "other errors are reported, because the rules were not evaluated completely.",
        "Send shorter answers or fewer rows, or simplify the rule.",
    ),
    ValidationErrorCode(
        "answer.lookup.unknown",
        "The answer of a lookup is not the key of a row in the data source. Never reported to the page in which "
        "forms are filled in.",
        "Send the key of an existing row, or import the row first.",
    ),
    ValidationErrorCode(
        "answer.lookup.filtered",
        "The lookup's `filter` excludes the row, given the other answers. A row that was allowed when it was chosen "
        "or when the answers were submitted remains valid.",
        "Send the key of a row whose columns equal the answers in the filter, or correct those answers.",
    ),
    ValidationErrorCode("value.repeated", "An item occurs twice.", "Remove one of the two."),
    ValidationErrorCode(
        "value.nul", "The text contains the character NUL, which cannot be stored.", "Remove the character."
    ),
    ValidationErrorCode("value.too_deep", "The value is nested more than 255 levels deep.", "Reduce the nesting."),
    ValidationErrorCode("value.name", "The name of a property is empty or too long.", "Choose another name."),
    ValidationErrorCode(
        "value.invalid", "The value is invalid for a reason that has no code of its own.", "See `detail`."
    ),
    ValidationErrorCode("query.unknown", "There is no such query parameter.", "Use one of those listed in `detail`."),
    ValidationErrorCode(
        "query.unused",
        "The query parameter is for files, but the body is JSON.",
        "Remove it, and use the property in the body.",
    ),
    ValidationErrorCode("query.repeated", "The query parameter may occur only once.", "Send it once."),
    ValidationErrorCode(
        "query.answers.unknown",
        "None of the selected forms has a field with this name that has answers. Notes, sections and repeats have "
        "none.",
        "Look up the fields of the form: [submissions.md](submissions.md#filter-by-answers).",
    ),
    ValidationErrorCode(
        "query.split",
        "The form has no single choice with this name, outside repeats and in its published version.",
        "Look up the fields of the form, or leave `splitBy` out.",
    ),
    ValidationErrorCode(
        "query.location.unknown",
        "None of the selected forms has a location field with this name.",
        "Look up the fields of the form, or leave `field` out.",
    ),
    ValidationErrorCode(
        "query.sort.form",
        "`sort` orders the submissions of one form, but the list has those of none or several.",
        "Send one `formId`, or a `view` of one form.",
    ),
    ValidationErrorCode(
        "query.sort.unknown",
        "The form has no field with the name in `sort` that has one answer per submission.",
        "Look up the fields of the form. Fields in repeats and multiple choices cannot be sorted by.",
    ),
    ValidationErrorCode(
        "query.sort.not_indexed",
        "The field in `sort` is not indexed.",
        "Set `indexed` of the field, and publish the version.",
    ),
    ValidationErrorCode(
        "query.sort.not_ready",
        "The index of the field in `sort` is still being built.",
        "Try again in a few minutes.",
    ),
    ValidationErrorCode(
        "query.answers.operator",
        "Answers of this type do not support the operator.",
        "Use an operator listed in `detail`.",
    ),
    ValidationErrorCode(
        "query.answers.too_many",
        "There are more than 20 conditions on answers.",
        "Use fewer conditions, and filter the result yourself.",
    ),
    ValidationErrorCode(
        "query.value",
        "The value of the query parameter is invalid. A `+` in a time must be written as `%2B` in a URL.",
        "Send the value described in `detail`.",
    ),
    ValidationErrorCode(
        "cursor.invalid",
        "The cursor did not come from `next`.",
        "Follow `next` unchanged, or start again without a cursor.",
    ),
    ValidationErrorCode(
        "cursor.other_list",
        "The cursor belongs to another list, other filters, another order or another account.",
        "Follow `next` unchanged. Use a cursor with its own query only, or start again without one.",
    ),
)

FORMS = (
    ValidationErrorCode("form.fields.none", "The form has no fields.", "Add at least one."),
    ValidationErrorCode("form.fields.too_many", "The form has more than 500 fields.", "Split it into several forms."),
    ValidationErrorCode(
        "form.origin", "The request contains both `fields` and `templateId`, or neither.", "Send exactly one of them."
    ),
    ValidationErrorCode(
        "field.too_deep", "Sections and repeats are nested more than ten levels deep.", "Reduce the nesting."
    ),
    ValidationErrorCode(
        "field.repeat_in_repeat",
        "Repeats contain each other more than three levels deep.",
        "Move the innermost repeat out.",
    ),
    ValidationErrorCode(
        "field.unknown",
        "`mapping` or `filter` of a lookup, or `recalculateOn`, refers to an unknown field, or `mapping` refers to a "
        "field that no column can fill: a photo, audio, a video, a file, a signature, a location, a line, an "
        "area or a repeat.",
        "Use a field that this field can see, and that the lookup can fill.",
    ),
    ValidationErrorCode(
        "field.name.reserved",
        "The name has another meaning in rules or in browsers, such as `answered`, `true` or `toString`.",
        "Choose another name.",
    ),
    ValidationErrorCode(
        "field.pattern",
        "`pattern` is not a regular expression that forms support. See `detail`.",
        "See [Patterns](forms.md#patterns).",
    ),
    ValidationErrorCode(
        "field.rule",
        "A rule is invalid. `detail` says why, and at which column.",
        "Correct the [rule](forms.md#rules).",
    ),
    ValidationErrorCode(
        "field.rule.type",
        "A rule returns the wrong type.",
        "Conditions must return true or false; calculations must return the type of the field.",
    ),
    ValidationErrorCode(
        "field.rule.too_costly",
        "Even with ordinary answers, evaluating a rule might take more work than is "
        "[allowed](forms.md#limits-of-rules).",
        "Nest fewer loops, and concatenate fewer texts and lists.",
    ),
    ValidationErrorCode(
        "field.rule.circle",
        "The `visibleIf` and `calculate` rules of some fields depend on each other in a circle.",
        "Remove one of them from the circle.",
    ),
    ValidationErrorCode(
        "media.too_large",
        "A [media file](forms.md#media) of a form has more than 25 MiB.",
        "Upload a smaller one.",
    ),
    ValidationErrorCode(
        "form.markup",
        "The texts of the form have too many characters that are [markup](forms.md#formatted-texts).",
        "Format less, or split the form.",
    ),
    ValidationErrorCode("field.name.taken", "Two fields have the same name.", "Rename one of them."),
    ValidationErrorCode("field.range", "The lower bound is greater than the upper bound.", "Swap them."),
    ValidationErrorCode("field.option.taken", "Two options have the same value.", "Change one of them."),
    ValidationErrorCode(
        "field.metadata",
        "A field with `metadata` is not hidden, or its answer comes from a default or a rule, too.",
        "Set `hidden`, and remove `default`, `defaultRule` and `calculate`.",
    ),
    ValidationErrorCode(
        "field.default",
        "The default is not a valid answer of the field.",
        "Choose one that is valid: an option, within the range, matching the pattern.",
    ),
)

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
