"""Realistic data: long names and addresses, emoji, words and ids without a space, many columns."""

import csv
import io
from typing import Any

from actors import Account

from factories import datasources
from factories.forms import form
from factories.invites import invite
from factories.requests import PREFIX, post
from factories.submissions import submission
from factories.subscribers import subscriber
from factories.tasks import task
from factories.users import group, role
from formwright.core import crypto
from formwright.core.auth.permissions import Permission
from formwright.domain.api_keys import service as keys
from formwright.domain.api_keys.models import KeyProperties
from formwright.domain.invites import link_store
from formwright.domain.invites import service as invites
from formwright.domain.invites.emails import LINK_PREFIX
from formwright.domain.users import management
from formwright.domain.users.models import NewUser

ORGANISATION = "Donaudampfschifffahrtsgesellschaft Niederösterreich & Söhne GmbH 🚢"
PERSON = "Maximiliane-Alexandra Freifrau von Hohenstauffen-Oberkirchberger"
EMAIL = "maximiliane-alexandra.von-hohenstauffen-oberkirchberger@arbeitssicherheit.donaudampfschifffahrt.example.org"
WORD = "Rindfleischetikettierungsüberwachungsaufgabenübertragungsgesetz"
TITLE = f"Jährliche Überprüfung der Brandschutzeinrichtungen 🧯 ({WORD})"
TEXT = f"Bitte prüfen Sie alle Ausgänge, Feuerlöscher und Hydranten und melden Sie Mängel sofort. {WORD} {'x' * 90}"
URL = f"https://127.0.0.1:9/integrations/{'donaudampfschifffahrt-' * 5}/hook?tenant={'0123456789' * 6}"

_OPTIONS = [{"value": f"option_{n}", "label": f"{n}. {TITLE}"} for n in range(1, 6)]
_QUESTIONS: list[dict[str, Any]] = [
    {"type": "text", "name": "site"},
    {"type": "textarea", "name": "remarks"},
    {"type": "email", "name": "email"},
    {"type": "url", "name": "page"},
    {"type": "integer", "name": "people"},
    {"type": "decimal", "name": "height"},
    {"type": "boolean", "name": "safe"},
    {"type": "date", "name": "day"},
    {"type": "datetime", "name": "moment"},
    {"type": "choice", "name": "kind", "options": _OPTIONS},
    {"type": "choices", "name": "kinds", "options": _OPTIONS},
    {"type": "ranking", "name": "order", "options": _OPTIONS},
    {"type": "nps", "name": "likely", "lowLabel": TITLE, "highLabel": TITLE},
    {"type": "rating", "name": "stars", "max": 10},
    {"type": "slider", "name": "level"},
    {"type": "photo", "name": "photos", "maxFiles": 5},
    {"type": "signature", "name": "sign"},
    {"type": "location", "name": "place"},
    {"type": "line", "name": "way"},
    {"type": "area", "name": "plot"},
    {"type": "barcode", "name": "code"},
    {"type": "note", "name": "note"},
]
COLUMNS = [f"{WORD[:30]} {n}" for n in range(1, 13)]


def fields() -> list[dict[str, Any]]:
    """Return a field of each kind with a long label, some of them also in a repeat."""
    labelled = [{"label": f"{one['name'].capitalize()}: {TITLE}", "hint": TEXT} | one for one in _QUESTIONS]
    inner = [{"type": kind, "name": f"inner_{kind}", "label": TITLE} for kind in ("text", "photo", "date")]
    return [*labelled, {"type": "repeat", "name": "rows", "label": TITLE, "fields": inner, "min": 1}]


def answers() -> dict[str, Any]:
    """Return long answers to these fields."""
    short = {"site": TITLE, "remarks": TEXT, "email": EMAIL[-60:], "page": URL, "people": 9_007_199_254_740_991}
    chosen = {"kind": "option_1", "kinds": [one["value"] for one in _OPTIONS], "rows": [{"inner_text": TEXT}]}
    return short | chosen | {"day": "2026-03-29", "moment": "2026-03-29T14:30:00+02:00", "safe": True}


def rows() -> list[dict[str, Any]]:
    """Return rows with many columns."""
    return [{"number": f"C-{n}"} | dict.fromkeys(COLUMNS, f"{TITLE} {n}") for n in range(1, 4)]


def csv_file() -> bytes:
    """Return the same rows as a CSV file, with one row that has no key."""
    text = io.StringIO()
    writer = csv.DictWriter(text, ["number", *COLUMNS])
    writer.writeheader()
    writer.writerows([*rows(), {"number": "", COLUMNS[0]: TEXT}])
    return text.getvalue().encode()


async def add(account: Account) -> dict[str, str]:
    """Add one of each resource with such a name. Returns the URLs of those that are not the first in their list."""
    folder = await _folders(account)
    shared = {
        "description": TEXT,
        "tags": [WORD[:50], "Brandschutz"],
        "folderId": folder,
        "settings": {"language": "de"},
    }
    new_form = await form(account, name=TITLE, fields=fields(), **shared)
    top = await form(account, name=TITLE, fields=fields(), description=TEXT)
    versions = f"/forms/customer/{account.id}/forms/{top['id']}/versions"
    await post(account, versions, {"fields": fields()[1:], "remarks": TEXT})
    for one in (new_form, top):
        await submission(account, one, data=answers(), externalId=WORD.lower()[:60])
    named = await _people(account) | await _things(account)
    await task(account, top, message=TEXT, dueAt="2060-01-01T00:00:00Z", externalId=WORD)
    invited = await invite(account, top, name=PERSON, email=EMAIL, message=TEXT)
    ended = await invite(account, top, name=PERSON, email=EMAIL)
    addresses = {"invite": await _another_link(account, invited), "ended": await _another_link(account, ended)}
    await account.api.post(f"{PREFIX}/customers/{account.id}/invites/{ended['id']}/revoke")
    return addresses | named | {"form": f"/submissions?form={top['id']}", "folder": f"/forms?folder={folder}"}


async def _another_link(account: Account, invite: dict[str, Any]) -> str:
    """Create one more link of this invite: a worker may already have sent its email, with the first link."""
    token = crypto.new_secret(LINK_PREFIX)
    async with account.ctx.db.writing() as tx:
        created = await invites.get(tx, account.actor, invite_id=invite["id"])
        await link_store.insert_links(tx, [(created, crypto.fingerprint(token))])
    return f"/fill/{token}"


async def _folders(account: Account) -> str:
    path = f"/forms/customer/{account.id}/folders"
    outer = await post(account, path, {"name": TITLE})
    return str((await post(account, path, {"name": f"{TITLE} 2", "parentId": outer["id"]}))["id"])


async def _people(account: Account) -> dict[str, str]:
    async with account.ctx.db.writing() as tx:
        user = await management.create(tx, account.actor, NewUser(EMAIL, PERSON), password_hash="-")
    team = await group(account, account.owner.id, user.user.id, name=TITLE)
    all_ = await role(account, *[str(one.value) for one in Permission], name=TITLE)
    paths = {"person": user.user.id, "group": f"groups/{team['id']}", "role": f"roles/{all_['id']}"}
    return {name: f"/people/{path}" for name, path in paths.items()}


async def _things(account: Account) -> dict[str, str]:
    table = await datasources.datasource(account, name=TITLE, rows=rows())
    pull = {"url": URL, "headers": {"Authorization": "Bearer a"}, "every": "PT6H"}
    await post(account, f"/customers/{account.id}/datasources", {"name": WORD, "keyColumn": "number", "pull": pull})
    headers = {"X-Mandantenkennung": "0123456789abcdef" * 8, "Authorization": "Bearer a"}
    hook = await subscriber(account, name=TITLE, url=URL, types=["submission.*", "form.*"], headers=headers)
    description = {"name": TITLE, "fields": fields(), "description": TEXT}
    await post(account, f"/forms/customer/{account.id}/templates", description)
    await post(account, f"/forms/customer/{account.id}/question-blocks", description)
    async with account.ctx.db.writing() as tx:
        await keys.create(tx, account.actor, KeyProperties(TITLE[:100], read_only=True), maker_name=PERSON)
    return {"many columns": f"/datasources/{table['id']}", "hook": f"/settings/connections/webhooks/{hook['id']}"}
