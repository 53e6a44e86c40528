"""The list of submissions."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from litestar import Request, get, post
from litestar.response import Redirect, Response

from formwright.core.auth.permissions import Permission
from formwright.core.db.interface import ReadTransaction
from formwright.core.ids import is_id
from formwright.core.pagination import MAX_LIMIT, Page, Place, Window
from formwright.domain.forms import service as forms
from formwright.domain.forms.models import FormNotFound
from formwright.domain.submissions import list_columns as kept_columns
from formwright.domain.submissions import service as submissions
from formwright.domain.submissions.models import SortOrder, Submission, SubmissionFilter, SubmissionStatus
from formwright.domain.users import service as people
from formwright.web.session import Visitor, exports_of, get_app_context, visitor
from formwright.web.templating import page
from formwright.web.views import authors
from formwright.web.views.folders import choices_of, every_folder
from formwright.web.views.submissions import list_columns as submission_columns
from formwright.web.views.submissions.export.formats import FORMATS
from formwright.web.views.submissions.filter_labels import WORDS, choices, meant, written
from formwright.web.views.submissions.form_context import Asked, asked_of
from formwright.web.views.submissions.list_columns import Column, Names
from formwright.web.views.submissions.list_query import View, filter_of, read_view, word

_ROWS = 50
MOST_COUNTED = 10_000
_PEOPLE = 500
_NOTHING: Page[Submission] = Page([], None)


@get("/submissions")
async def submissions_page(request: Request[Any, Any, Any]) -> Response[Any]:
    """What came in, the newest first: of one form or of all, filtered, with the columns that the person chose."""
    who, view = await visitor(request), read_view(request)
    async with get_app_context(request).db.reading(long=bool(view.answers), listing=True) as tx:
        asked = await asked_of(tx, who, view.form)
        if more := _added(request, view, asked):
            return Redirect(more, status_code=303)
        wanted, faults = await filter_of(tx, who, view)
        found, newer = (_NOTHING, None) if faults else await _page(tx, who, wanted, view)
        offered = submission_columns.on_offer(asked.fields, asked.manner, of_one_form=asked.form is not None)
        chosen = await kept_columns.find_columns(tx, who.actor, form_id=view.form)
        columns = submission_columns.shown(offered, chosen)
        context = {
            "rows": await _rows(tx, who, found.items, columns, asked),
            "total": None if faults or view.answers else await _total(tx, who, wanted),
            **await _filter_line(tx, who, view, asked),
        }
    return page(
        request,
        "submissions/overview.html",
        400 if faults else 200,
        place="Submissions",
        view=view,
        columns=[_head(column, view) for column in columns],
        offered=[{"name": c.name, "label": c.label, "chosen": c in columns} for c in offered],
        conditions=written(view, asked.fields, faults, asked.manner),
        faults={fault.pointer: fault.detail for fault in faults},
        choices=choices(asked.fields, asked.manner) if asked.form else [],
        operators=[(one.value, text) for one, text in WORDS.items()],
        older_url=view.url(after=word(found.next)) if found.next else "",
        newer_url=view.url(before=word(newer)) if newer else "",
        deleted=request.query_params.get("deleted") == "1",
        formats=FORMATS,
        exports=[one for one in await asyncio.to_thread(exports_of(request).of, who.user.id) if one.kind in FORMATS],
        down=view.order.startswith("-"),
        **context,
        **who.frame,
    )


def _added(request: Request[Any, Any, Any], view: View, asked: Asked) -> str:
    """Where to go on when a condition was just written."""
    query = request.query_params
    name, text = query.get("field", ""), query.get("value", "")
    if not name or not text.strip():
        return ""
    sent, value = meant(asked.fields, name, query.get("op", ""), text, asked.manner)
    return replace(view, answers={**view.answers, sent: value}).url()


async def _page(
    tx: ReadTransaction, who: Visitor, wanted: SubmissionFilter, view: View
) -> tuple[Page[Submission], Place | None]:
    """The page, whose `next` is where the older ones are; and where the newer ones are."""

    def at(record: Submission) -> Place:
        by_update = wanted.order in (SortOrder.UPDATED, SortOrder.UPDATED_DESC)
        return Place(record.updated if by_update else record.at, record.id)

    if view.before is None:
        found = await submissions.page(tx, who.actor, wanted, Window(_ROWS, view.after))
        return found, at(found.items[0]) if view.after and found.items else None
    back = await submissions.page_before(tx, who.actor, wanted, Window(_ROWS, view.before))
    following = at(back.items[-1]) if back.items else None
    return Page(back.items, following), at(back.items[0]) if back.next else None


async def _total(tx: ReadTransaction, who: Visitor, wanted: SubmissionFilter) -> str:
    count = await submissions.count(tx, who.actor, wanted, limit=MOST_COUNTED + 1)
    if count > MOST_COUNTED:
        return f"More than {MOST_COUNTED:,} submissions"
    return f"{count:,} submission" + ("" if count == 1 else "s")


async def _rows(
    tx: ReadTransaction, who: Visitor, items: Sequence[Submission], columns: Sequence[Column], asked: Asked
) -> list[dict[str, Any]]:
    named = {record.form_id for record in items} if asked.form is None else set()
    by_id = {form_id: await _form_name(tx, who, form_id) for form_id in named}
    names = Names(by_id, await authors.names(tx, who, [record.user_id for record in items]))
    return [
        {
            "url": f"/submissions/{record.id}",
            "cells": submission_columns.cells(columns, record, names, asked.manner),
        }
        for record in items
    ]


async def _form_name(tx: ReadTransaction, who: Visitor, form_id: str) -> str:
    try:
        return (await forms.get(tx, who.actor, form_id=form_id)).name
    except FormNotFound:
        return "Restricted form"


def _head(column: Column, view: View) -> dict[str, Any]:
    """What stands over a column; those with a time sort the list."""
    down = {".submitted": SortOrder.SUBMITTED_DESC, ".updated": SortOrder.UPDATED_DESC}.get(column.name)
    sorted_ = "" if down is None or view.order not in (down, down.reversed) else "descending"
    return {
        "label": column.label,
        "number": column.is_number,
        "sort_url": view.sorted_by(down) if down else "",
        "sorted": "ascending" if sorted_ and view.order is not down else sorted_,
    }


async def _filter_line(tx: ReadTransaction, who: Visitor, view: View, asked: Asked) -> dict[str, Any]:
    """What there is to choose from."""
    listed = (await forms.page(tx, who.actor, Window(MAX_LIMIT), newest_first=True)).items
    known = {form.id: form.name for form in listed} | ({asked.form.id: asked.form.name} if asked.form else {})
    may_see_people = Permission.PEOPLE_READ in who.actor.permissions
    users = (await people.page(tx, who.actor, Window(_PEOPLE))).items if may_see_people else []
    return {
        "form": asked.form,
        "forms": [{"id": i, "name": name, "selected": i == view.form} for i, name in known.items()],
        "folders": choices_of(await every_folder(tx, who.actor), view.folder),
        "people": [{"id": one.id, "name": one.name, "selected": one.id == view.person} for one in users],
        "states": [{"value": s.value, "name": s.capitalize(), "selected": s in view.status} for s in SubmissionStatus],
    }


@post("/submissions/columns", status_code=303)
async def choose_columns(request: Request[Any, Any, Any]) -> Redirect:
    """Keep the columns that were ticked, for this person and this form."""
    who, sent = await visitor(request), await request.form()
    form_id = str(sent.get("form", ""))
    form_id = form_id if is_id(form_id, "frm") else ""
    names = [str(value) for name, value in sent.multi_items() if name == "column"]
    async with get_app_context(request).db.writing() as tx:
        await kept_columns.save_columns(tx, who.actor, [] if "usual" in sent else names, form_id=form_id)
    here = str(sent.get("here", ""))
    return Redirect(
        here if here.startswith("/submissions?") and here.isprintable() else "/submissions", status_code=303
    )


HANDLERS = [submissions_page, choose_columns]
