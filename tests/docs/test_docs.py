"""The documentation matches the code: everything it names exists, and everything public is documented."""

import json
import re
import textwrap
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args
from urllib.parse import urlsplit

import click
import msgspec
import pytest
import typer
from pygments.lexers import get_lexer_by_name
from pygments.token import Token

from formwright.api.v1_0.schemas.events import CATALOGUE, Event
from formwright.cli.main import app
from formwright.core.auth.permissions import BUILT_IN_ROLES, FORM_PERMISSIONS, Permission
from formwright.core.net.http_client import Kind
from formwright.settings import ALL_SETTINGS

ROOT = Path(__file__).resolve().parents[2]
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), *(ROOT / "clients").rglob("*.md")])
TEXT = {page: page.read_text(encoding="utf-8") for page in PAGES}
NAMES = [str(page.relative_to(ROOT)) for page in PAGES]

LINK = re.compile(r"\]\(([^)\s]+)\)")
ADDRESS = re.compile(r"https?://[^\s`<>()\"',;]*[^\s`<>()\"',;.]")
# Examples and standards. Package hosts must not appear.
HOSTS = re.compile(
    r"localhost|127\.0\.0\.1|\[::1\]|([a-z-]+\.)*example\.(org|com)"
    r"|keepachangelog\.com|semver\.org|www\.rfc-editor\.org|www\.standardwebhooks\.com"
)
# Sources of statements about others.
CITED = {
    "docs/explanation/comparison.md": {"docs.getodk.org", "github.com", "support.kobotoolbox.org"},
    "docs/explanation/delivery-guarantees.md": {
        *("docs.github.com", "docs.stripe.com", "docs.svix.com", "getconvoy.io", "github.com", "hookdeck.com"),
        *("shopify.dev", "www.getconvoy.io"),
    },
    # The issuers of providers, which people enter.
    "docs/guides/single-sign-on.md": {"accounts.google.com", "login.microsoftonline.com"},
}


def page(name: str) -> str:
    return TEXT[ROOT / name]


def blocks(text: str, language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", text, re.DOTALL | re.MULTILINE)


def anchors(text: str) -> set[str]:
    """Return the anchors of headings, as GitHub generates them."""
    titles = re.findall(r"^#+ (.+)$", text, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}


@pytest.mark.parametrize("name", NAMES)
def test_links_have_a_target(name: str) -> None:
    for target in LINK.findall(page(name)):
        if target.startswith("http"):
            continue
        path, _, anchor = target.partition("#")
        there = ((ROOT / name).parent / path).resolve() if path else ROOT / name
        assert there.exists(), target
        assert not anchor or anchor in anchors(there.read_text(encoding="utf-8")), target


def test_the_readme_shows_all_pictures_and_they_stay_small() -> None:
    pictures = {path.relative_to(ROOT).as_posix(): path for path in (ROOT / "docs/images").iterdir()}
    assert set(re.findall(r"!\[[^\]]+\]\(([^)]+)\)", page("README.md"))) == set(pictures)
    assert sum(path.stat().st_size for path in pictures.values()) < 100_000 * len(pictures)


@pytest.mark.parametrize("name", NAMES)
def test_addresses_are_examples_or_standards(name: str) -> None:
    hosts = {urlsplit(address).netloc.rpartition("@")[2] for address in ADDRESS.findall(page(name))}
    others = {host for host in hosts if not HOSTS.fullmatch(re.sub(r":\d+$", "", host))}
    assert others == CITED.get(name, set())


@pytest.mark.parametrize("name", NAMES)
def test_no_machine_path_is_named(name: str) -> None:
    assert not re.findall(r"(?<![\w.])/(?:tmp|work|root|home)/\S*", page(name))


def test_make_targets_exist() -> None:
    known = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    code = [part for text in TEXT.values() for part in re.findall(r"`[^`\n]+`|^    .+$", text, re.MULTILINE)]
    named = {target for part in code for target in re.findall(r"^[` ]*(?:\w+=\S+ )?make ([a-z-]+)", part)}
    assert {"run", "test"} <= named <= known


def test_source_paths_exist() -> None:
    """A path in backticks is relative to the root of the repository or of the package."""
    begin = r"(?:src|tests|docs|scripts|core|domain|api|web|worker|migrations|cli)"
    named = {path for text in TEXT.values() for path in re.findall(rf"`({begin}/[\w./]*)`", text)}
    roots = (ROOT, ROOT / "src" / "formwright")
    assert "core/db/account_lock.py" in named
    assert not [path for path in sorted(named) if not any((root / path).exists() for root in roots)]


def test_the_architecture_describes_every_package() -> None:
    text = TEXT[ROOT / "docs/explanation/architecture.md"]
    source = ROOT / "src/formwright"
    for package in (*source.glob("*/__init__.py"), *source.glob("domain/*/__init__.py")):
        name = package.parent.relative_to(source).as_posix()
        assert name == "domain" or f"`{name}/`" in text, f"docs/explanation/architecture.md does not describe {name}"


# Settings


def parameters() -> Iterator[click.Parameter]:
    waiting: list[Any] = [typer.main.get_command(app)]
    while waiting:
        command = waiting.pop()
        waiting += getattr(command, "commands", {}).values()
        yield from command.params


def variables() -> set[str]:
    return {one.variable for one in ALL_SETTINGS} | {
        str(parameter.envvar) for parameter in parameters() if parameter.envvar
    }


def test_every_variable_is_documented() -> None:
    assert set(re.findall(r"^\| `(FORMWRIGHT_\w+)`", page("docs/reference/settings.md"), re.MULTILINE)) == variables()


REMOVED_VARIABLES = {"FORMWRIGHT_EXPORTS_DIR"}
"""Only the changelog names them."""


def test_no_page_names_a_variable_that_does_not_exist() -> None:
    for path, text in TEXT.items():
        known = variables() | (REMOVED_VARIABLES if path.name == "CHANGELOG.md" else set())
        assert set(re.findall(r"FORMWRIGHT_[A-Z_]*[A-Z]", text)) <= known, path


def test_every_option_is_documented_and_no_other() -> None:
    known = {option for parameter in parameters() for option in parameter.opts if option.startswith("--")}
    assert set(re.findall(r"(?<![\w-])--[a-z][a-z-]+", page("docs/reference/settings.md"))) == known - {"--help"}


# Examples


@pytest.mark.parametrize("type_", CATALOGUE)
def test_the_example_of_an_event_matches_its_schema(type_: str) -> None:
    category, data, _ = CATALOGUE[type_]
    section = page("docs/reference/events.md").partition(f"\n### `{type_}`\n")[2].partition("\n### ")[0]
    (example,) = blocks(section, "json")
    event = msgspec.json.decode(example, type=Event[data])  # type: ignore[valid-type]
    assert (event.type, event.category) == (type_, category)
    assert msgspec.json.decode(msgspec.json.encode(event)) == json.loads(example)


def test_no_event_is_documented_that_does_not_exist() -> None:
    assert re.findall(r"^### `([\w.]+)`$", page("docs/reference/events.md"), re.MULTILINE) == list(CATALOGUE)


def test_every_outcome_of_an_attempt_is_documented() -> None:
    outcomes = {*get_args(Kind), "success", "refused", "interrupted", "secret", "failed"}
    tries = page("docs/guides/webhooks.md").partition("\n| outcome |")[2].partition("\n\n")[0]
    assert outcomes == set(re.findall(r"^\| `([a-z]+)` \|", tries, re.MULTILINE))


FENCE = re.compile(r"^( *)```(\w+)\n(.*?)^\1```", re.DOTALL | re.MULTILINE)
DRAWN = "mermaid"


@pytest.mark.parametrize("name", [name for name in NAMES if FENCE.search(page(name))])
def test_examples_can_be_highlighted_and_json_can_be_parsed(name: str) -> None:
    """What Pygments cannot read is a warning of the documentation generator, which stops `make docs`."""
    for _, language, text in FENCE.findall(page(name)):
        block = textwrap.dedent(text)
        if language == "json":
            json.loads(block)
        if language != DRAWN:
            wrong = [value for kind, value in get_lexer_by_name(language).get_tokens(block) if kind is Token.Error]
            assert wrong == [], block


@pytest.mark.parametrize("name", [name for name in NAMES if blocks(page(name), "python")])
def test_python_examples_compile(name: str) -> None:
    for block in blocks(page(name), "python"):
        compile(block, name, "exec")


def test_the_verification_in_the_readme_accepts_the_standards_test_vector() -> None:
    names: dict[str, Any] = {}
    for block in blocks(page("README.md"), "python"):
        exec(block, names)
    headers = {
        "webhook-id": "msg_p5jXN8AQM9LWM0D4loKWxJek",
        "webhook-timestamp": "1614265330",
        "webhook-signature": "v1,bm90IHRoaXM= v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
    }
    secret, body, at = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", b'{"test": 2432232314}', 1614265330
    verify = names["verify"]
    assert verify(secret, headers, body, at)
    assert not verify(secret, headers, body + b" ", at)
    assert not verify(secret, headers | {"webhook-id": "msg_other"}, body, at)
    assert not verify(secret, headers, body, at + 301)
    assert not verify(secret, headers, body)


# Users


def test_every_permission_and_every_built_in_role_is_documented() -> None:
    text = page("docs/guides/users-and-permissions.md")
    assert re.findall(r"^\| `(\w+:\w+)` \|.*\|$", text, re.MULTILINE) == list(Permission)
    parts = set(re.findall(r"^\| `(\w+:\w+)` \|.*\| part \|$", text, re.MULTILINE))
    assert parts == FORM_PERMISSIONS
    roles = text.partition("\n| role | may |\n")[2].partition("\n\n")[0]
    assert re.findall(r"^\| (\w[\w ]*) \|", roles, re.MULTILINE) == list(BUILT_IN_ROLES)


# Operating


def test_exactly_the_existing_metrics_are_documented() -> None:
    """The declared metrics; tests/api/test_metrics.py checks that they are exported."""
    code = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "src/formwright/telemetry").glob("*.py"))
    declared = set(re.findall(r'"(formwright_\w+)"', code))
    table = page("docs/guides/operating.md").partition("\n## Metrics\n")[2].partition("\nAlerts")[0]
    documented = {
        name for line in re.findall(r"^\| (`formwright_.*?) \|", table, re.MULTILINE) for name in line.split("`")
    }
    assert {name.removesuffix("_total") for name in documented if name.startswith("formwright_")} == declared
