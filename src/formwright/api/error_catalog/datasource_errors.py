"""Codes of validation errors of data sources, their uploads and tables."""

from formwright.api.error_catalog.entries import ValidationErrorCode

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
        "cell.formula_without_value",
        "The cell contains a formula, and the file has no value for it.",
        "Open the file in a spreadsheet program and save it there, or write the value.",
    ),
    ValidationErrorCode(
        "table.empty", "The file is empty or has no header.", "Send a file whose first row contains the column names."
    ),
    ValidationErrorCode(
        "table.html", "The file is an HTML page.", "This is often a sign-in page: download the file itself."
    ),
    ValidationErrorCode(
        "datasource.decimal_mark",
        "A column has to be a number, but its cells have two readings, such as `1.234`.",
        "Set `?decimalMark=`.",
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
        "The file is not valid text in this encoding, or it is not certain which one it has.",
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
