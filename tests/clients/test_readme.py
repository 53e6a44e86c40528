"""The examples in the README of the client run against a server."""

import asyncio
import sys
from pathlib import Path

from fixtures.accounts import AccountFactory
from fixtures.client_generators import readme_code, run
from formwright_client import FileCheckpoint

from scripts.client.modules import PACKAGE

ADDRESS = "https://forms.example.org"


async def test_the_readme_runs(https_accounts: AccountFactory, tmp_path: Path) -> None:
    person = await https_accounts.create_account()
    assert ADDRESS in readme_code()
    program = tmp_path / "readme.py"
    program.write_text(readme_code().replace(ADDRESS, person.server.base_url), encoding="utf-8")
    authority = str(person.server.data / "tls" / "ca.pem")
    variables = {"KEY": person.key, "SSL_CERT_FILE": authority, "PYTHONPATH": str(PACKAGE.parent)}
    output = await asyncio.to_thread(lambda: run(sys.executable, str(program), folder=tmp_path, **variables))
    listed, rejected, counted, *events, submitted = output.splitlines()
    assert listed.endswith("{'site': 'Harbour 4'}")
    assert rejected == "request.invalid [('/data/site', 'value.type')]"
    assert counted == "1 submission"
    assert [event.split()[1] for event in events] == ["submission.submitted", "submission.updated"]
    assert submitted.startswith("submitted at 2")
    assert FileCheckpoint(tmp_path / "last-sequence").load() == int(events[-1].split()[0])
