"""The examples in the README of the client run unchanged against a server."""

import re
from pathlib import Path
from typing import Any

import pytest
from fixtures.sync_client import ONE_DATABASE, waiting
from formwright_client import Client, FilePlace, Receiver

from scripts.client.modules import PLACE

pytestmark = ONE_DATABASE
CONNECTION = 'client = Client("https://forms.example.org", os.environ["KEY"])\n'


@pytest.fixture
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


@waiting
def test_the_readme_runs(client: Client, elsewhere: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = (PLACE.parent / "README.md").read_text(encoding="utf-8")
    blocks = re.findall(r"^```python\n(.*?)^```", text, re.DOTALL | re.MULTILINE)
    code = "\n".join(blocks)
    assert CONNECTION in code
    names: dict[str, Any] = {"client": client}
    exec(code.replace(CONNECTION, ""), names)
    assert names["read"]["data"] == {"site": "Harbour 4"}
    assert client.get_submission(names["made"]["id"])["status"] == "APPROVED"
    assert isinstance(names["receiver"], Receiver)
    said = capsys.readouterr().out
    assert "request.invalid [('/data/site', 'value.type')]" in said
    assert f"submission.updated {names['made']['id']}" in said
    assert FilePlace(elsewhere / "last-sequence").read() == 5
