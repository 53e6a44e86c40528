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
from formwright.core.pagination import MAX_LIMIT, Page, Position, Window
from formwright.domain.forms import service as forms
from formwright.domain.forms.models import FormNotFound
from formwright.domain.submissions import list_columns as kept_columns
from formwright.domain.submissions import service as submissions
from formwright.domain.submissions.models import SortOrder, Submission, SubmissionFilter, SubmissionStatus
from formwright.domain.users import service as people
from formwright.web.session import Visitor, get_app_context, get_export_store, require_visitor
from formwright.web.templating import render_page
from formwright.web.views import authors
from formwright.web.views.folders import folder_options, list_all_folders
from formwright.web.views.submissions import list_columns as submission_columns
from formwright.web.views.submissions.export.formats import FORMATS
from formwright.web.views.submissions.filter_labels import (
    OPERATOR_LABELS,
    condition_choices,
    condition_rows,
    parse_condition,
)
from formwright.web.views.submissions.form_context import FormContext, load_form_context
from formwright.web.views.submissions.list_columns import Column, RowNames
from formwright.web.views.submissions.list_query import ListQuery, build_filter, format_place, read_list_query

_PAGE_SIZE = 50
MAX_COUNT = 10_000
_MAX_PEOPLE = 500
_EMPTY_PAGE: Page[Submission] = Page([], None)


@get("/submissions")
async def submissions_page(request: Request[Any, Any, Any]) -> Response[Any]:
    """What came in, the newest first: of one form or of all, filtered, with the columns that the person chose."""
    visitor, view = await require_visitor(request), read_list_query(request)
    async with get_app_context(request).db.reading(long=bool(view.answers), listing=True) as tx:
        asked = await load_form_context(tx, visitor, view.form)
        if more := _url_with_new_condition(request, view, asked):
            return Redirect(more, status_code=303)
        wanted, faults = await build_filter(tx, visitor, view)
        found, newer = (_EMPTY_PAGE, None) if faults else await _load_page(tx, visitor, wanted, view)
        offered = submission_columns.available_columns(asked.fields, asked.display, single_form=asked.form is not None)
        chosen = await kept_columns.find_columns(tx, visitor.actor, form_id=view.form)
        columns = submission_columns.select_columns(offered, chosen)
        context = {
            "rows": await _load_rows(tx, visitor, found.items, columns, asked),
            "total": None if faults or view.answers else await _count_label(tx, visitor, wanted),
            **await _load_filter_options(tx, visitor, view, asked),
        }
    return render_page(
        request,
        "submissions/overview.html",
        400 if faults else 200,
        place="Submissions",
        view=view,
        columns=[_column_header(column, view) for column in columns],
        offered=[{"name": c.name, "label": c.label, "chosen": c in columns} for c in offered],
        conditions=condition_rows(view, asked.fields, faults, asked.display),
        faults={fault.pointer: fault.detail for fault in faults},
        choices=condition_choices(asked.fields, asked.display) if asked.form else [],
        operators=[(one.value, text) for one, text in OPERATOR_LABELS.items()],
        older_url=view.url(after=format_place(found.next)) if found.next else "",
        newer_url=view.url(before=format_place(newer)) if newer else "",
        deleted=request.query_params.get("deleted") == "1",
        formats=FORMATS,
        exports=[
            one
            for one in await asyncio.to_thread(get_export_store(request).list_by_user, visitor.user.id)
            if one.kind in FORMATS
        ],
        down=view.order.startswith("-"),
        **context,
        **visitor.template_frame,
    )


def _url_with_new_condition(request: Request[Any, Any, Any], view: ListQuery, asked: FormContext) -> str:
    """Where to go on when a condition was just written."""
    query = request.query_params
    name, text = query.get("field", ""), query.get("value", "")
    if not name or not text.strip():
        return ""
    sent, value = parse_condition(asked.fields, name, query.get("op", ""), text, asked.display)
    return replace(view, answers={**view.answers, sent: value}).url()


async def _load_page(
    tx: ReadTransaction, visitor: Visitor, wanted: SubmissionFilter, view: ListQuery
) -> tuple[Page[Submission], Position | None]:
    """The page, whose `next` is where the older ones are; and where the newer ones are."""

    def at(record: Submission) -> Position:
        by_update = wanted.order in (SortOrder.UPDATED, SortOrder.UPDATED_DESC)
        return Position(record.updated if by_update else record.at, record.id)

    if view.before is None:
        found = await submissions.page(tx, visitor.actor, wanted, Window(_PAGE_SIZE, view.after))
        return found, at(found.items[0]) if view.after and found.items else None
    back = await submissions.previous_page(tx, visitor.actor, wanted, Window(_PAGE_SIZE, view.before))
    following = at(back.items[-1]) if back.items else None
    return Page(back.items, following), at(back.items[0]) if back.next else None


async def _count_label(tx: ReadTransaction, visitor: Visitor, wanted: SubmissionFilter) -> str:
    count = await submissions.count(tx, visitor.actor, wanted, limit=MAX_COUNT + 1)
    if count > MAX_COUNT:
        return f"More than {MAX_COUNT:,} submissions"
    return f"{count:,} submission" + ("" if count == 1 else "s")


async def _load_rows(
    tx: ReadTransaction, visitor: Visitor, items: Sequence[Submission], columns: Sequence[Column], asked: FormContext
) -> list[dict[str, Any]]:
    named = {record.form_id for record in items} if asked.form is None else set()
    by_id = {form_id: await _load_form_name(tx, visitor, form_id) for form_id in named}
    names = RowNames(by_id, await authors.load_author_names(tx, visitor, [record.user_id for record in items]))
    return [
        {
            "url": f"/submissions/{record.id}",
            "cells": submission_columns.render_cells(columns, record, names, asked.display),
        }
        for record in items
    ]


async def _load_form_name(tx: ReadTransaction, visitor: Visitor, form_id: str) -> str:
    try:
        return (await forms.get(tx, visitor.actor, form_id=form_id)).name
    except FormNotFound:
        return "Restricted form"


def _column_header(column: Column, view: ListQuery) -> dict[str, Any]:
    """What stands over a column; those with a time sort the list."""
    down = {".submitted": SortOrder.SUBMITTED_DESC, ".updated": SortOrder.UPDATED_DESC}.get(column.name)
    sorted_ = "" if down is None or view.order not in (down, down.reversed) else "descending"
    return {
        "label": column.label,
        "number": column.is_number,
        "sort_url": view.sort_url(down) if down else "",
        "sorted": "ascending" if sorted_ and view.order is not down else sorted_,
    }


async def _load_filter_options(
    tx: ReadTransaction, visitor: Visitor, view: ListQuery, asked: FormContext
) -> dict[str, Any]:
    """What there is to choose from."""
    listed = (await forms.page(tx, visitor.actor, Window(MAX_LIMIT), newest_first=True)).items
    known = {form.id: form.name for form in listed} | ({asked.form.id: asked.form.name} if asked.form else {})
    may_see_people = Permission.PEOPLE_READ in visitor.actor.permissions
    users = (await people.page(tx, visitor.actor, Window(_MAX_PEOPLE))).items if may_see_people else []
    return {
        "form": asked.form,
        "forms": [{"id": i, "name": name, "selected": i == view.form} for i, name in known.items()],
        "folders": folder_options(await list_all_folders(tx, visitor.actor), view.folder),
        "people": [{"id": one.id, "name": one.name, "selected": one.id == view.person} for one in users],
        "states": [{"value": s.value, "name": s.capitalize(), "selected": s in view.status} for s in SubmissionStatus],
    }


@post("/submissions/columns", status_code=303)
async def choose_columns(request: Request[Any, Any, Any]) -> Redirect:
    """Keep the columns that were ticked, for this person and this form."""
    visitor, sent = await require_visitor(request), await request.form()
    form_id = str(sent.get("form", ""))
    form_id = form_id if is_id(form_id, "frm") else ""
    names = [str(value) for name, value in sent.multi_items() if name == "column"]
    async with get_app_context(request).db.writing() as tx:
        await kept_columns.save_columns(tx, visitor.actor, [] if "usual" in sent else names, form_id=form_id)
    here = str(sent.get("here", ""))
    return Redirect(
        here if here.startswith("/submissions?") and here.isprintable() else "/submissions", status_code=303
    )


HANDLERS = [submissions_page, choose_columns]
