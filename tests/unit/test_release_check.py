"""`make release-check` tries every target of the Makefile."""

import re
import subprocess
import tempfile
from pathlib import Path

import pytest

from scripts import release_check

ROOT = Path(__file__).parents[2]
MAKEFILE = """
.PHONY: help run bad-one last clean release-check
help:
	@echo help >> ../../tried
run: help
	@echo $(ARGS) >> ../../tried; exec python3 -c '{server}' $(ARGS)
bad-one: ## Fail
	@echo bad-one >> ../../tried; exit 3
clean:
	@echo clean >> ../../tried
last:
	@echo last >> ../../tried
release-check:
	@exit 1
"""
SERVER = 'import http.server, sys; http.server.test(port=int(sys.argv[2]), bind="127.0.0.1")'


def test_every_target_of_the_makefile_is_tried_once() -> None:
    makefile = (ROOT / "Makefile").read_text()
    phony = re.search(r"^\.PHONY: (.+)$", makefile, re.MULTILINE)
    assert phony
    tried = release_check.list_targets(makefile)
    assert sorted(tried) == sorted({*phony[1].split()} - {"release-check"})
    assert tried[-1] == "clean"
    documented = set(re.findall(r"^([\w-]+):.*## ", makefile, re.MULTILINE))
    assert documented - {"release-check"} <= set(tried)


def test_a_failed_target_fails_the_check_after_all_were_tried(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    source, temporary = tmp_path / "source", tmp_path / "temporary"
    temporary.mkdir()
    source.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(temporary))
    (source / "Makefile").write_text(MAKEFILE.format(server=SERVER))
    person = ["-c", "user.name=Ann", "-c", "user.email=ann@example.org"]
    for arguments in (["init", "-q"], ["add", "."], ["commit", "-qm", "Add"]):
        subprocess.run(["git", *person, *arguments], cwd=source, check=True)
    assert release_check.main(source, []) == 1
    tried = (temporary / "tried").read_text().splitlines()
    assert tried[:2] == ["help", "help"]
    assert tried[2].startswith("--port ")
    assert tried[3:] == ["bad-one", "last", "clean"]
    output = capfd.readouterr().out
    assert re.findall(r"^  (passed|FAILED) .* make (.+)$", output, re.MULTILINE) == [
        *(("passed", "help"), ("passed", "run"), ("FAILED", "bad-one"), ("passed", "last"), ("passed", "clean"))
    ]
    assert release_check.main(source, ["help", "last"]) == 0
    assert [path.name for path in temporary.iterdir()] == ["tried"]
    assert [path.name for path in source.iterdir() if path.name != ".git"] == ["Makefile"]
