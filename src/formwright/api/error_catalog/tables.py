"""All codes in the order of docs/reference/errors.md, and the two tables of that page."""

from formwright.api.error_catalog.conflicts import CONFLICTS
from formwright.api.error_catalog.datasource_errors import DATASOURCES
from formwright.api.error_catalog.form_errors import FORMS, VALUES
from formwright.api.error_catalog.import_errors import IMPORTS
from formwright.api.error_catalog.problems import LIMITS_AND_FAILURES, NOT_FOUND, REJECTED
from formwright.api.error_catalog.validation_errors import OTHER

PROBLEMS = (*REJECTED, *NOT_FOUND, *CONFLICTS, *LIMITS_AND_FAILURES)
VALIDATION_ERRORS = (*VALUES, *FORMS, *DATASOURCES, *IMPORTS, *OTHER)


def problem_table() -> str:
    """Return the codes of problems as a Markdown table."""
    lines = ["| code | status | meaning | what to do |", "|---|---|---|---|"]
    lines += [f"| `{entry.code}` | {entry.status} | {entry.meaning} | {entry.remedy} |" for entry in PROBLEMS]
    return "\n".join(lines) + "\n"


def validation_error_table() -> str:
    """Return the codes of validation errors as a Markdown table."""
    lines = ["| code | meaning | what to do |", "|---|---|---|"]
    lines += [f"| `{entry.code}` | {entry.meaning} | {entry.remedy} |" for entry in VALIDATION_ERRORS]
    return "\n".join(lines) + "\n"
