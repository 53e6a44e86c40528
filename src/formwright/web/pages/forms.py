"""Forms, and the way to what is under Settings."""

from typing import Any

from litestar import Request, get
from litestar.response import Response

from formwright.core.kernel.paging import MAX_LIMIT, Window
from formwright.domain.forms import service as forms
from formwright.domain.forms.model import Form
from formwright.domain.submissions import service as submissions
from formwright.web.render import moment, page
from formwright.web.session import Visitor, house_of, visitor


@get("/forms")
async def forms_page(request: Request[Any, Any, Any]) -> Response[str]:
    """The account's forms, the newest first."""
    who = await visitor(request)
    async with house_of(request).db.reading() as tx:
        listed = (await forms.page(tx, who.actor, Window(MAX_LIMIT), newest_first=True)).items
        counts = await submissions.counts(tx, who.actor)
    shown = [_shown(who, form, counts.get(form.id, 0)) for form in listed]
    return page(request, "forms.html", place="Forms", forms=shown, **who.frame)


def _shown(who: Visitor, form: Form, count: int) -> dict[str, Any]:
    return {
        "id": form.id,
        "name": form.name,
        "description": form.description,
        "status": form.status,
        "fill_url": f"/fill/{form.link}" if form.published_version_id else "",
        "submissions": count,
        "updated": moment(form.updated, who.customer.time_zone),
    }


@get("/settings")
async def settings_page(request: Request[Any, Any, Any]) -> Response[str]:
    """What can be set."""
    who = await visitor(request)
    return page(request, "settings.html", place="Settings", **who.frame)


HANDLERS = [forms_page, settings_page]
