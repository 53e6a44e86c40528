"""Faults of datasources, and of the files that bring their rows."""

from formwright.api.problems.entry import FaultCode

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
