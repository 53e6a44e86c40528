"""docs/errors.md names every error there is, with its status, and no other; docs/xlsform.md those of spreadsheets."""

import ast
import importlib
import pkgutil
from collections.abc import Iterator
from pathlib import Path

import formwright
from formwright.api.errors import status_of
from formwright.core.kernel.errors import DomainError
from formwright.core.kernel.schema_faults import CODES
from formwright.domain.datasources.tables import xlsx_table

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs/errors.md").read_text(encoding="utf-8")
XLSFORM_PAGE = (ROOT / "docs/xlsform.md").read_text(encoding="utf-8")
XLSFORM = ROOT / "src/formwright/domain/forms/xlsform"
KERNEL = ROOT / "src/formwright/core/kernel"


def rows(section: str, page: str = PAGE) -> list[list[str]]:
    """The table of a section, as cells."""
    body = page.partition(f"\n## {section}\n")[2].partition("\n## ")[0]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in body.splitlines() if line[:3] == "| `"]


def kinds() -> Iterator[type[DomainError]]:
    """Every kind of error that any module of ours declares."""
    for module in pkgutil.walk_packages(formwright.__path__, "formwright."):
        if not module.name.endswith(("__main__", ".env")):
            importlib.import_module(module.name)
    waiting: list[type[DomainError]] = [DomainError]
    while waiting:
        kind = waiting.pop()
        waiting += kind.__subclasses__()
        if kind.__module__.startswith("formwright."):
            yield kind


def calls(folder: Path) -> Iterator[tuple[Path, ast.Call]]:
    for path in sorted(folder.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call):
                yield path, node


def fault_codes() -> set[str]:
    """Every code that a fault is made with. One that is not written there is of an error, or of `CODES`."""
    found = {*CODES.values(), *xlsx_table.CODES.values()}
    for path, call in calls(ROOT / "src"):
        match call:
            case ast.Call(func=ast.Name("Fault") | ast.Attribute(ast.Name("Invalid"), "at"), args=[_, code, *_]):
                found |= codes_in(code, path)
            case ast.Call(func=ast.Name("BadRow"), args=[_, _, code, _]):
                found |= codes_in(code, path)
            case ast.Call(func=ast.Name("TableUnreadable"), args=[code, *_]):
                found |= codes_in(code, path)
    return found


def codes_in(code: ast.expr, path: Path) -> set[str]:
    match code:
        case ast.Constant(str(text)):
            return {text}
        case ast.Attribute(ast.Name(), "code"):
            return set()
        case ast.Name("code") if path.name == "errors.py":
            return set()
        case ast.Call(ast.Attribute(ast.Name("CODES"), "get"), args=[_, ast.Constant(str(text))]):
            return {text}
        case ast.JoinedStr([ast.Constant("xlsform."), _]) if path.is_relative_to(XLSFORM):
            return set()
    raise AssertionError(f"{path.name}: this test cannot see which code {ast.unparse(code)} is")


def notes() -> set[tuple[str, str, str]]:
    """What a report of XLSForm may hold: the code, on which way, and what happened."""
    found: set[tuple[str, str, str]] = set()
    for path, call in calls(XLSFORM):
        match call:
            case ast.Call(ast.Attribute(_, "changed" | "dropped" | "refused" | "warned" as kind), args=[*_, code, _]):
                pass
            case ast.Call(ast.Attribute(_, "_leave"), args=[_, code, _]):
                kind = "dropped"
            case _:
                continue
        if isinstance(code, ast.Constant):
            found.add((f"xlsform.{code.value!s}", "out" if path.stem.endswith("_out") else "in", kind))
    return found


def refusals() -> set[str]:
    """The codes with which a spreadsheet is refused as a whole."""
    shorts = {c.args[0].value for _, c in calls(KERNEL) if ast.unparse(c.func) == "Unusable"}  # type: ignore[attr-defined]
    return {f"xlsform.{short}" for short in shorts} | {code for code in fault_codes() if code.startswith("xlsform.")}


def test_every_problem_is_documented_with_its_status() -> None:
    documented = {code.strip("`"): int(status) for code, status, *_ in rows("Problems")}
    assert documented == {kind.code: status_of(kind) for kind in kinds() if "code" in vars(kind)}


def test_every_fault_is_documented() -> None:
    documented = {code.strip("`") for code, *_ in rows("Faults")}
    assert documented == {code for code in fault_codes() if not code.startswith("xlsform.")}


def test_every_refusal_of_a_spreadsheet_is_documented() -> None:
    assert {code.strip("`") for code, *_ in rows("What is refused", XLSFORM_PAGE)} == refusals()


def test_every_note_of_a_report_is_documented() -> None:
    table = rows("Notes", XLSFORM_PAGE)
    assert {(code.strip("`"), way, kind) for code, ways, kind, _ in table for way in ways.split(", ")} == notes()


def test_no_error_is_documented_twice_or_without_a_remedy() -> None:
    cells = rows("Problems") + rows("Faults")
    codes = [row[0] for row in cells]
    assert len(codes) == len(set(codes))
    assert all(all(row) for row in cells)
