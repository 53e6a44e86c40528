"""The designer: a page in which a form is built and changed, and the calls it makes."""

from typing import Any

import msgspec
from jinja2.utils import htmlsafe_json_dumps
from litestar import Request, get, post
from litestar.params import FromPath
from litestar.response import Redirect, Response

from formwright.asgi.validation import JsonMalformed, read_large_body
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
from formwright.web.session import Visitor, get_app_context, require_visitor
from formwright.web.templating import PAGE_HEADERS, render_page
from formwright.web.views.designer import draft as drafts
from formwright.web.views.designer.labels import FIELD_GROUPS, field_outline
from formwright.web.views.designer.new import MAX_NAME, MAX_TEXT, NAME_ERROR

PATH = "/forms/{form_id:str}/design"
_FAULT_TEXTS = {
    "field.name.taken": "Another field has this name. Choose a different one.",
    "field.unknown": "This field can’t be filled in from the lookup.",
    "form.fields.none": "A form needs at least one field.",
}


@get(PATH)
async def designer_page(request: Request[Any, Any, Any], form_id: FromPath[str]) -> Response[str]:
    """The designer over the newest version; `?publish` opens the dialog that publishes it."""
    visitor = await require_visitor(request)
    async with get_app_context(request).db.reading() as tx:
        form = await forms.get(tx, visitor.actor, form_id=form_id)
        version = await drafts.load_newest_version(tx, visitor.actor, form)
        changed = await drafts.changes_since_published(tx, visitor.actor, form, version)
        data = await _designer_data(tx, visitor, form, version)
    answer = render_page(
        request,
        "designer/building.html",
        place="Forms",
        form=form,
        version=version,
        fields=field_outline(version.definition.fields, version.definition.settings.language),
        changed=changed,
        publishing=request.query_params.get("publish") == "1",
        said=_notice(request, form),
        may_edit=data["mayEdit"],
        may_publish=visitor.may(Permission.FORMS_PUBLISH, form),
        designer_data=htmlsafe_json_dumps(data, dumps=_dump_json),
        **visitor.template_frame,
    )
    answer.headers["content-security-policy"] = PAGE_HEADERS["content-security-policy"] + "; frame-src 'self'"
    return answer


def _dump_json(data: Any, **_: Any) -> str:
    """As it is: sorted by name, as the template's own filter has it, columns and languages would change places."""
    return msgspec.json.encode(data).decode()


def _notice(request: Request[Any, Any, Any], form: Form) -> dict[str, str]:
    asked = request.query_params
    if asked.get("published") == "1" and form.published_version_id:
        return {"kind": "good", "text": "Published. New responses use this version."}
    if asked.get("fault") == "overtaken":
        return {"kind": "bad", "text": "Not published. Someone else changed the form; review it and publish again."}
    if asked.get("fault") == "invalid":
        return {"kind": "bad", "text": "Not published. Fix the errors shown next to the fields."}
    return {}


async def _designer_data(tx: ReadTransaction, visitor: Visitor, form: Form, version: Version) -> dict[str, Any]:
    """What the script is given."""
    published: dict[str, str] = {}
    if form.published_version_id:
        final = await versions.get(tx, visitor.actor, form_id=form.id, version_id=form.published_version_id)
        published = {field.name: str(field.__struct_config__.tag) for field in walk_fields(final.definition.fields)}
    definition: dict[str, Any] = msgspec.to_builtins(version.definition)
    return {
        "formId": form.id,
        "userId": visitor.user.id,
        "name": form.name,
        "description": form.description,
        "base": drafts.draft_base(version),
        "status": version.status,
        "faults": [
            _fault_view(fault) for fault in await versions.find_errors(tx, visitor.actor, version.definition.fields)
        ],
        "published": published,
        "fields": definition["fields"],
        "settings": definition["settings"],
        "groups": [{"name": name, "kinds": list(kinds.items())} for name, kinds in FIELD_GROUPS.items()],
        "reserved": sorted(FORBIDDEN_FIELD_NAMES | RESERVED_NAMES),
        "maxFields": MAX_FIELDS,
        "datasources": await _list_datasources(tx, visitor),
        "mayAddDatasource": Permission.DATASOURCES_EDIT in visitor.actor.permissions,
        "mayEdit": visitor.may(Permission.FORMS_EDIT, form),
    }


async def _list_datasources(tx: ReadTransaction, visitor: Visitor) -> list[dict[str, Any]]:
    if Permission.DATASOURCES_READ not in visitor.actor.permissions:
        return []
    found = (await datasources.page(tx, visitor.actor, Window(MAX_LIMIT))).items
    return [{"id": one.id, "name": one.name, "key": one.key_column, "columns": one.column_names} for one in found]


@post(PATH + "/draft")
async def save_draft(request: Request[Any, Any, Any], form_id: FromPath[str]) -> Response[bytes]:
    """Check what was written and keep it: 200, or 422 with what is wrong, or 409 when another was faster."""
    visitor = await require_visitor(request)
    try:
        written = await read_large_body(await request.body(), drafts.DraftContent)
        async with get_app_context(request).db.writing() as tx:
            kept = await drafts.save_draft(tx, visitor.actor, form_id, written)
    except Invalid as error:
        return _json_response({"faults": [_fault_view(fault) for fault in error.faults]}, 422)
    except (DomainError, JsonMalformed) as error:
        return _json_response({"detail": str(error)}, 409 if isinstance(error, Conflict) else 400)
    return _json_response({"base": drafts.draft_base(kept), "status": kept.status})


def _fault_view(fault: ValidationFault) -> dict[str, str]:
    return {"pointer": fault.pointer, "detail": _FAULT_TEXTS.get(fault.code, fault.detail)}


def _json_response(answer: object, status: int = 200) -> Response[bytes]:
    body = msgspec.json.encode(answer)
    return Response(body, status_code=status, media_type="application/json", headers={"cache-control": "no-store"})


class FormDetails(msgspec.Struct, forbid_unknown_fields=True):
    """What the form is called."""

    name: str
    description: str


@post(PATH + "/about")
async def change_details(request: Request[Any, Any, Any], form_id: FromPath[str]) -> Response[bytes]:
    """Change the form's name and description."""
    visitor = await require_visitor(request)
    try:
        about: FormDetails = await read_large_body(await request.body(), FormDetails)
        _check_details(about)
        async with get_app_context(request).db.writing() as tx:
            what = FormChange(name=about.name.strip(), description=about.description.strip())
            await forms.change(tx, visitor.actor, what, form_id=form_id)
    except Invalid as error:
        return _json_response({"faults": [_fault_view(fault) for fault in error.faults]}, 422)
    except (DomainError, JsonMalformed) as error:
        return _json_response({"detail": str(error)}, 400)
    return _json_response({})


def _check_details(about: FormDetails) -> None:
    if not 1 <= len(about.name.strip()) <= MAX_NAME:
        raise Invalid.at("/name", "value.name", NAME_ERROR)
    if len(about.description) > MAX_TEXT:
        words = f"Enter at most {MAX_TEXT} characters."
        raise Invalid.at("/description", "value.too_long", words)


@get(PATH + "/changes")
async def changes_since_published(request: Request[Any, Any, Any], form_id: FromPath[str]) -> Response[bytes]:
    """What publishing the newest version would change."""
    visitor = await require_visitor(request)
    async with get_app_context(request).db.reading() as tx:
        form = await forms.get(tx, visitor.actor, form_id=form_id)
        version = await drafts.load_newest_version(tx, visitor.actor, form)
        found = await drafts.changes_since_published(tx, visitor.actor, form, version)
    return _json_response({"base": drafts.draft_base(version), "changes": found})


@post(PATH + "/publish", status_code=303)
async def publish_form(request: Request[Any, Any, Any], form_id: FromPath[str]) -> Redirect:
    """Publish the version that was looked at."""
    visitor, sent = await require_visitor(request), await request.form()
    here = f"/forms/{form_id}/design"
    try:
        base = drafts.DraftBase(str(sent.get("version", "")), 0, int(str(sent.get("revision", ""))[:12]))
        async with get_app_context(request).db.writing() as tx:
            await drafts.publish_version(tx, visitor.actor, form_id, base, _read_remarks(sent.get("remarks")))
    except (drafts.DraftOutdated, ValueError):
        return Redirect(f"{here}?fault=overtaken", status_code=303)
    except Invalid:
        return Redirect(f"{here}?fault=invalid", status_code=303)
    return Redirect(f"{here}?published=1", status_code=303)


def _read_remarks(given: object) -> str:
    return str(given or "").strip()[:MAX_TEXT]


HANDLERS = [
    designer_page,
    save_draft,
    change_details,
    changes_since_published,
    publish_form,
]
