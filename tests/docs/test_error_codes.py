"""docs/errors.md names every error there is, with its status, and no other."""

import ast
import importlib
import pkgutil
from collections.abc import Iterator
from pathlib import Path

import formwright
from formwright.api.errors import status_of
from formwright.core.kernel.errors import DomainError
from formwright.core.kernel.schema_faults import _WORDS

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs/errors.md").read_text(encoding="utf-8")


def rows(section: str) -> list[list[str]]:
    """The table of a section, as cells."""
    body = PAGE.partition(f"\n## {section}\n")[2].partition("\n## ")[0]
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


def fault_codes() -> set[str]:
    """Every code that a fault is made with. One that is not written there is of an error, or of `_WORDS`."""
    found = {code for code, _ in _WORDS.values()}
    for path in sorted((ROOT / "src").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            match node:
                case ast.Call(func=ast.Name("Fault") | ast.Attribute(ast.Name("Invalid"), "at"), args=[_, code, *_]):
                    found |= codes_in(code, path)
    return found


def codes_in(code: ast.expr, path: Path) -> set[str]:
    match code:
        case ast.Constant(str(text)):
            return {text}
        case ast.Attribute(ast.Name("error"), "code"):
            return set()
        case ast.Name("code") if path.name == "errors.py":
            return set()
        case ast.Name("code") if path.name == "schema_faults.py":
            return {"value.invalid"}
    raise AssertionError(f"{path.name}: this test cannot see which code {ast.unparse(code)} is")


def test_every_problem_is_documented_with_its_status() -> None:
    documented = {code.strip("`"): int(status) for code, status, *_ in rows("Problems")}
    assert documented == {kind.code: status_of(kind) for kind in kinds() if "code" in vars(kind)}


def test_every_fault_is_documented() -> None:
    documented = {code.strip("`") for code, *_ in rows("Faults")}
    assert documented == fault_codes()


def test_no_error_is_documented_twice_or_without_a_remedy() -> None:
    cells = rows("Problems") + rows("Faults")
    codes = [row[0] for row in cells]
    assert len(codes) == len(set(codes))
    assert all(all(row) for row in cells)
