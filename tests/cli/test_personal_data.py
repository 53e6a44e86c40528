"""`formwright person`: exporting all data of a person as a zip, and erasing it."""

import asyncio
import json
import os
import re
import zipfile
from pathlib import Path

import pytest
import typer
from cli.test_export import create_submissions

from formwright.cli.personal_data import erase_person, export_person
from formwright.domain.privacy.models import NothingFound
from formwright.settings import Settings, SettingsError


def test_the_data_of_a_person_is_exported_and_erased(
    own_settings: Settings, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FORMWRIGHT_DATA_DIR", str(own_settings.data_dir))
    monkeypatch.setenv("FORMWRIGHT_DATABASE_URL", own_settings.database_url)
    customer, form = asyncio.run(create_submissions(own_settings, 3))
    with pytest.raises(SettingsError, match="Identify one person"):
        erase_person(customer, email="a@example.org", form=form)
    named = {"form": form, "field": "people", "value": "1"}
    other = tmp_path / ".one.zip.part"
    other.write_text("another command is writing here")
    export_person(customer, tmp_path / "one.zip", **named)
    assert {path.name for path in tmp_path.glob("*one.zip*")} == {"one.zip", other.name}, (
        "it takes away no part but its own"
    )
    assert other.read_text() == "another command is writing here"
    [line] = zipfile.ZipFile(tmp_path / "one.zip").read("submissions.ndjson").splitlines()
    assert json.loads(line)["data"]["people"] == 1
    assert (tmp_path / "one.zip").stat().st_mode & 0o777 == 0o600
    link, pipe = tmp_path / "link.zip", tmp_path / "pipe"
    link.symlink_to(tmp_path / "one.zip")
    os.mkfifo(pipe)
    export_person(customer, link, **named)
    assert link.is_symlink()
    for none in (pipe, tmp_path, Path("-")):
        with pytest.raises(SettingsError, match="is not a file"):
            export_person(customer, none, **named)
    assert pipe.is_fifo()
    monkeypatch.setattr(typer, "confirm", lambda text, abort: (_ for _ in ()).throw(typer.Abort(text)))
    with pytest.raises(typer.Abort, match=re.escape("(submissions: 1, deleted: 0, files: 0, invites: 0, mails: 0)?")):
        erase_person(customer, **named)
    capsys.readouterr()
    erase_person(customer, **named, yes=True, as_json=True)
    counts = {"submissions": 1, "deleted": 0, "files": 0, "invites": 0, "mails": 0, "events": 1}
    assert json.loads(capsys.readouterr().out) == counts
    with pytest.raises(NothingFound):
        erase_person(customer, **named, yes=True)
