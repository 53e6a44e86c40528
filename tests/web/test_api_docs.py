"""The API reference is public and complete, and its examples run unchanged."""

import asyncio
import html
import json
import os
import re
import sys
import tomllib
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec
import pytest
from actors import Account
from factories.web_client import visit
from fixtures.accounts import Person
from fixtures.browser import WatchedPage
from fixtures.node import node
from playwright.async_api import expect

from formwright.api.binary_bodies import is_file
from formwright.api.openapi.document import document
from formwright.api.v1_0.examples import BODIES
from formwright.api.v1_0.operations import OPERATIONS
from formwright.api.v1_0.schemas.events import CATALOGUE
from formwright.web.api_docs.guides import list_guides
from formwright.web.api_docs.openapi_model import list_operation_groups, slugify

ROOT = Path(__file__).resolve().parents[2]
WITH_JSON = [operation for operation in OPERATIONS if operation.body and not is_file(operation.body)]
SLUGS = {operation.name: slugify(operation.tag) for operation in OPERATIONS}


@pytest.mark.parametrize("operation", WITH_JSON, ids=lambda one: one.name)
def test_the_example_of_a_body_matches_its_schema(operation: Any) -> None:
    msgspec.json.decode(msgspec.json.encode(BODIES[operation.name]), type=operation.body)


def test_there_are_no_examples_of_unknown_operations() -> None:
    assert BODIES.keys() - {operation.name for operation in WITH_JSON} == set()


def test_every_operation_has_a_group_and_three_examples() -> None:
    found = {one.id: one for group in list_operation_groups(document()) for one in group.operations}
    assert found.keys() == {operation.name for operation in OPERATIONS}
    for one in found.values():
        assert list(one.examples) == ["curl", "Python", "JavaScript"]
        assert not [text for text in one.examples.values() if "01h455vb4pex5vsknk084sn02q" in text]


async def test_every_page_is_public_and_requests_nothing_from_other_servers(account: Account) -> None:
    async with account.stage.client() as http:
        pages = {path: await http.get(path) for path in ("/docs", "/docs/shapes", "/docs/events")}
        pages |= {slug: await http.get(f"/docs/{slug}") for slug in set(SLUGS.values())}
        assert (await http.get("/docs/nowhere")).status_code == 404
    assert {response.status_code for response in pages.values()} == {200}
    for operation in OPERATIONS:
        assert f'id="{operation.name}"' in pages[SLUGS[operation.name]].text
        assert f"#{operation.name}" in pages["/docs"].text
    assert not [name for name in CATALOGUE if name not in pages["/docs/events"].text]
    shapes = set(re.findall(r'href="/docs/shapes#(\w+)"', "".join(one.text for one in pages.values())))
    assert shapes <= set(re.findall(r'<article class="card" id="(\w+)"', pages["/docs/shapes"].text))
    for response in pages.values():
        assert "unsafe" not in response.headers["content-security-policy"]
        assert not re.findall(r'(?:src|href)="(?:https?:)?//[^"]*"', response.text)
        assert not re.findall(r"<(?:script|style)>|style=|onclick", response.text)


async def test_every_guide_is_shown_and_its_links_lead_somewhere(account: Account) -> None:
    async with account.stage.client() as http:
        pages = {path: await http.get(f"/docs/guides/{path}".rstrip("/")) for path in list_guides()}
        assert (await http.get("/docs/guides/guides/nowhere")).status_code == 404
        assert (await http.get("/docs/guides/guides/..%2F..%2Fviews")).status_code == 404
    assert {response.status_code for response in pages.values()} == {200}
    wheel = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["hatch"]["build"]["targets"]["wheel"]
    shipped = {path for place in wheel["force-include"] for path in [ROOT / place, *(ROOT / place).rglob("*.md")]}
    assert len(pages) == len([path for path in shipped if path.is_file()])
    anchors = {path: set(re.findall(r' id="([^"]+)"', response.text)) for path, response in pages.items()}
    for path, response in pages.items():
        article = response.text.partition("<article")[2].partition("</article>")[0]
        for target in re.findall(r'href="([^"]+)"', article):
            page, _, anchor = target.removeprefix("/docs/guides").removeprefix("/").partition("#")
            if not target.startswith(("https://", "/api/")):
                assert not anchor or anchor in anchors[path if target.startswith("#") else page], (path, target)
                assert target.startswith("#") or page in pages, (path, target)
    assert 'href="/docs/guides/guides/webhooks"' in pages[""].text
    assert '<td data-label="Variable"><code>FORMWRIGHT_DATA_DIR</code></td>' in pages["reference/settings"].text


async def test_signed_in_users_see_their_own_account_in_examples(account: Account) -> None:
    async with visit(account) as site:
        assert f"export CUSTOMER={account.id}" in (await site.http.get("/docs")).text
        assert "/docs" in (await site.http.get("/settings")).text


@dataclass(slots=True)
class ExampleRunner:
    """Copies examples from the pages and runs them, with environment variables set as the overview says."""

    person: Person
    pages: dict[str, str] = field(default_factory=dict)
    variables: dict[str, str] = field(default_factory=dict)

    async def example(self, name: str, language: str) -> str:
        slug = SLUGS[name]
        if slug not in self.pages:
            async with self.person.server.client() as http:
                self.pages[slug] = (await http.get(f"/docs/{slug}")).text
        found = re.search(rf'<code id="{name}-{language}">(.*?)</code>', self.pages[slug], re.DOTALL)
        assert found
        return html.unescape(found[1])

    async def run(self, *words: str) -> Any:
        child = await asyncio.create_subprocess_exec(
            *words,
            env={"PATH": os.environ["PATH"], "CURL_HOME": str(self.person.server.data)} | self.variables,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
        )
        out, err = await child.communicate()
        assert child.returncode == 0, (out + err).decode()
        return json.loads(out) if out.strip() else None

    async def curl(self, name: str) -> Any:
        return await self.run("bash", "-c", await self.example(name, "curl"))


@pytest.fixture
def runner(person: Person) -> ExampleRunner:
    authority = str(person.server.data / "tls" / "ca.pem")
    (person.server.data / ".curlrc").write_text("silent\nfail-with-body\n")
    new_runner = ExampleRunner(person)
    new_runner.variables = {"BASE": person.path("/api/v1.0"), "KEY": person.key, "CUSTOMER": person.customer_id}
    new_runner.variables |= {"CURL_CA_BUNDLE": authority, "SSL_CERT_FILE": authority, "NODE_EXTRA_CA_CERTS": authority}
    return new_runner


async def test_the_examples_run_with_curl(runner: ExampleRunner) -> None:
    ways = [
        ("createForm", "FORM"),
        ("getForm", ""),
        ("createSubmission", "SUBMISSION"),
        ("getSubmission", ""),
        ("listSubmissions", ""),
        ("updateSubmission", ""),
        ("listUsers", "USER_ID"),
        ("createTask", "TASK"),
        ("updateTaskByReference", ""),
        ("createFolder", "FOLDER"),
        ("moveForms", ""),
        ("createDatasource", "DATASOURCE"),
        ("upsertDatasourceRows", ""),
        ("createSubscriber", "SUBSCRIBER"),
        ("updateSubscriber", ""),
        ("testSubscriber", "INVOCATION"),
        ("listEvents", ""),
        ("listAuditEntries", ""),
        ("deleteSubscriber", ""),
    ]
    for name, variable in ways:
        answer = await runner.curl(name)
        if variable:
            runner.variables[variable] = (answer["items"][0] if "items" in answer else answer)["id"]
    assert runner.variables["SUBMISSION"].startswith("sub_")


@pytest.mark.slow
async def test_the_examples_run_in_python_and_in_node(runner: ExampleRunner) -> None:
    for language, words in (
        ("python", (sys.executable, "-c")),
        ("javascript", (str(node()), "--input-type=module", "-e")),
    ):
        created = await runner.run(*words, await runner.example("createForm", language))
        runner.variables["FORM"] = created["id"]
        listed = await runner.run(*words, await runner.example("getForm", language))
        assert listed["name"] == "Site visit"


@pytest.mark.slow
async def test_operations_can_be_searched_and_the_language_is_remembered(
    desktop_page: WatchedPage, person: Person
) -> None:
    page = desktop_page.page
    await page.goto(person.path("/docs"))
    await page.get_by_label("Search").fill("post invite")
    await expect(page.get_by_role("status").filter(has_text="operations")).to_be_visible()
    await expect(page.get_by_role("heading", name="Submissions", exact=True)).to_be_hidden()
    await page.get_by_label("Search").fill("createSubmission")
    await page.locator('a[href="/docs/submissions#createSubmission"]').click()
    await page.wait_for_url("**/docs/submissions*")
    operation = page.locator("#createSubmission")
    await operation.get_by_text("Python", exact=True).click()
    await expect(operation.get_by_text("import httpx")).to_be_visible()
    await page.reload()
    await expect(operation.get_by_text("import httpx")).to_be_visible()
    await expect(page.locator("#getSubmission").get_by_text("import httpx")).to_be_visible()
    assert desktop_page.errors == []
