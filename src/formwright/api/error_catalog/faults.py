"""Faults of the fields of a form.

Faults of datasources, and of the files that bring their rows.

Faults of single values, and of queries.

Faults of what is sent out and handed in, and of people, webhooks, files and keys.
"""

from formwright.api.error_catalog.entries import FaultCode

FORMS = (
    FaultCode("form.fields.none", "The form has no field.", "Add at least one."),
    FaultCode("form.fields.too_many", "The form has more than 500 fields.", "Split it into several forms."),
    FaultCode(
        "form.origin", "A new form names both `fields` and `templateId`, or neither.", "Send exactly one of the two."
    ),
    FaultCode("field.too_deep", "Sections and repeats lie more than five levels in each other.", "Make it flatter."),
    FaultCode("field.repeat_in_repeat", "A repeat holds another one.", "Put the inner one beside it."),
    FaultCode(
        "field.unknown",
        "`mapping` or `filter` of a lookup names no other field, or `mapping` one that no column can fill: a photo, a "
        "file, a signature, a location or a repeat.",
        "Name one that the lookup can see, and can fill.",
    ),
    FaultCode(
        "field.name.reserved",
        "The name means something else in rules or in a browser: `answered`, `true`, `toString` …",
        "Choose another name.",
    ),
    FaultCode(
        "field.pattern",
        "`pattern` is not read alike everywhere, or would stall a browser. `detail` says which.",
        "Write it [simpler](forms.md#patterns).",
    ),
    FaultCode(
        "field.rule", "A rule cannot work. `detail` says why, and at which column.", "Mend the [rule](forms.md#rules)."
    ),
    FaultCode(
        "field.rule.type",
        "A rule comes to another type than its place needs.",
        "A condition comes to true or false; a calculation to what the field holds.",
    ),
    FaultCode(
        "field.rule.too_costly",
        "A rule might need more work than is [allowed](forms.md#limits-of-rules) even with ordinary answers.",
        "Nest fewer loops, and join fewer texts and lists in them.",
    ),
    FaultCode(
        "field.rule.circle",
        "Fields depend on each other in a circle, by `visibleIf` and `calculate`.",
        "Take one of them out of the circle.",
    ),
    FaultCode("field.name.taken", "Two fields have the same name.", "Rename one."),
    FaultCode("field.range", "The lower bound is greater than the upper one.", "Exchange them."),
    FaultCode("field.option.taken", "Two options have the same value.", "Change one."),
    FaultCode(
        "field.default",
        "The default would not be accepted as an answer.",
        "Choose one that fits the field: an option, within the range, matching the pattern.",
    ),
)


ROWS = (
    FaultCode(
        "datasource.name",
        "The name of a data source is empty or has more than 200 characters. Met in the pages.",
        "Choose another name.",
    ),
    FaultCode(
        "datasource.upload.interrupted",
        "The work on a file was interrupted, and nothing was changed. Met in the pages.",
        "Do it once more.",
    ),
    FaultCode(
        "datasource.upload.failed",
        "Something is broken here, and nothing was changed. Met in the pages.",
        "Try again; tell the operator.",
    ),
    FaultCode("datasource.columns.too_many", "There are more than 200 columns.", "Leave out what no form needs."),
    FaultCode("datasource.column.taken", "A column is named twice.", "Name each once."),
    FaultCode(
        "datasource.column.unknown",
        "A row has a column that `columns` does not name.",
        "Add the column, or take the value out.",
    ),
    FaultCode("datasource.key_column", "`keyColumn` is none of the columns.", "Name one of them."),
    FaultCode("datasource.key.missing", "A row has no value in the key column.", "Give every row one."),
    FaultCode("datasource.key.too_long", "A key has more than 500 characters.", "Choose a shorter one."),
    FaultCode(
        "datasource.key.taken", 'Two rows have the same key. `7` and `"7"` are the same key.', "Keep one of them."
    ),
    FaultCode("datasource.rows.too_many", "There would be more than 1,000,000 rows.", "Send fewer."),
    FaultCode("datasource.name.missing", "A file came without the datasource's name.", "Add `?name=` to the address."),
    FaultCode(
        "datasource.columns.missing", "No column is named, and no row has one.", "Name the columns, or send rows."
    ),
    FaultCode("datasource.column.name", "A column's name is empty or has more than 200 characters.", "Rename it."),
    FaultCode(
        "datasource.key_column.rows",
        "`keyColumn` was sent without rows.",
        "Send all rows with it: they get other keys.",
    ),
    FaultCode(
        "datasource.cell.type",
        "A cell does not fit the type that is fixed for its column.",
        "Mend the cell, or give the column the type `text`.",
    ),
    FaultCode(
        "datasource.pull.url",
        "Nothing can be pulled from this address. `detail` says why.",
        "Use a public `https://` address, or ask the operator to allow the range "
        "([FORMWRIGHT_WEBHOOK_ALLOW](settings.md)).",
    ),
    FaultCode(
        "datasource.pull.every",
        "It is no duration from 15 minutes to a week.",
        "Write it as ISO 8601 does: `PT15M`, `PT6H`, `P1D`.",
    ),
    FaultCode(
        "datasource.pull.header",
        "A header cannot be sent: its name, its value, or because the platform sets it itself.",
        "`detail` says which.",
    ),
    FaultCode(
        "datasource.pull.header.again",
        "The value of a header is not known, or was given for another server.",
        "Send its value.",
    ),
    FaultCode("datasource.pull.rows", "Rows and `pull` were sent together.", "Send one of the two."),
    FaultCode(
        "row.ragged",
        "A row has more or fewer cells than the header.",
        "Mend the line. A separator within a cell needs quotes around the cell.",
    ),
    FaultCode("cell.too_long", "A cell has more than 10,000 characters.", "Shorten it."),
    FaultCode("cell.nul", "A cell holds the character NUL.", "Take it out."),
    FaultCode("cell.formula_error", "A cell of the spreadsheet shows an error, such as `#REF!`.", "Mend its formula."),
    FaultCode("table.empty", "The file is empty, or has no header.", "Send a file whose first row names the columns."),
    FaultCode(
        "table.html", "The file is a page in HTML.", "Often a page that asks to sign in: download the file itself."
    ),
    FaultCode(
        "table.kind",
        "The file is something else than `Content-Type` says.",
        "Save it as CSV, .xlsx or .xls, and name it so.",
    ),
    FaultCode(
        "table.json",
        "What was pulled is no JSON array of objects, no object with such `rows`, or more than 32 MiB of it. Met "
        "in the state of a pull.",
        "Mend the source, or let it send CSV.",
    ),
    FaultCode(
        "table.encoding",
        "The bytes are no text in the encoding.",
        "Name the right one with `?encoding=`, or save as UTF-8.",
    ),
    FaultCode(
        "table.encoding.unknown",
        "`?encoding=` names none that is known.",
        "Choose one such as `utf-8`, `windows-1252` or `utf-16`.",
    ),
    FaultCode("table.delimiter", "`?delimiter=` cannot part cells.", "Choose a comma, semicolon, tab or bar."),
    FaultCode(
        "table.line",
        "A line has more than 4,000,000 characters.",
        "This is hardly a CSV file: look at how it was made.",
    ),
    FaultCode("table.quote", "A quote is opened and never closed.", "Close it; within a cell it is written twice."),
    FaultCode("table.header.blank", "A column has no name in the first row.", "Name it, or take it out."),
    FaultCode("table.header.taken", "Two columns have the same name.", "Rename one."),
    FaultCode(
        "table.header.too_long",
        "A column's name has more than 200 characters.",
        "Shorten it: the first row must hold names.",
    ),
    FaultCode("table.header.nul", "A column's name holds the character NUL.", "Take it out."),
    FaultCode("table.header.error", "A column's name is an error of the spreadsheet.", "Mend its formula."),
    FaultCode("table.columns.too_many", "The file has more than 200 columns.", "Leave out what no form needs."),
    FaultCode(
        "table.sheet", "The workbook has no such sheet, or none with rows.", "The message names those there are."
    ),
    FaultCode(
        "table.zip_bomb", "The workbook needs too much memory or time to read.", "Delete far cells, or send it as CSV."
    ),
    FaultCode(
        "table.too_large", "The workbook is larger than is read at once.", "Send it as CSV, which may have 256 MiB."
    ),
)


VALUES = (
    FaultCode("value.type", "The value is of another type.", "Send the type that `detail` names."),
    FaultCode("value.required", "A member is missing.", "Add it."),
    FaultCode(
        "value.unknown", "There is no such member, or the form has no such field.", "Remove it; check its spelling."
    ),
    FaultCode("value.choice", "The value is none of the possible ones.", "Choose one that `detail` lists."),
    FaultCode(
        "value.format",
        "It is no valid date, time, e-mail address or web address.",
        "Send the format that `detail` names.",
    ),
    FaultCode("value.pattern", "The text does not match the pattern.", "Send what matches the expression in `detail`."),
    FaultCode("value.too_short", "The text has too few characters.", "Make it longer."),
    FaultCode("value.too_long", "The text has too many characters.", "Make it shorter."),
    FaultCode("value.too_small", "The number is too small.", "Send a greater one."),
    FaultCode("value.too_great", "The number is too great.", "Send a smaller one."),
    FaultCode("value.too_few", "The list or object has too few items.", "Add some."),
    FaultCode("value.too_many", "The list or object has too many items.", "Send fewer."),
    FaultCode(
        "value.rule",
        "The answer is refused by the field's rule `validIf`. `detail` is the field's own `message`, where it has one.",
        "Send what the rule allows.",
    ),
    FaultCode(
        "value.rule.too_costly",
        "With these answers a rule of the field might need more work than is [allowed](forms.md#limits-of-rules). No "
        "other error is reported, because the rules were not evaluated to the end.",
        "Send shorter answers or fewer rows, or simplify the rule.",
    ),
    FaultCode(
        "answer.lookup.unknown",
        "The answer of a lookup names a row that the datasource does not have. The page in which forms are filled "
        "is never answered so.",
        "Send the key of a row; bring the row in first.",
    ),
    FaultCode(
        "answer.lookup.filtered",
        "The row that the answer of a lookup names is left out by the lookup's `filter` beside the other answers. A "
        "row that was let through when a phone chose it, or when the answers came in, stays.",
        "Send the key of a row whose columns equal the answers that the filter names, or correct those.",
    ),
    FaultCode("value.repeated", "An item stands twice.", "Remove one of the two."),
    FaultCode("value.nul", "A text holds the character NUL, which cannot be stored.", "Remove the character."),
    FaultCode("value.too_deep", "The value is nested more than 255 levels deep.", "Make it flatter."),
    FaultCode(
        "value.name", "The name of a member cannot be accepted: it is empty or too long.", "Choose another name."
    ),
    FaultCode(
        "value.invalid", "The value cannot be accepted, for a reason that has no code of its own.", "`detail` says why."
    ),
    FaultCode("query.unknown", "The query has no such member.", "Use one that `detail` lists."),
    FaultCode(
        "query.unused", "This member goes with a file, and the body is JSON.", "Leave it out; JSON says it in the body."
    ),
    FaultCode("query.repeated", "The member may stand only once.", "Send it once."),
    FaultCode(
        "query.answers.unknown",
        "None of the forms that are asked for has an answer of this name. Notes, sections and repeats have none.",
        "Look at the fields of the form: [submissions.md](submissions.md#filter-by-answers).",
    ),
    FaultCode(
        "query.answers.operator", "This kind of answer cannot be compared so.", "Use a word that `detail` lists."
    ),
    FaultCode(
        "query.answers.too_many", "More than 20 conditions on answers.", "Ask for less, and look further yourself."
    ),
    FaultCode(
        "query.value",
        "The value does not fit. A `+` in a time has to be written `%2B` in an address.",
        "Send what `detail` asks for.",
    ),
    FaultCode(
        "cursor.invalid",
        "The cursor was not given by `next`.",
        "Follow `next` as it is, or begin again without a cursor.",
    ),
    FaultCode(
        "cursor.other_list",
        "The cursor was given for another list, by other filters, in another order, or to another account.",
        "Follow `next` as it is; take the cursor with the query it came with, or begin again without one.",
    ),
)


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
