"""The designer: a page in which a form is built and changed, and the calls it makes."""

from typing import Any

import msgspec
from jinja2.utils import htmlsafe_json_dumps
from litestar import Request, get, post
from litestar.params import FromPath
from litestar.response import Redirect, Response

from formwright.asgi.json_limits import JsonMalformed
from formwright.asgi.validation import read_large_body
from formwright.core.auth.permissions import Permission
from formwright.core.db.interface import ReadTransaction
from formwright.core.errors import Conflict, DomainError, Invalid, ValidationFault
from formwright.core.pagination import MAX_LIMIT, Window
from formwright.domain.datasources import service as datasources
from formwright.domain.forms import service as forms
from formwright.domain.forms import versions
from formwright.domain.forms.cel.dialect import FORBIDDEN_FIELD_NAMES, RESERVED_NAMES
from formwright.domain.forms.definition import MAX_FIELDS, walk_fields
from formwright.domain.forms.models import Form, FormChange, Version
from formwright.web.session import Visitor, get_app_context, visitor
from formwright.web.templating import HEADERS, page
from formwright.web.views.designer import draft as drafts
from formwright.web.views.designer.labels import GROUPS, outline
from formwright.web.views.designer.new import LONGEST_NAME, LONGEST_TEXT, NAME_WRONG

HERE = "/forms/{form_id:str}/design"
_PLAIN = {
    "field.name.taken": "Another field has this name. Choose a different one.",
    "field.unknown": "This field can’t be filled in from the lookup.",
    "form.fields.none": "A form needs at least one field.",
}


@get(HERE)
async def designer_page(request: Request[Any, Any, Any], form_id: FromPath[str]) -> Response[str]:
    """The designer over the newest version; `?publish` opens the dialog that publishes it."""
    who = await visitor(request)
    async with get_app_context(request).db.reading() as tx:
        form = await forms.get(tx, who.actor, form_id=form_id)
        version = await drafts.newest(tx, who.actor, form)
        changed = await drafts.since_published(tx, who.actor, form, version)
        data = await _data(tx, who, form, version)
    answer = page(
        request,
        "designer/building.html",
        place="Forms",
        form=form,
        version=version,
        fields=outline(version.definition.fields, version.definition.settings.language),
        changed=changed,
        publishing=request.query_params.get("publish") == "1",
        said=_said(request, form),
        may_edit=data["mayEdit"],
        may_publish=who.may(Permission.FORMS_PUBLISH, form),
        designer_data=htmlsafe_json_dumps(data, dumps=_in_order),
        **who.frame,
    )
    answer.headers["content-security-policy"] = HEADERS["content-security-policy"] + "; frame-src 'self'"
    return answer


def _in_order(data: Any, **_: Any) -> str:
    """As it is: sorted by name, as the template's own filter has it, columns and languages would change places."""
    return msgspec.json.encode(data).decode()


def _said(request: Request[Any, Any, Any], form: Form) -> dict[str, str]:
    asked = request.query_params
    if asked.get("published") == "1" and form.published_version_id:
        return {"kind": "good", "text": "Published. New responses use this version."}
    if asked.get("fault") == "overtaken":
        return {"kind": "bad", "text": "Not published. Someone else changed the form; review it and publish again."}
    if asked.get("fault") == "invalid":
        return {"kind": "bad", "text": "Not published. Fix the errors shown next to the fields."}
    return {}


async def _data(tx: ReadTransaction, who: Visitor, form: Form, version: Version) -> dict[str, Any]:
    """What the script is given."""
    published: dict[str, str] = {}
    if form.published_version_id:
        final = await versions.get(tx, who.actor, form_id=form.id, version_id=form.published_version_id)
        published = {field.name: str(field.__struct_config__.tag) for field in walk_fields(final.definition.fields)}
    definition: dict[str, Any] = msgspec.to_builtins(version.definition)
    return {
        "formId": form.id,
        "userId": who.user.id,
        "name": form.name,
        "description": form.description,
        "base": drafts.base_of(version),
        "status": version.status,
        "faults": [_fault(fault) for fault in await versions.find_errors(tx, who.actor, version.definition.fields)],
        "published": published,
        "fields": definition["fields"],
        "settings": definition["settings"],
        "groups": [{"name": name, "kinds": list(kinds.items())} for name, kinds in GROUPS.items()],
        "reserved": sorted(FORBIDDEN_FIELD_NAMES | RESERVED_NAMES),
        "maxFields": MAX_FIELDS,
        "datasources": await _datasources(tx, who),
        "mayAddDatasource": Permission.DATASOURCES_EDIT in who.actor.permissions,
        "mayEdit": who.may(Permission.FORMS_EDIT, form),
    }


async def _datasources(tx: ReadTransaction, who: Visitor) -> list[dict[str, Any]]:
    if Permission.DATASOURCES_READ not in who.actor.permissions:
        return []
    found = (await datasources.page(tx, who.actor, Window(MAX_LIMIT))).items
    return [{"id": one.id, "name": one.name, "key": one.key_column, "columns": one.column_names} for one in found]


@post(HERE + "/draft")
async def keep_draft(request: Request[Any, Any, Any], form_id: FromPath[str]) -> Response[bytes]:
    """Check what was written and keep it: 200, or 422 with what is wrong, or 409 when another was faster."""
    who = await visitor(request)
    try:
        written = await read_large_body(await request.body(), drafts.Written)
        async with get_app_context(request).db.writing() as tx:
            kept = await drafts.keep(tx, who.actor, form_id, written)
    except Invalid as error:
        return _json({"faults": [_fault(fault) for fault in error.faults]}, 422)
    except (DomainError, JsonMalformed) as error:
        return _json({"detail": str(error)}, 409 if isinstance(error, Conflict) else 400)
    return _json({"base": drafts.base_of(kept), "status": kept.status})


def _fault(fault: ValidationFault) -> dict[str, str]:
    return {"pointer": fault.pointer, "detail": _PLAIN.get(fault.code, fault.detail)}


def _json(answer: object, status: int = 200) -> Response[bytes]:
    body = msgspec.json.encode(answer)
    return Response(body, status_code=status, media_type="application/json", headers={"cache-control": "no-store"})


class About(msgspec.Struct, forbid_unknown_fields=True):
    """What the form is called."""

    name: str
    description: str


@post(HERE + "/about")
async def change_about(request: Request[Any, Any, Any], form_id: FromPath[str]) -> Response[bytes]:
    """Change the form's name and description."""
    who = await visitor(request)
    try:
        about: About = await read_large_body(await request.body(), About)
        _check(about)
        async with get_app_context(request).db.writing() as tx:
            what = FormChange(name=about.name.strip(), description=about.description.strip())
            await forms.change(tx, who.actor, what, form_id=form_id)
    except Invalid as error:
        return _json({"faults": [_fault(fault) for fault in error.faults]}, 422)
    except (DomainError, JsonMalformed) as error:
        return _json({"detail": str(error)}, 400)
    return _json({})


def _check(about: About) -> None:
    if not 1 <= len(about.name.strip()) <= LONGEST_NAME:
        raise Invalid.at("/name", "value.name", NAME_WRONG)
    if len(about.description) > LONGEST_TEXT:
        words = f"Enter at most {LONGEST_TEXT} characters."
        raise Invalid.at("/description", "value.too_long", words)


@get(HERE + "/changes")
async def changes_since(request: Request[Any, Any, Any], form_id: FromPath[str]) -> Response[bytes]:
    """What publishing the newest version would change."""
    who = await visitor(request)
    async with get_app_context(request).db.reading() as tx:
        form = await forms.get(tx, who.actor, form_id=form_id)
        version = await drafts.newest(tx, who.actor, form)
        found = await drafts.since_published(tx, who.actor, form, version)
    return _json({"base": drafts.base_of(version), "changes": found})


@post(HERE + "/publish", status_code=303)
async def publish(request: Request[Any, Any, Any], form_id: FromPath[str]) -> Redirect:
    """Publish the version that was looked at."""
    who, sent = await visitor(request), await request.form()
    here = f"/forms/{form_id}/design"
    try:
        base = drafts.Base(str(sent.get("version", "")), 0, int(str(sent.get("revision", ""))[:12]))
        async with get_app_context(request).db.writing() as tx:
            await drafts.publish(tx, who.actor, form_id, base, _text(sent.get("remarks")))
    except (drafts.Overtaken, ValueError):
        return Redirect(f"{here}?fault=overtaken", status_code=303)
    except Invalid:
        return Redirect(f"{here}?fault=invalid", status_code=303)
    return Redirect(f"{here}?published=1", status_code=303)


def _text(given: object) -> str:
    return str(given or "").strip()[:LONGEST_TEXT]


HANDLERS = [
    designer_page,
    keep_draft,
    change_about,
    changes_since,
    publish,
]
