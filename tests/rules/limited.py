"""Runs the attacks in this process with limited memory, printing JSON lines: `python -m rules.limited FOLDER`.

The limit is 1 GiB above what the process has mapped after its first requests. Libraries and thread stacks map more than
they use (about 2 GiB), and RLIMIT_AS counts mappings.
"""

import asyncio
import json
import resource
import sys
import time
from pathlib import Path
from typing import Any

from actors import Account, Stage
from factories.forms import form
from fixtures.app_contexts import settings_for

from formwright import migrations
from formwright.app import create_app
from formwright.domain.users.password_hashing import PasswordVerifier
from rules.attacks import ATTACKS, Attack

GIB = 2**30
CLIENT_ID = "0f3a4f0e-6a1c-4c55-9b0a-0123456789ab"


async def main(folder: Path) -> None:
    settings = settings_for(folder)
    await migrations.upgrade(settings)
    entrance = create_app(settings, passwords=PasswordVerifier(cheap=True))
    async with entrance.app.lifespan():
        stage = Stage(entrance, entrance.app.state.ctx, "https://forms.test")
        async with stage.account() as account:
            await form(account)
            _limit_memory()
            for attack in ATTACKS:
                sys.stdout.write(f"{json.dumps(await _run_attack(account, attack))}\n")


def _limit_memory() -> None:
    most = _mapped_bytes() + GIB
    resource.setrlimit(resource.RLIMIT_AS, (most, most))


def _mapped_bytes() -> int:
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0])
    return pages * resource.getpagesize()


async def _run_attack(account: Account, attack: Attack) -> dict[str, Any]:
    began = time.process_time()
    new_form = await form(account, fields=[_with_labels(kind) for kind in attack.kinds])
    submissions = f"/api/v1.0/customers/{account.id}/forms/{new_form['id']}/submissions"
    by_key = await account.api.post(submissions, json={"data": attack.data})
    body = {"data": attack.data, "versionId": new_form["publishedVersionId"]}
    async with account.stage.client() as anybody:
        by_link = await anybody.post(f"{new_form['fillPath']}/submissions/{CLIENT_ID}", json=body)
    answers = {"key": _summarize(by_key), "link": _summarize(by_link)}
    return {"name": attack.name, "seconds": time.process_time() - began, **answers}


def _summarize(response: Any) -> list[Any]:
    first = response.json()["errors"][0]
    return [response.status_code, first["pointer"], first["code"]]


def _with_labels(kind: dict[str, Any]) -> dict[str, Any]:
    inner = {"fields": [_with_labels(one) for one in kind["fields"]]} if "fields" in kind else {}
    return {"label": kind["name"], **kind, **inner}


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1])))
