"""Client generators accept the OpenAPI document without warnings, and their clients work against a server."""

import asyncio
import json
import re
import sys

import pytest
from fixtures.accounts import AccountFactory, Person
from fixtures.client_generators import EXAMPLES, ROOT, program, python_client, run, typescript_client
from fixtures.node import node

FAULT = ("request.invalid", "/data/site", "value.type")


def variables(person: Person) -> dict[str, str]:
    authority = str(person.server.data / "tls" / "ca.pem")
    return {
        "BASE": person.path("/api/v1.0"),
        "KEY": person.key,
        "SSL_CERT_FILE": authority,
        "NODE_EXTRA_CA_CERTS": authority,
    }


@pytest.mark.slow
async def test_a_client_by_openapi_python_client_works(https_accounts: AccountFactory) -> None:
    person = await https_accounts.create_account()
    folder = await asyncio.to_thread(python_client)
    words = program("python"), str(EXAMPLES / "generated.py")
    said = await asyncio.to_thread(lambda: run(*words, PYTHONPATH=str(folder), **variables(person)))
    assert said.splitlines() == [
        "{'site': 'Pier'}",
        "['Harbour', 'Quay', 'Pier']",
        "['Harbour']",
        f"{FAULT[0]} [('{FAULT[1]}', '{FAULT[2]}')]",
    ]


@pytest.mark.slow
async def test_a_client_by_openapi_typescript_works(https_accounts: AccountFactory) -> None:
    person = await https_accounts.create_account()
    folder = await asyncio.to_thread(typescript_client)
    words = str(node()), str(folder / "generated.js")
    said = await asyncio.to_thread(lambda: run(*words, **variables(person)))
    assert said.splitlines() == ["Harbour Quay Pier", "Harbour", f"{FAULT[0]} {FAULT[1]} {FAULT[2]}"]


@pytest.mark.slow
def test_the_client_by_openapi_python_client_has_no_type_errors() -> None:
    # Names that clash in one namespace, such as a class that a property hides, only show up here.
    folder = python_client()
    python, cache = program("python"), str(folder.parent / "mypy")
    options = ("--config-file=", f"--python-executable={python}", f"--cache-dir={cache}")
    assert "no issues found" in run(sys.executable, "-m", "mypy", *options, "formwright_api_client", folder=folder)


@pytest.mark.parametrize("name", ["generated.py", "generated.ts", "load.py"])
def test_the_docs_contain_the_tested_examples(name: str) -> None:
    page = (ROOT / "docs" / "guides" / "clients.md").read_text(encoding="utf-8")
    blocks = re.findall(r"^```\w+\n(.*?)^```", page, re.DOTALL | re.MULTILINE)
    assert (EXAMPLES / name).read_text(encoding="utf-8") in blocks


def test_the_docs_name_the_versions_that_are_tested() -> None:
    page = (ROOT / "docs" / "guides" / "clients.md").read_text(encoding="utf-8")
    npm = json.loads((ROOT / "package.json").read_text(encoding="utf-8"))["devDependencies"]
    pins = (ROOT / "requirements" / "clients.txt").read_text(encoding="utf-8")
    for name in ("openapi-typescript", "openapi-fetch", "typescript"):
        assert f"{name}@{npm[name]}" in page
    for name, named in (("openapi-python-client", "openapi-python-client"), ("dlt", "'dlt[duckdb]")):
        [version] = re.findall(rf"^{name}(?:\[.*\])?==(\S+)", pins, re.MULTILINE)
        assert f"{named}=={version}" in page
