"""Codes of validation errors: of answers and other values, and of the definitions of forms."""

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
    ValidationErrorCode(
        "value.inexact",
        "The number has more digits than can be stored exactly: it would be another number when it is read. Numbers "
        "are 64-bit floats, which keep any 15 digits.",
        "Send a number with at most 15 digits, or ask for a text if all digits matter, as in an account number.",
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
    ValidationErrorCode("form.fields.too_many", "The form has more than 1,500 fields.", "Split it into several forms."),
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
        "`mapping` or `filter` of a lookup, or `recalculateOn`, refers to an unknown field, `mapping` to one that no "
        "column can fill, or `filter` to one that no cell can equal, such as a location. "
        "[What each field type can do](field-types.md) lists them.",
        "Use a field that this field can see, and that the lookup can fill or be filtered by.",
    ),
    ValidationErrorCode(
        "field.column.unknown",
        "`filter` of a lookup names a column that its data source does not have, so no row could be chosen.",
        "Correct the name, or add the column to the data source.",
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
        "form.lookups",
        "The keys of too many [calculated lookups](forms.md#calculated-lookups) depend on each other's rows.",
        "Put the columns into one data source, or let fewer lookups read columns of another.",
    ),
    ValidationErrorCode(
        "media.too_large",
        "A [media file](forms.md#media) of a form has more than 25 MiB.",
        "Upload a smaller one.",
    ),
    ValidationErrorCode(
        "media.archive",
        "The [archive](forms.md#media) is no ZIP file, is damaged or has a password, has no files, or has two of the"
        " same name.",
        "Send one of `downloadFormMedia`, or a ZIP file with the media. Folders in it don't matter.",
    ),
    ValidationErrorCode(
        "form.markup",
        "The texts of the form have too many characters that are [markup](forms.md#formatted-texts).",
        "Format less, or split the form.",
    ),
    ValidationErrorCode("field.name.taken", "Two fields have the same name.", "Rename one of them."),
    ValidationErrorCode(
        "field.name.case",
        "The names of two fields differ in case only. Many programs that read tables compare names without case.",
        "Rename one of them. Versions that were published before this was checked still work.",
    ),
    ValidationErrorCode("field.range", "The lower bound is greater than the upper bound.", "Swap them."),
    ValidationErrorCode(
        "field.option.points", "The points of an option have more than two decimals.", "Round them to two decimals."
    ),
    ValidationErrorCode("field.option.taken", "Two options have the same value.", "Change one of them."),
    ValidationErrorCode(
        "field.metadata",
        "A field with `metadata` is not hidden, or its answer comes from a default or a rule. Or it is in a repeat,"
        " or the second `audit`, although a submission has only one.",
        "Set `hidden`, and remove `default`, `defaultRule` and `calculate`, or move or remove the field.",
    ),
    ValidationErrorCode(
        "field.default",
        "The default is not a valid answer of the field.",
        "Choose one that is valid: an option, within the range, matching the pattern.",
    ),
)
