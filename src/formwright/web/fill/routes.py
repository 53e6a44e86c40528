"""The page in which a form is filled, and the two calls it makes: save what is there so far, and send."""

import re
from typing import Any

import msgspec
from litestar import Request, get, post, put
from litestar.params import FromPath
from litestar.response import Response
from msgspec import UNSET

from formwright.core.access.actor import Actor
from formwright.core.kernel.errors import Invalid
from formwright.core.storage.database import Reading
from formwright.domain.customers import service as customers
from formwright.domain.forms import service as forms
from formwright.domain.forms.definition import Definition
from formwright.domain.forms.model import FormArchived, FormNotFound, FormNotPublished
from formwright.domain.submissions import service as submissions
from formwright.domain.submissions.model import Submission
from formwright.reading import read_body
from formwright.web.fill.survey import survey, words
from formwright.web.render import VENDOR, page
from formwright.web.session import house_of

_CLIENT_ID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")


class Filled(msgspec.Struct, rename="camel", forbid_unknown_fields=True):
    """What the page sends: the answers so far, and the version they are for."""

    version_id: str
    data: dict[str, Any]


@get("/fill/{token:str}")
async def fill_page(request: Request[Any, Any, Any], token: FromPath[str]) -> Response[str]:
    """The form to fill, or the word that it is closed."""
    try:
        async with house_of(request).db.reading() as tx:
            actor, form_id = await _open(tx, token)
            form, version = await forms.to_answer(tx, actor, form_id=form_id)
            account = await customers.get(tx, actor)
    except (FormNotFound, FormNotPublished, FormArchived):
        return page(request, "closed.html", 404)
    base = f"/fill/{token}"
    language = version.definition.settings.language
    data = {
        "survey": survey(version.definition, language),
        "versionId": version.id,
        "formName": form.name,
        "accountName": account.name,
        "thanks": _thanks(version.definition, language),
        "base": base,
        "prefill": {},
    }
    return page(
        request,
        "fill.html",
        form=form,
        account=account,
        language=language,
        base=base,
        form_data=data,
        assets=VENDOR.exists(),
    )


def _thanks(definition: Definition, language: str) -> str | None:
    thanks = definition.settings.thanks
    return None if thanks is UNSET else words(thanks, (language,))


async def _open(tx: Reading, token: str) -> tuple[Actor, str]:
    found = await forms.open_link(tx, token)
    if found is None:
        raise FormNotFound("This link opens no form. Ask the person who sent it for a new one.")
    return found


@put("/fill/{token:str}/submissions/{client_id:str}")
async def save(request: Request[Any, Any, Any], token: FromPath[str], client_id: FromPath[str]) -> Response[bytes]:
    """Keep the answers so far. The first time, the submission begins."""
    filled = await _filled(request, client_id)
    async with house_of(request).db.writing() as tx:
        actor, form_id = await _open(tx, token)
        record = await submissions.save(
            tx, actor, form_id=form_id, version_id=filled.version_id, client_id=client_id, data=filled.data
        )
    return _state(record, 200)


@post("/fill/{token:str}/submissions/{client_id:str}")
async def submit(request: Request[Any, Any, Any], token: FromPath[str], client_id: FromPath[str]) -> Response[bytes]:
    """Take in the filled form: 201, or 200 when it is here already."""
    filled = await _filled(request, client_id)
    async with house_of(request).db.writing() as tx:
        actor, form_id = await _open(tx, token)
        record, came_now = await submissions.submit(
            tx, actor, form_id=form_id, version_id=filled.version_id, client_id=client_id, data=filled.data
        )
    return _state(record, 201 if came_now else 200)


async def _filled(request: Request[Any, Any, Any], client_id: str) -> Filled:
    if not _CLIENT_ID.fullmatch(client_id):
        raise Invalid.at("", "submission.client_id", "The page names a submission by a UUID in lower case.")
    filled: Filled = read_body(await request.body(), Filled)
    if "\0" in filled.version_id:
        raise Invalid.at("/versionId", "value.nul", "This holds the character NUL.")
    return filled


def _state(record: Submission, status: int) -> Response[bytes]:
    answer = msgspec.json.encode({"status": record.status, "id": record.id})
    return Response(answer, status_code=status, media_type="application/json", headers={"cache-control": "no-store"})


HANDLERS = [fill_page, save, submit]
