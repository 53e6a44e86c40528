"""The error catalogue lists exactly the errors that exist, with their status; docs/reference/errors.md is made from it.

docs/reference/xlsform.md lists those of spreadsheets.
"""

import ast
import importlib
import json
import pkgutil
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path

import pytest

import formwright
from formwright.api.error_catalog.tables import PROBLEMS, VALIDATION_ERRORS, problem_table
from formwright.api.errors import status_of
from formwright.core.errors import DomainError
from formwright.core.json_schema_errors import CODES
from formwright.core.tables import xlsx
from formwright.core.workbooks.models import Problem
from formwright.domain.forms.xlsform import exporter
from scripts.contract import PROMISED, statuses
from scripts.errors import with_tables

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs/reference/errors.md").read_text(encoding="utf-8")
XLSFORM_PAGE = (ROOT / "docs/reference/xlsform.md").read_text(encoding="utf-8")
XLSFORM = ROOT / "src/formwright/domain/forms/xlsform"
DOMAIN = ROOT / "src/formwright/domain"

CREATORS = ("ValidationFault", "Invalid.at", "BadRow", "RejectedRow", "TableUnreadable", "CellInvalid")
"""What creates validation errors."""
GENERAL = ("value.", "query.", "cursor.")
"""Codes with this prefix are used by every package: they are about a value, whatever it is a value of."""
SHARED = {"folder.required", "user.disabled"}
"""Codes of validation errors that several packages use with the same meaning."""


def rows(section: str, page: str) -> list[list[str]]:
    """Return the table of a section, as cells."""
    body = page.partition(f"\n## {section}\n")[2].partition("\n## ")[0]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in body.splitlines() if line[:3] == "| `"]


def kinds() -> Iterator[type[DomainError]]:
    """Yield every error class of the application."""
    for module in pkgutil.walk_packages(formwright.__path__, "formwright."):
        if not module.name.endswith(("__main__", ".env")):
            importlib.import_module(module.name)
    waiting: list[type[DomainError]] = [DomainError]
    while waiting:
        kind = waiting.pop()
        waiting += kind.__subclasses__()
        if kind.__module__.startswith("formwright."):
            yield kind


def calls(folder: Path, names: Sequence[str] = ("",)) -> Iterator[tuple[Path, ast.Call]]:
    """Yield the calls in files that contain one of these names: parsing all files takes seconds."""
    for path in sorted(folder.rglob("*.py")):
        text = path.read_text(encoding="utf-8")
        if not any(name in text for name in names):
            continue
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.Call):
                yield path, node


@cache
def faults() -> list[tuple[Path, str]]:
    """Return every code written in a call that creates a validation error, with its file."""
    found = []
    for path, call in calls(ROOT / "src", CREATORS):
        match call:
            case ast.Call(
                func=ast.Name("ValidationFault") | ast.Attribute(ast.Name("Invalid"), "at"), args=[_, code, *_]
            ):
                pass
            case ast.Call(func=ast.Name("BadRow"), args=[_, _, code, _]):
                pass
            case ast.Call(func=ast.Name("RejectedRow"), args=[_, _, code, _]):
                pass
            case ast.Call(func=ast.Name("TableUnreadable" | "CellInvalid"), args=[code, *_]):
                pass
            case _:
                continue
        found += [(path, text) for text in codes_in(code, path)]
    return found


def fault_codes() -> set[str]:
    """Return every code of validation errors. Those not written in a call belong to an error class or to `CODES`."""
    return {*CODES.values(), *xlsx.SIZE_CODES.values(), *(code for _, code in faults())}


def declared() -> list[type[DomainError]]:
    """Return the error classes that define a code."""
    return [kind for kind in kinds() if "code" in vars(kind)]


def codes_in(code: ast.expr, path: Path) -> set[str]:
    match code:
        case ast.Constant(str(text)):
            return {text}
        case ast.Attribute(ast.Name(), "code"):
            return set()
        case ast.Name("code") if path.name == "errors.py":
            return set()
        case ast.Call(ast.Attribute(ast.Name("CODES" | "SIZE_CODES"), "get"), args=[_, ast.Constant(str(text))]):
            return {text}
        case ast.JoinedStr([ast.Constant("xlsform."), _]) if path.is_relative_to(XLSFORM):
            return set()
    raise AssertionError(f"{path.name}: this test cannot see which code {ast.unparse(code)} is")


KINDS = {"add_change": "changed", "add_drop": "dropped", "add_refusal": "refused", "add_warning": "warned"}
"""The outcome that each method of a report stands for."""


def notes() -> set[tuple[str, str, str]]:
    """Return the notes that an XLSForm report can contain: code, direction and outcome."""
    found = {(f"xlsform.{code}", "out", "dropped") for code in exporter.LOSSES}
    for path, call in calls(XLSFORM):
        match call:
            case ast.Call(ast.Attribute(_, name), args=[*_, code, _]) if name in KINDS:
                kind = KINDS[name]
            case ast.Call(ast.Attribute(_, "_leave_out"), args=[_, code, _]):
                kind = "dropped"
            case _:
                continue
        if isinstance(code, ast.Constant):
            found.add((f"xlsform.{code.value!s}", "out" if path.stem.startswith("export") else "in", kind))
    return found


def refusals() -> set[str]:
    """Return the codes with which a whole spreadsheet is refused."""
    return {f"xlsform.{problem}" for problem in Problem} | {
        code for code in fault_codes() if code.startswith("xlsform.")
    }


def test_every_problem_is_documented_with_its_status() -> None:
    assert {one.code: one.status for one in PROBLEMS} == {kind.code: status_of(kind) for kind in declared()}


def test_every_validation_error_is_documented() -> None:
    codes = {code for code in fault_codes() if not code.startswith("xlsform.")}
    assert {one.code for one in VALIDATION_ERRORS} == codes


def test_every_code_is_documented_once_with_a_remedy() -> None:
    codes = Counter(one.code for one in (*PROBLEMS, *VALIDATION_ERRORS))
    assert [code for code, times in codes.items() if times > 1] == []
    for one in (*PROBLEMS, *VALIDATION_ERRORS):
        for text in (one.code, one.meaning, one.remedy):
            assert text.strip() == text != "", one.code
            assert not {"|", "\n"} & set(text), one.code


def test_problems_are_ordered_by_status() -> None:
    assert [one.status for one in PROBLEMS] == sorted(one.status for one in PROBLEMS)


def test_no_code_belongs_to_two_error_classes() -> None:
    times = Counter(kind.code for kind in declared())
    assert [code for code, kinds_of_it in times.items() if kinds_of_it > 1] == []
    assert [kind for kind in kinds() if "detail" in vars(kind) and "code" not in vars(kind)] == []


def test_validation_errors_do_not_repeat_the_codes_of_problems() -> None:
    """A validation error with the meaning of a problem takes the code from the error class."""
    assert {code for _, code in faults()} & {kind.code for kind in declared()} == set()


def test_no_code_has_a_meaning_in_each_of_two_packages() -> None:
    packages: dict[str, set[str]] = {}
    for path, code in faults():
        if path.is_relative_to(DOMAIN) and not code.startswith(GENERAL):
            packages.setdefault(code, set()).add(path.relative_to(DOMAIN).parts[0])
    assert {code for code, found in packages.items() if len(found) > 1} == SHARED


def test_no_published_code_has_disappeared_or_changed_its_status() -> None:
    promised = statuses(json.loads(PROMISED.read_text(encoding="utf-8")))
    current = {one.code: {str(one.status)} for one in PROBLEMS}
    assert {code: current.get(code) for code in promised} == promised


def test_the_page_has_the_generated_tables() -> None:
    assert with_tables(PAGE) == PAGE, "run `make errors`"


def test_an_outdated_page_is_corrected_and_a_damaged_one_rejected() -> None:
    assert with_tables(PAGE.replace("| `key.missing` | 401 |", "| `key.missing` | 400 |")) == PAGE
    with pytest.raises(ValueError, match="one table of problems"):
        with_tables(PAGE.replace(problem_table(), ""))


def test_every_refusal_of_a_spreadsheet_is_documented() -> None:
    assert {code.strip("`") for code, *_ in rows("Rejected files", XLSFORM_PAGE)} == refusals()


def test_every_note_of_a_report_is_documented() -> None:
    table = rows("Codes in the report", XLSFORM_PAGE)
    assert {(code.strip("`"), way, kind) for code, ways, kind, _ in table for way in ways.split(", ")} == notes()
