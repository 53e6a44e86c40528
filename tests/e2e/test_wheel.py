"""The wheel that users install: built from the source distribution without npm, and used in an empty environment."""

import asyncio
import json
import os
import shutil
import signal
import subprocess
import sys
import tarfile
import time
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import httpx
import pytest
from fixtures import empty_environment
from fixtures.browser import WatchedPage
from fixtures.ports import free_port
from fixtures.server_process import START_SECONDS
from playwright.async_api import Page, expect
from web.designer.pages import add_field, row, wait_until_saved

from formwright import __version__

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[2]


def _build(kind: str, source: Path, target: Path) -> "subprocess.CompletedProcess[str]":
    """Build a distribution without npm."""
    command = [sys.executable, "-m", "hatchling", "build", "-t", kind, "-d", str(target)]
    return subprocess.run(command, cwd=source, env={"PATH": "/nowhere"}, capture_output=True, text=True, check=False)


@pytest.fixture
def source(tmp_path: Path) -> Path:
    """Return the folder of an unpacked source distribution, which contains compressed assets."""
    subprocess.run([sys.executable, "scripts/assets.py"], cwd=ROOT, check=True)
    done = _build("sdist", ROOT, tmp_path)
    assert done.returncode == 0, done.stderr
    [archive] = tmp_path.glob("*.tar.gz")
    with tarfile.open(archive) as packed:
        packed.extractall(tmp_path, filter="data")
    return tmp_path / archive.name.removesuffix(".tar.gz")


def test_a_build_without_assets_and_npm_ends_with_one_line(tmp_path: Path) -> None:
    source = tmp_path / "source"
    shutil.copytree(ROOT / "src", source / "src", ignore=shutil.ignore_patterns("bundles", "fonts", "__pycache__"))
    shutil.copytree(ROOT / "scripts", source / "scripts")
    for name in ("pyproject.toml", "README.md", "LICENSE", "package.json", "package-lock.json"):
        shutil.copy(ROOT / name, source)
    done = _build("wheel", source, source / "dist")
    assert done.returncode == 1
    [line] = [line for line in done.stderr.splitlines() if line != "[wheel]"]
    assert line.startswith(
        "The form library is missing or out of date, and forms cannot be filled in without it. Install"
    )
    assert not list(source.glob("dist/*.whl"))


class Installed:
    """The wheel in an environment of its own, used by a new user in an empty folder."""

    def __init__(self, wheel: Path, folder: Path) -> None:
        self.wheel, self._output = wheel, folder / "output"
        self.commands = empty_environment.install(wheel, folder / "environment")
        self.home, self.here = folder / "home", folder / "here"
        self.home.mkdir()
        self.here.mkdir()
        self.data = self.home / ".local" / "share" / "formwright"

    def run(self, *arguments: str) -> str:
        """Run a command and return what it prints."""
        done = subprocess.run(
            [self.commands / "formwright", *arguments], cwd=self.here, env=self._environment, capture_output=True
        )
        assert done.returncode == 0, done.stderr.decode()
        return done.stdout.decode()

    @contextmanager
    def serve(self, port: int) -> Iterator[None]:
        """Serve during the block. Afterwards, SIGTERM must stop the server."""
        with self._output.open("w") as output:
            process = subprocess.Popen(
                [self.commands / "formwright", "serve", "--port", str(port)],
                cwd=self.here,
                env=self._environment,
                stdout=output,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        try:
            yield
            process.terminate()
            assert process.wait(60) == 0, self.output()
        finally:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()

    def output(self) -> str:
        """Return what the server has printed and logged."""
        return self._output.read_text()

    @property
    def _environment(self) -> dict[str, str]:
        return {"HOME": str(self.home), "PATH": str(self.commands)}


def test_a_wheel_contains_compressed_bundles_without_their_sources(source: Path, tmp_path: Path) -> None:
    assert _build("wheel", source, tmp_path).returncode == 0
    [wheel] = tmp_path.glob("*.whl")
    names = {name.removeprefix("formwright/web/") for name in zipfile.ZipFile(wheel).namelist()}
    assert {"bundles/fill/sw.js", "bundles/fill_form.css.br", "bundles/LICENCES.txt", "bundles/manifest.json"} <= names
    assert [name for name in names if name.startswith("static/") or name.endswith(".map")] == []


@pytest.fixture
def installed(source: Path, tmp_path: Path) -> Installed:
    done = _build("wheel", source, tmp_path)
    assert done.returncode == 0, done.stderr
    [wheel] = tmp_path.glob("*.whl")
    return Installed(wheel, tmp_path)


async def test_an_installed_wheel_serves_forms(installed: Installed, desktop_page: WatchedPage) -> None:
    assert (empty_environment.site_packages(installed.commands.parent) / "formwright" / "py.typed").exists()
    assert installed.run("--version").strip() == __version__ == installed.wheel.name.split("-")[1]
    installed.run("demo")
    demo = json.loads((installed.data / "demo.json").read_text())
    port = free_port()
    with installed.serve(port):
        await _wait_until_ready(port, installed)
        assert f"  Data folder:     {installed.data}\n" in installed.output()
        await _use(desktop_page.page, f"https://localhost:{port}", demo)
    assert desktop_page.errors == []
    assert list(installed.here.iterdir()) == []


async def _wait_until_ready(port: int, installed: Installed) -> None:
    # The certificate is not what is tested.
    async with httpx.AsyncClient(verify=False) as http:
        end = time.monotonic() + START_SECONDS
        while time.monotonic() < end:
            with suppress(httpx.TransportError):
                if (await http.get(f"https://localhost:{port}/health/ready")).status_code == 200:
                    return
            await asyncio.sleep(0.1)
    pytest.fail(installed.output())


async def _use(page: Page, address: str, demo: dict[str, str]) -> None:
    """Sign in to the demo account, build a form, and fill it in."""
    await page.goto(f"{address}/sign-in")
    await page.get_by_label("Email").fill(demo["email"])
    await page.get_by_label("Password").fill(demo["password"])
    await page.get_by_role("button", name="Sign in").click()
    await expect(page.get_by_role("link", name="Forms")).to_be_visible()

    await page.goto(f"{address}/forms/new")
    await page.get_by_label("Name").fill("Installed")
    await page.get_by_role("button", name="Create blank form").click()
    await expect(row(page, "First question")).to_be_visible()
    await add_field(page, "Whole number", "People on site")
    await wait_until_saved(page)
    await page.get_by_role("button", name="Publish").click()
    await page.get_by_role("dialog").get_by_role("button", name="Publish").click()
    await expect(page.get_by_text("Published. Anyone with the link")).to_be_visible()

    await page.goto(await page.get_by_role("link", name="Open form").evaluate("link => link.href"))
    await page.get_by_role("textbox", name="First question").fill("Pier 7")
    await page.get_by_label("People on site").fill("12")
    await page.get_by_role("button", name="Submit").click()
    await expect(page.locator("#thanks")).to_be_visible()

    await page.goto(f"{address}/docs/guides/guides/running")
    await expect(page.get_by_role("heading", name="Run a server")).to_be_visible()
    await page.goto(f"{address}/submissions")
    await expect(page.get_by_role("row").filter(has_text="Installed")).to_be_visible()
