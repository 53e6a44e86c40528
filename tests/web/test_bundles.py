"""A checkout creates its bundles again when a source has changed; scripts have source maps, and are preloaded."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import httpx
import pytest

from formwright.web.templating import asset, module_urls

ROOT = Path(__file__).parents[2]
_SHOW = """from formwright.web.bundles import FOLDER, find_bundle
print((FOLDER / find_bundle("gallery.js").file).read_text())"""


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    ignored = shutil.ignore_patterns("bundles", "fonts", "__pycache__")
    for name in ("src", "scripts"):
        shutil.copytree(ROOT / name, tmp_path / name, ignore=ignored)
    shutil.copy(ROOT / "package-lock.json", tmp_path)
    (tmp_path / "node_modules").symlink_to(ROOT / "node_modules")
    return tmp_path


def _show_bundle(checkout: Path) -> str:
    environment = os.environ | {"PYTHONPATH": str(checkout / "src")}
    done = subprocess.run([sys.executable, "-c", _SHOW], env=environment, capture_output=True, text=True, check=True)
    return done.stdout


def test_a_process_of_a_checkout_uses_the_script_that_was_just_edited(checkout: Path) -> None:
    script = checkout / "src" / "formwright" / "web" / "static" / "gallery.js"
    assert "edited" not in _show_bundle(checkout)
    manifest = checkout / "src" / "formwright" / "web" / "bundles" / "manifest.json"
    built = manifest.stat().st_mtime
    assert "edited" not in _show_bundle(checkout)
    assert manifest.stat().st_mtime == built, "nothing has changed"
    script.write_text(script.read_text(encoding="utf-8") + 'document.title = "edited";', encoding="utf-8")
    assert "edited" in _show_bundle(checkout)
    # The bundles that are there serve as long as the new ones cannot be created.
    script.write_text("(", encoding="utf-8")
    assert "edited" in _show_bundle(checkout)


async def test_a_script_has_a_source_map_only_in_a_header(http: httpx.AsyncClient) -> None:
    response = await http.get(asset("app.js"))
    assert response.headers["sourcemap"] == asset("app.js") + ".map"
    assert "sourceMappingURL" not in response.text
    assert (await http.get(response.headers["sourcemap"])).json()["version"] == 3
    assert "sourcemap" not in (await http.get(asset("base.css"))).headers


async def test_pages_preload_what_their_scripts_import(http: httpx.AsyncClient) -> None:
    text = (await http.get("/sign-in")).text
    for url in module_urls("app.js"):
        assert f'"{url}"' in text
