"""The parts of the client generated from the OpenAPI document, and its public names."""

import ast
import sys
from pathlib import Path
from typing import get_type_hints
from zipfile import ZipFile

from factories.openapi_validator import described
from factories.sample_account import BY_NAME
from formwright_client import shapes
from formwright_client.calls import Calls
from hatchling.builders.wheel import WheelBuilder

from scripts.client.modules import PLACE, made, standing
from scripts.client.python import snake


def test_the_client_matches_the_openapi_document() -> None:
    modules = made(described())
    assert standing() == modules.keys()
    for place, text in modules.items():
        assert place.read_text(encoding="utf-8") == text, f"{place.name} is out of date: run `make openapi`"


def test_each_operation_has_a_method() -> None:
    without_twins = {name for name in BY_NAME if name.replace("Customer", "", 1) not in BY_NAME.keys() - {name}}
    calls = [name for group in Calls.__bases__ for name in vars(group) if not name.startswith("__")]
    assert sorted(calls) == sorted({snake(name) for name in without_twins} - {"list_events"})


def test_types_can_be_read_at_run_time() -> None:
    found = [shape for shape in vars(shapes).values() if hasattr(shape, "__required_keys__")]
    assert len(found) > 100
    assert all(get_type_hints(shape) for shape in found)


def test_httpx_is_the_only_dependency() -> None:
    sources = [ast.parse(path.read_text(encoding="utf-8")) for path in PLACE.rglob("*.py")]
    nodes = [node for source in sources for node in ast.walk(source)]
    named = {one.name for node in nodes if isinstance(node, ast.Import) for one in node.names}
    named |= {str(node.module) for node in nodes if isinstance(node, ast.ImportFrom)}
    assert {name.partition(".")[0] for name in named} - sys.stdlib_module_names == {"httpx", "formwright_client"}


def test_the_client_is_a_separate_package(tmp_path: Path) -> None:
    [wheel] = WheelBuilder(str(PLACE.parent)).build(directory=str(tmp_path), versions=["standard"])
    names = ZipFile(wheel).namelist()
    assert {"formwright_client/py.typed", "formwright_client/calls/forms.py"} <= set(names)
    assert {name.partition("/")[0] for name in names} == {"formwright_client", "formwright_client-0.1.0.dist-info"}
