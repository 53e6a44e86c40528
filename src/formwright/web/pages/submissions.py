"""Submissions: the list, and one with its answers."""

from collections.abc import Sequence
from typing import Any
from urllib.parse import urlencode

import msgspec
from litestar import Request, get
from litestar.params import FromPath
from litestar.response import Response

from formwright.core.kernel.errors import Invalid
from formwright.core.kernel.paging import MAX_LIMIT, Place, Window
from formwright.core.storage.database import Reading
from formwright.domain.forms import service as forms
from formwright.domain.forms import versions
from formwright.domain.forms.definition import (
    AnyField,
    BooleanField,
    ChoiceField,
    ChoicesField,
    FileField,
    LocationField,
    NoteField,
    PhotoField,
    RepeatField,
    SectionField,
    SignatureField,
    flat,
    words,
)
from formwright.domain.forms.model import Form
from formwright.domain.people import service as people
from formwright.domain.people.model import UserNotFound
from formwright.domain.submissions import service as submissions
from formwright.domain.submissions.model import Filter, Order, Submission
from formwright.web.render import moment, page
from formwright.web.session import Visitor, house_of, visitor

_ROWS = 50


@get("/submissions")
async def submissions_page(request: Request[Any, Any, Any]) -> Response[str]:
    """What came in, the newest first, of one form or of all."""
    who = await visitor(request)
    wanted = request.query_params.get("form", "")
    before = _place(request.query_params.get("before", ""))
    filter_ = Filter(form_ids=[wanted] if wanted else [], order=Order.SUBMITTED_DOWN)
    async with house_of(request).db.reading() as tx:
        by_id = {
            form.id: form for form in (await forms.page(tx, who.actor, Window(MAX_LIMIT), newest_first=True)).items
        }
        found = await submissions.page(tx, who.actor, filter_, Window(_ROWS, before))
        shown = [await _shown(tx, who, by_id, submission) for submission in found.items]
    following = {"form": wanted, "before": f"{found.next.number}.{found.next.id}"} if found.next else None
    return page(
        request,
        "submissions.html",
        place="Submissions",
        submissions=shown,
        next_url="/submissions?" + urlencode(following) if following else "",
        newest_url="/submissions?" + urlencode({"form": wanted}) if before else "",
        form_filter=[{"id": f.id, "name": f.name, "selected": f.id == wanted} for f in by_id.values()],
        **who.frame,
    )


def _place(text: str) -> Place | None:
    number, _, submission_id = text.partition(".")
    if not text:
        return None
    if not number.isdecimal() or len(number) > 15 or not submission_id.isascii() or "\0" in submission_id:
        raise Invalid.at("?before", "query.value", "This page of the list does not exist. Go back to the newest.")
    return Place(int(number), submission_id)


async def _shown(tx: Reading, who: Visitor, by_id: dict[str, Form], submission: Submission) -> dict[str, Any]:
    form = by_id.get(submission.form_id) or await forms.get(tx, who.actor, form_id=submission.form_id)
    return {
        "id": submission.id,
        "form": form.name,
        "status": submission.status,
        "when": moment(submission.at, who.customer.time_zone),
        "who": await _name(tx, who, submission.user_id),
        "url": f"/submissions/{submission.id}",
    }


async def _name(tx: Reading, who: Visitor, user_id: str | None) -> str:
    try:
        return (await people.get(tx, who.actor, user_id=user_id)).name if user_id else ""
    except UserNotFound:
        return ""


@get("/submissions/{submission_id:str}")
async def submission_page(request: Request[Any, Any, Any], submission_id: FromPath[str]) -> Response[str]:
    """One submission."""
    who = await visitor(request)
    async with house_of(request).db.reading() as tx:
        record = await submissions.get(tx, who.actor, submission_id=submission_id.replace("\0", ""))
        version = await versions.get(tx, who.actor, form_id=record.form_id, version_id=record.version_id)
        shown = await _shown(tx, who, {}, record)
    language, data = version.definition.settings.language, msgspec.json.decode(record.data)
    answers = _answers(version.definition.fields, data, language)
    return page(request, "submission.html", place="Submissions", submission=shown, answers=answers, **who.frame)


def _answers(fields: Sequence[AnyField], data: dict[str, Any], language: str) -> list[dict[str, str]]:
    """The answers that there are, by their labels, in the order of the form."""
    return [
        {"label": words(field.label, (language,)), "value": _value(field, data[field.name], language)}
        for field in flat(fields)
        if not isinstance(field, NoteField | SectionField) and field.name in data
    ]


def _value(field: AnyField, value: Any, language: str) -> str:
    match field:
        case BooleanField():
            return "Yes" if value else "No"
        case ChoiceField() | ChoicesField():
            names = {option.value: words(option.label, (language,)) for option in field.options}
            return ", ".join(names.get(one, str(one)) for one in (value if isinstance(value, list) else [value]))
        case LocationField():
            return f"{value['latitude']}, {value['longitude']}"
        case RepeatField():
            rows = (_answers(field.fields, row, language) for row in value)
            return "\n".join("; ".join(f"{one['label']}: {one['value']}" for one in row) for row in rows)
        case PhotoField() | FileField():
            return f"{len(value)} file" + ("s" if len(value) != 1 else "")
        case SignatureField():
            return "Signed"
    return str(value)


HANDLERS = [submissions_page, submission_page]
