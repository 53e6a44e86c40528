"""Faults of single values, and of queries."""

from formwright.api.problems.entry import FaultCode

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
