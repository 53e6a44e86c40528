"""`.ci/run` on small projects: flaky tests are reported, and everything else that fails stops it."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from scripts.ci.__main__ import GENERATORS

ROOT = Path(__file__).parents[2]
MAKEFILE = """
openapi errors field-types settings docs:
	@true
test:
	@"{python}" -m pytest -n 2 --dist worksteal test_quick.py $(ARGS)
test-slow:
	@"{python}" -m pytest -n 2 --dist worksteal -m slow test_slow.py $(ARGS)
"""
SETTINGS = '[pytest]\naddopts = -m "not slow"\nmarkers = slow\n'
SLOW = "import pytest\n\n@pytest.mark.slow\ndef test_slow():\n    assert True\n"
# Each test notes in a file that it ran. `fail_until` fails until it has run so often.
QUICK = """
import os
from pathlib import Path

import pytest

def count(name):
    with Path("runs", name).open("a") as file:
        file.write("x")
    return Path("runs", name).stat().st_size

def fail_until(name, runs):
    assert count(name) >= runs

def test_good():
    count("good")
"""
FLAKY = """
@pytest.mark.parametrize("value", ["a b::c [d] \\"$x\\" é/'"])
def test_flaky(value):
    fail_until("flaky", 2)
"""


class Project:
    """A project whose Makefile has the targets that the checks run."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        (folder / "runs").mkdir()
        self.write("Makefile", MAKEFILE.format(python=sys.executable))
        self.write("pytest.ini", SETTINGS)
        self.write("test_slow.py", SLOW)
        self.write("test_quick.py", QUICK)
        self.write(".gitignore", "runs\n.pytest_cache\n__pycache__\n")
        self.git("init", "--quiet")
        self.commit()

    def write(self, name: str, text: str) -> None:
        (self.folder / name).write_text(text, encoding="utf-8")

    def append(self, name: str, text: str) -> None:
        self.write(name, (self.folder / name).read_text(encoding="utf-8") + text)

    def git(self, *arguments: str) -> None:
        person = ["-c", "user.name=Ann", "-c", "user.email=ann@example.org"]
        subprocess.run(["git", *person, *arguments], cwd=self.folder, check=True, capture_output=True)

    def commit(self) -> None:
        self.git("add", "--all")
        self.git("commit", "--quiet", "--message", "Add")

    def runs(self, name: str) -> int:
        """Return how often a test has run."""
        path = self.folder / "runs" / name
        return path.stat().st_size if path.exists() else 0

    def check(self) -> "subprocess.CompletedProcess[str]":
        # Other plugins would only take time.
        plugins = {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "PYTEST_PLUGINS": "xdist.plugin,pytest_reportlog.plugin"}
        path = os.pathsep.join([str(ROOT), str(ROOT / "tests"), str(ROOT / "src")])
        return subprocess.run(
            [sys.executable, "-m", "scripts.ci"],
            cwd=self.folder,
            env=os.environ | plugins | {"PYTHONPATH": path},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
        )


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return Project(tmp_path)


def test_all_generated_files_are_compared() -> None:
    targets = re.findall(r"^([\w-]+):.*## Regenerate", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)
    assert sorted(targets) == sorted(GENERATORS)


def test_a_flaky_test_runs_again_alone_and_is_reported(project: Project) -> None:
    project.append("test_quick.py", FLAKY)
    done = project.check()
    assert done.returncode == 0, done.stdout + done.stderr
    assert (project.runs("good"), project.runs("flaky")) == (1, 2)
    lines = [line for line in done.stdout.splitlines() if line.startswith("FLAKY test_quick.py::test_flaky[a b::c [d]")]
    assert len(lines) == 2, "once when it passes, and once at the end"
    assert "1 failed, 1 passed in" in done.stdout
    assert "ci: 3 passed, 1 of them flaky, in" in done.stdout.splitlines()[-1]


@pytest.mark.slow
def test_three_flaky_tests_of_each_target_run_again(project: Project) -> None:
    project.append("test_quick.py", "".join(f"\ndef test_{name}():\n    fail_until('{name}', 2)\n" for name in "ab"))
    fixture = "\n@pytest.fixture\ndef unsteady():\n    yield\n    fail_until('c', 2)\n"
    project.append("test_quick.py", f"{fixture}\ndef test_c(unsteady):\n    pass\n")
    project.append("test_slow.py", QUICK + "\n@pytest.mark.slow\ndef test_d():\n    fail_until('d', 2)\n")
    done = project.check()
    assert done.returncode == 0, done.stdout + done.stderr
    assert "ci: 6 passed, 4 of them flaky" in done.stdout.splitlines()[-1]
    assert [project.runs(name) for name in "abcd"] == [2, 2, 2, 2]
    assert {name for name in "abcd" if f"::test_{name}: it failed, and passed" in done.stdout} == {*"abcd"}


@pytest.mark.slow
def test_a_test_that_fails_again_stops_the_checks(project: Project) -> None:
    project.append("test_quick.py", "\ndef test_bad():\n    fail_until('bad', 3)\n")
    project.append("test_slow.py", QUICK + "\n@pytest.mark.slow\ndef test_more():\n    count('more')\n")
    done = project.check()
    assert done.returncode == 1
    assert project.runs("bad") == 2
    assert "test_quick.py::test_bad failed again when it ran alone" in done.stderr
    assert "FLAKY" not in done.stdout
    assert project.runs("more") == 0


@pytest.mark.slow
def test_four_failed_tests_do_not_run_again(project: Project) -> None:
    project.append(
        "test_quick.py", "\n@pytest.mark.parametrize('n', [*'1234'])\ndef test_bad(n):\n    fail_until(n, 2)\n"
    )
    done = project.check()
    assert done.returncode == 1
    assert [project.runs(name) for name in "1234"] == [1, 1, 1, 1]
    assert "4 tests failed. At most 3 are run again." in done.stderr


CRASH = "\ndef test_crash():\n    if count('crash') < 2:\n        os._exit(1)\n"
UNREADABLE = "\nif count('module') < 4:\n    raise RuntimeError\n"
BROKEN_HOOK = "def pytest_runtest_logstart(nodeid):\n    if 'good' in nodeid:\n        raise RuntimeError\n"
ERROR_OF_THE_RUN = """
import pytest

pytest_plugins = ["fixtures.run_errors"]

@pytest.fixture(scope="session", autouse=True)
def whole_run(report_run_error):
    yield
    report_run_error("a statement names no customer")
"""
LINT = "test: lint\nlint:\n\t@echo lint >> runs/lint; exit $$(($$(wc -l < runs/lint) < 2))\n"
AFTER = "after:\ntest: TARGET\n"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("test_quick.py", CRASH),
        ("test_quick.py", UNREADABLE),
        ("test_quick.py", "\ndef test_bad(:\n"),
        ("conftest.py", BROKEN_HOOK),
        ("conftest.py", "import missing_module\n"),
        ("conftest.py", ERROR_OF_THE_RUN),
        ("Makefile", LINT),
    ],
    ids=["crash", "collection", "syntax", "internal error", "conftest", "error of the run", "lint"],
)
def test_everything_else_stops_the_checks_at_once(project: Project, name: str, text: str) -> None:
    project.write(name, (project.folder / name).read_text() + text if (project.folder / name).exists() else text)
    project.append("test_quick.py", FLAKY)
    done = project.check()
    assert done.returncode == 1, done.stdout
    assert "again" not in done.stdout
    assert project.runs("flaky") <= 1
    assert "failed, and not only because of tests that could run again" in done.stderr


@pytest.mark.slow
@pytest.mark.parametrize("name", ["new.json", "old.json"])
def test_generated_files_that_are_out_of_date_stop_the_checks(project: Project, name: str) -> None:
    project.write("old.json", "{}\n")
    project.append("Makefile", f"\nsettings: write\nwrite:\n\t@echo '[1]' > {name}\n")
    project.commit()
    project.write("notes.md", "mine\n")
    project.append("test_slow.py", "# changed\n")
    done = project.check()
    assert done.returncode == 1
    assert f"+++ b/{name}" in done.stderr
    assert "+[1]" in done.stderr
    assert "commit what it writes: make openapi errors field-types settings" in done.stderr
    assert "notes.md" not in done.stderr, "changes from before do not count"
    assert "# changed" not in done.stderr
    assert project.runs("good") == 0
    assert project.check().returncode == 0, "nothing changes once it is up to date"


@pytest.mark.slow
def test_documentation_that_cannot_be_built_stops_the_checks(project: Project) -> None:
    project.append("Makefile", "\ndocs: fail\nfail:\n\t@exit 3\n")
    assert project.check().returncode == 1
    assert project.runs("good") == 0
