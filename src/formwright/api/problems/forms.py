"""Faults of the fields of a form."""

from formwright.api.problems.entry import FaultCode

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
