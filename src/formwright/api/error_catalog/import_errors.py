"""Codes of errors of imports of submissions, in the file as a whole or in a row."""

from formwright.api.error_catalog.entries import ValidationErrorCode

IMPORTS = (
    ValidationErrorCode(
        "import.columns.none",
        "No column has the name of a field of the form.",
        "Name the columns like the fields, or map them with `columns`.",
    ),
    ValidationErrorCode(
        "import.columns.unmapped",
        "Columns have the name of no field or property.",
        "Map them with `columns`, or skip them with `skipUnmapped=true`.",
    ),
    ValidationErrorCode(
        "import.columns.target", "`columns` names a field that the form does not have.", "Use the name of a field."
    ),
    ValidationErrorCode(
        "import.columns.unknown",
        "`columns` names a column that the file does not have.",
        "Use one of those listed in `detail`.",
    ),
    ValidationErrorCode("import.columns.repeated", "A column is mapped twice.", "Map it once."),
    ValidationErrorCode(
        "import.columns.same_field",
        "Two columns have names of the same field, such as its name and its label.",
        "Rename or remove one of them, or map the other one with `columns`.",
    ),
    ValidationErrorCode(
        "import.decimal_mark.mixed",
        "Some numbers of the file have a decimal point, others a decimal comma.",
        "Write all of them in the same way, or set `decimalMark`; the other numbers are then invalid.",
    ),
    ValidationErrorCode(
        "import.date_order.mixed",
        "In some dates of the file the day is first, in others the month.",
        "Write all of them in the same way, or set `firstInDates`; the other dates are then invalid.",
    ),
    ValidationErrorCode("import.rows.too_many", "The file has more than 1,000,000 rows.", "Split the file."),
    ValidationErrorCode(
        "import.repeat.link",
        "A row of a repeat refers to a submission that the first sheet does not have, or to a row that the sheet of "
        "the repeat around it does not have.",
        "Use the same value in the column `id` of both sheets, and numbers from 1 in columns such as `Row (orders)`.",
    ),
    ValidationErrorCode(
        "import.interrupted",
        "The server stopped several times during the import. `imported` rows were imported.",
        "Report it to the operator.",
    ),
    ValidationErrorCode(
        "import.failed",
        "The import failed unexpectedly. `imported` rows were imported.",
        "Report it to the operator.",
    ),
    ValidationErrorCode(
        "import.cell.number",
        "The cell is not a number, or has two readings and the decimal mark of the file is unclear: `1.234`.",
        "Correct it, or set `decimalMark`.",
    ),
    ValidationErrorCode("import.cell.boolean", "The cell is neither yes nor no.", "Write `yes` or `no`."),
    ValidationErrorCode(
        "import.cell.date",
        "The cell is not a date, or has two readings and no date of the file says what is first: `3/4/2026`.",
        "Write it as `2026-03-29`, or set `firstInDates`.",
    ),
    ValidationErrorCode("import.cell.time", "The cell is not a time of day.", "Write it as `14:30`."),
    ValidationErrorCode(
        "import.cell.datetime",
        "The cell is not a date and time, or a time that clocks skip or show twice in the time zone.",
        "Write it as `2026-03-29 14:30`, or with an offset.",
    ),
    ValidationErrorCode(
        "import.cell.location", "The cell is not a position.", "Write latitude and longitude: `52.52,13.405`."
    ),
    ValidationErrorCode(
        "import.cell.points",
        "The cell is not a line or area.",
        "Write latitude and longitude of its points, separated by semicolons: `52.52 13.405; 52.53 13.41`.",
    ),
    ValidationErrorCode("import.cell.json", "The cell is not valid JSON.", "Write the rows of a repeat as JSON."),
    ValidationErrorCode("import.cell.user", "The cell is not the id of a user.", "Use an id such as `usr_…`."),
    ValidationErrorCode(
        "import.cell.external_id", "The external id has more than 200 characters.", "Use a shorter one."
    ),
)
