"""Codes of validation errors: of values and queries, forms, data sources, and everything else."""

from formwright.api.error_catalog.entries import ValidationErrorCode

VALUES = (
    ValidationErrorCode("value.type", "The value has the wrong type.", "Send the type named in `detail`."),
    ValidationErrorCode("value.required", "A required property is missing.", "Add it."),
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
        "field.too_deep", "Sections and repeats are nested more than five levels deep.", "Reduce the nesting."
    ),
    ValidationErrorCode(
        "field.repeat_in_repeat", "A repeat contains another repeat.", "Move the inner repeat out of the outer one."
    ),
    ValidationErrorCode(
        "field.unknown",
        "`mapping` or `filter` of a lookup refers to an unknown field, or `mapping` refers to a field that no "
        "column can fill: a photo, a file, a signature, a location or a repeat.",
        "Use a field that the lookup can see and fill.",
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
    ValidationErrorCode("field.name.taken", "Two fields have the same name.", "Rename one of them."),
    ValidationErrorCode("field.range", "The lower bound is greater than the upper bound.", "Swap them."),
    ValidationErrorCode("field.option.taken", "Two options have the same value.", "Change one of them."),
    ValidationErrorCode(
        "field.default",
        "The default is not a valid answer of the field.",
        "Choose one that is valid: an option, within the range, matching the pattern.",
    ),
)

DATASOURCES = (
    ValidationErrorCode(
        "datasource.name",
        "The name of the data source is empty or has more than 200 characters. Only in the pages.",
        "Choose another name.",
    ),
    ValidationErrorCode(
        "datasource.upload.interrupted",
        "Processing of the file was interrupted, and nothing was changed. Only in the pages.",
        "Try again.",
    ),
    ValidationErrorCode(
        "datasource.upload.failed",
        "Processing of the file failed unexpectedly, and nothing was changed. Only in the pages.",
        "Try again. If it fails again, report it to the operator.",
    ),
    ValidationErrorCode(
        "datasource.columns.too_many", "There are more than 200 columns.", "Remove columns that no form needs."
    ),
    ValidationErrorCode("datasource.column.taken", "A column name occurs twice.", "Use each name once."),
    ValidationErrorCode(
        "datasource.column.unknown",
        "A row has a column that is not in `columns`.",
        "Add the column to `columns`, or remove the value.",
    ),
    ValidationErrorCode("datasource.key_column", "`keyColumn` is not one of the columns.", "Use the name of a column."),
    ValidationErrorCode("datasource.key.missing", "A row has no value in the key column.", "Add a value to every row."),
    ValidationErrorCode("datasource.key.too_long", "A key has more than 500 characters.", "Use a shorter key."),
    ValidationErrorCode(
        "datasource.key.taken", 'Two rows have the same key. `7` and `"7"` are the same key.', "Remove one of the rows."
    ),
    ValidationErrorCode("datasource.rows.too_many", "There would be more than 1,000,000 rows.", "Send fewer rows."),
    ValidationErrorCode(
        "datasource.name.missing", "A file was sent without the name of the data source.", "Add `?name=` to the URL."
    ),
    ValidationErrorCode(
        "datasource.columns.missing",
        "There are no column names, and no rows to take them from.",
        "Send `columns` or rows.",
    ),
    ValidationErrorCode(
        "datasource.column.name", "A column name is empty or has more than 200 characters.", "Rename the column."
    ),
    ValidationErrorCode(
        "datasource.key_column.rows",
        "`keyColumn` was sent without rows.",
        "Send all rows as well, because their keys change.",
    ),
    ValidationErrorCode(
        "datasource.cell.type",
        "A cell does not match the fixed type of its column.",
        "Correct the cell, or set the type of the column to `text`.",
    ),
    ValidationErrorCode(
        "datasource.pull.url",
        "Rows cannot be pulled from this URL. `detail` says why.",
        "Use a public `https://` URL, or ask the operator to allow the address range "
        "([FORMWRIGHT_WEBHOOK_ALLOW](settings.md)).",
    ),
    ValidationErrorCode(
        "datasource.pull.every",
        "The interval is not a duration from 15 minutes to a week.",
        "Use ISO 8601: `PT15M`, `PT6H` or `P1D`.",
    ),
    ValidationErrorCode(
        "datasource.pull.header",
        "A header cannot be sent: its name or value is invalid, or the server sets it itself.",
        "See `detail`.",
    ),
    ValidationErrorCode(
        "datasource.pull.header.again",
        "The value of a header is missing, or was set for another server.",
        "Send the value of the header.",
    ),
    ValidationErrorCode("datasource.pull.rows", "The request contains both rows and `pull`.", "Send one of them."),
    ValidationErrorCode(
        "row.ragged",
        "The row has more or fewer cells than the header.",
        "Correct the line. A cell that contains the delimiter must be quoted.",
    ),
    ValidationErrorCode("cell.too_long", "The cell has more than 10,000 characters.", "Shorten it."),
    ValidationErrorCode("cell.nul", "The cell contains the character NUL.", "Remove the character."),
    ValidationErrorCode("cell.formula_error", "The cell contains an error, such as `#REF!`.", "Correct its formula."),
    ValidationErrorCode(
        "table.empty", "The file is empty or has no header.", "Send a file whose first row contains the column names."
    ),
    ValidationErrorCode(
        "table.html", "The file is an HTML page.", "This is often a sign-in page: download the file itself."
    ),
    ValidationErrorCode(
        "table.kind",
        "The file does not match its `Content-Type`.",
        "Save it as CSV, .xlsx or .xls, and send the matching type.",
    ),
    ValidationErrorCode(
        "table.json",
        "The pulled response is not a JSON array of objects or an object with such an array in `rows`, or it has "
        "more than 32 MiB. Only in the status of a pull.",
        "Correct the source, or let it send CSV.",
    ),
    ValidationErrorCode(
        "table.encoding",
        "The file is not valid text in this encoding.",
        "Set the right one with `?encoding=`, or save the file as UTF-8.",
    ),
    ValidationErrorCode(
        "table.encoding.unknown",
        "`?encoding=` is not a known encoding.",
        "Use one such as `utf-8`, `windows-1252` or `utf-16`.",
    ),
    ValidationErrorCode(
        "table.delimiter",
        "`?delimiter=` is not a valid delimiter.",
        "Use a comma, a semicolon, a tab or a vertical bar.",
    ),
    ValidationErrorCode(
        "table.line",
        "A line has more than 4,000,000 characters.",
        "Check how the file was created: it is probably not CSV.",
    ),
    ValidationErrorCode(
        "table.quote", "A quote is opened but not closed.", "Close it. Within a quoted cell, a quote is written twice."
    ),
    ValidationErrorCode(
        "table.header.blank", "A column has no name in the first row.", "Name the column, or remove it."
    ),
    ValidationErrorCode("table.header.taken", "Two columns have the same name.", "Rename one of them."),
    ValidationErrorCode(
        "table.header.too_long",
        "A column name has more than 200 characters.",
        "Shorten it. The first row must contain the column names.",
    ),
    ValidationErrorCode("table.header.nul", "A column name contains the character NUL.", "Remove the character."),
    ValidationErrorCode("table.header.error", "The name of a column is a spreadsheet error.", "Correct its formula."),
    ValidationErrorCode(
        "table.columns.too_many", "The file has more than 200 columns.", "Remove columns that no form needs."
    ),
    ValidationErrorCode(
        "table.sheet",
        "The workbook does not contain this sheet, or no sheet with rows.",
        "Use one of the sheets listed in `detail`.",
    ),
    ValidationErrorCode(
        "table.zip_bomb",
        "Reading the workbook would take too much memory or time.",
        "Delete cells far outside the table, or send it as CSV.",
    ),
    ValidationErrorCode("table.too_large", "The workbook is too large.", "Send it as CSV, which may have 256 MiB."),
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
    ValidationErrorCode("file.field", "The query does not refer to a field that accepts files.", "Reload the page."),
    ValidationErrorCode("file.name", "The header `X-File-Name` is not percent-encoded UTF-8.", "Reload the page."),
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
        "The key would have more permissions than the person who creates or rotates it. Only in the pages.",
        "Choose a read-only key, or ask an owner.",
    ),
    ValidationErrorCode(
        "key.overlap",
        "The old secret of a rotated key can remain valid for 0 to 7 days. Only in the pages and on the command line.",
        "Choose a period within these limits.",
    ),
)
