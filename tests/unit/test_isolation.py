"""Test runs are isolated: from the environment of whoever starts them, from a running server, and from each other."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from formwright.cli.settings_reference import SETTINGS

ROOT = Path(__file__).parents[2]
SEEN = """
import os, subprocess, sys

def test_variables():
    inherited = subprocess.check_output([sys.executable, "-c", "import os; print(*os.environ)"], text=True).split()
    assert "CHROMIUM" in inherited
    assert set(inherited) & set({names}) == set()
"""
RESERVE = "from fixtures.ports import free_port; print(*(free_port() for _ in range(int({count})))); input()"


@pytest.mark.slow
@pytest.mark.parametrize("processes", ["0", "2"])
def test_variables_of_the_environment_do_not_reach_tests(tmp_path: Path, processes: str) -> None:
    others = {"PGHOST", "PGPASSWORD", "OTEL_EXPORTER_OTLP_ENDPOINT", "AWS_ENDPOINT_URL", "https_proxy", "FORCE_COLOR"}
    variables = dict.fromkeys({one.variable for one in SETTINGS} | others, "1")
    (tmp_path / "test_seen.py").write_text(SEEN.format(names=sorted(variables)))
    command = [sys.executable, "-m", "pytest", "-p", "fixtures.plugin", "-n", processes, "-p", "no:cacheprovider"]
    environment = os.environ | variables | {"PYTHONPATH": f"{ROOT / 'tests'}:{ROOT / 'src'}", "CHROMIUM": "chromium"}
    done = subprocess.run([*command, "test_seen.py"], cwd=tmp_path, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "1 passed" in done.stdout


def test_processes_reserve_different_ports() -> None:
    def start(count: int) -> subprocess.Popen[str]:
        return subprocess.Popen(
            [sys.executable, "-c", RESERVE.format(count=count)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env=os.environ | {"PYTHONPATH": str(ROOT / "tests")},
        )

    with start(2000) as first, start(300) as second:
        ports = [set(process.stdout.readline().split()) for process in (first, second)]
        for process in (first, second):
            process.communicate("\n")
    assert [len(found) for found in ports] == [2000, 300]
    assert ports[0] & ports[1] == set()
