"""The parts of the client generated from the OpenAPI document, and its public names."""

import ast
import inspect
import re
import sys
from pathlib import Path
from typing import get_type_hints
from zipfile import ZipFile

import formwright_client
import pytest
from factories.openapi_validator import described
from formwright_client import AsyncClient, Client, schemas
from hatchling.builders.wheel import WheelBuilder

from scripts.client.modules import PACKAGE, existing_modules, generate_modules


def test_the_client_matches_the_openapi_document() -> None:
    modules = generate_modules(described())
    assert existing_modules() == modules.keys()
    for path, text in modules.items():
        assert path.read_text(encoding="utf-8") == text, f"{path.name} is out of date: run `make openapi`"


def test_types_can_be_read_at_run_time() -> None:
    found = [schema for schema in vars(schemas).values() if hasattr(schema, "__required_keys__")]
    assert len(found) > 100
    assert all(get_type_hints(schema) for schema in found)


@pytest.mark.parametrize("client", [Client, AsyncClient])
@pytest.mark.parametrize(
    "base_url",
    [
        "",
        "forms.example.org",
        "https://",
        "ftp://forms.example.org",
        "https://forms.example.org/forms",
        "https://forms.example.org?key=1",
        "https://user:secret@forms.example.org",
        "https://forms.example.org:port",
    ],
)
def test_an_invalid_address_is_rejected(client: type[Client | AsyncClient], base_url: str) -> None:
    with pytest.raises(ValueError, match="base_url"):
        client(base_url, "fwk_key")


def test_an_invalid_key_is_rejected() -> None:
    for key in ("", "fwk_key\n", "fwk key", "fwk_ключ"):
        with pytest.raises(ValueError, match="api_key"):
            Client("https://forms.example.org", key)


def test_httpx_is_the_only_dependency() -> None:
    sources = [ast.parse(path.read_text(encoding="utf-8")) for path in PACKAGE.rglob("*.py")]
    nodes = [node for source in sources for node in ast.walk(source)]
    named = {one.name for node in nodes if isinstance(node, ast.Import) for one in node.names}
    named |= {str(node.module) for node in nodes if isinstance(node, ast.ImportFrom)}
    assert {name.partition(".")[0] for name in named} - sys.stdlib_module_names == {"httpx", "formwright_client"}


def test_every_public_name_has_a_docstring() -> None:
    public = [getattr(formwright_client, name) for name in formwright_client.__all__]
    classes = [one for one in public if inspect.isclass(one)]
    methods = [method for one in classes for name, method in vars(one).items() if not name.startswith("_")]
    documented = [*classes, *filter(callable, methods), *filter(inspect.isfunction, public)]
    assert [one for one in documented if not one.__doc__] == []


@pytest.mark.parametrize("client", [Client, AsyncClient])
def test_docstrings_describe_arguments_results_and_errors(client: type[Client | AsyncClient]) -> None:
    resources = vars(client("https://localhost", "fwk_key"))
    for resource in (resources[name] for name in resources if not name.startswith("_")):
        for name, method in inspect.getmembers(resource, inspect.ismethod):
            if not name.startswith("_"):
                sections = re.split(r"\n(?=\w+:\n)", inspect.getdoc(method) or "")
                found = {title: text for title, _, text in (one.partition(":\n") for one in sections[1:])}
                signature = inspect.signature(method)
                arguments = re.findall(r"^    (\w+): \S", found.get("Args", ""), re.MULTILINE)
                assert set(arguments) == signature.parameters.keys(), method
                assert ("Returns" in found) == (signature.return_annotation != "None"), method
                assert "ApiError: " in found["Raises"], method


def test_the_client_is_a_separate_package(tmp_path: Path) -> None:
    [wheel] = WheelBuilder(str(PACKAGE.parent)).build(directory=str(tmp_path), versions=["standard"])
    names = ZipFile(wheel).namelist()
    expected = {"py.typed", "_async/resources/forms.py", "_sync/client.py", "schemas/forms.py"}
    assert {f"formwright_client/{name}" for name in expected} <= set(names)
    assert {name.partition("/")[0] for name in names} == {"formwright_client", "formwright_client-0.1.0.dist-info"}
