"""All codes, in the order in which docs/reference/errors.md shows them, and the two tables of that page."""

from formwright.api.error_catalog.faults import FORMS, ROWS, VALUES, WORK
from formwright.api.error_catalog.problems import ABSENT, CONFLICTS, LIMITS, REFUSED

PROBLEMS = (*REFUSED, *ABSENT, *CONFLICTS, *LIMITS)
FAULTS = (*VALUES, *FORMS, *ROWS, *WORK)


def problem_table() -> str:
    """The codes of problems as a table in Markdown."""
    lines = ["| code | status | meaning | what to do |", "|---|---|---|---|"]
    lines += [f"| `{one.code}` | {one.status} | {one.meaning} | {one.remedy} |" for one in PROBLEMS]
    return "\n".join(lines) + "\n"


def fault_table() -> str:
    """The codes of faults as a table in Markdown."""
    lines = ["| code | meaning | what to do |", "|---|---|---|"]
    lines += [f"| `{one.code}` | {one.meaning} | {one.remedy} |" for one in FAULTS]
    return "\n".join(lines) + "\n"
