"""The designer: the page in which people build a form, and the requests of its script."""

from collections.abc import Sequence, Set
from dataclasses import dataclass
from typing import Any

import msgspec
from jinja2.utils import htmlsafe_json_dumps

from formwright.asgi.validation import JsonMalformed, read_large_body
from formwright.core.auth.permissions import Permission
from formwright.core.db.interface import ReadTransaction
from formwright.core.errors import Conflict, DomainError, Invalid, Unavailable, ValidationFault
from formwright.core.pagination import MAX_LIMIT, Window
from formwright.domain.datasources import service as datasources
from formwright.domain.files import form_media, media_archive
from formwright.domain.forms import service as forms
from formwright.domain.forms import versions
from formwright.domain.forms.definition import MAX_FIELDS
from formwright.domain.forms.definition_validation import MAX_DEPTH, MAX_REPEAT_DEPTH
from formwright.domain.forms.fields import Field, media_names, walk_fields
from formwright.domain.forms.fields.options import Option
from formwright.domain.forms.models import Form, FormChange, Version
from formwright.domain.forms.rules.dialect import FORBIDDEN_FIELD_NAMES, RESERVED_NAMES
from formwright.domain.question_blocks import service as blocks
from formwright.web.http import JsonResponse, Redirect, Response, get, post
from formwright.web.page import Page, PublicPage
from formwright.web.session import Visitor
from formwright.web.templating import PAGE_HEADERS
from formwright.web.views.designer import draft as drafts
from formwright.web.views.designer.field_types import describe_field_types, describe_settings
from formwright.web.views.designer.labels import PROPERTY_LABELS, ChangeRow, FieldOutline, field_outline
from formwright.web.views.designer.media import list_form_media
from formwright.web.views.designer.new import MAX_NAME, MAX_TEXT, NAME_ERROR
from formwright.web.views.form_head import FormHead, load_form_head

PATH = "/forms/{form_id:str}/design"
_MAX_MISSING = 5
_FAULT_TEXTS = {
    "field.name.taken": "Another field has this name. Choose a different one.",
    "field.name.case": "Another field has this name in upper or lower case. Choose a different one.",
    "field.unknown": "This field can’t be filled in from the lookup.",
    "form.fields.none": "A form needs at least one field.",
}


@dataclass(frozen=True, slots=True)
class Notice:
    """A notice at the top of the designer, `good` or `bad`. The script removes it by its `id`."""

    kind: str
    text: str
    id: str = ""


@dataclass(frozen=True, slots=True)
class DesignerPage:
    """The view model of the designer. `changes` is None if no version is published yet.

    `designer_data` is JSON for the script, escaped for HTML.
    """

    head: FormHead
    form: Form
    version: Version
    fields: Sequence[FieldOutline]
    changes: Sequence[ChangeRow] | None
    is_publishing: bool
    notice: Notice | None
    may_edit: bool
    may_publish: bool
    designer_data: str


@get(PATH)
async def designer_page(page: Page, form_id: str) -> Response:
    """The designer with the newest version; `?publish=1` opens the dialog that publishes it."""
    form = await forms.get(page.tx, page.actor, form_id=form_id)
    version = await versions.get_newest(page.tx, page.actor, form_id=form.id)
    changes = await drafts.changes_since_published(page.tx, page.actor, form, version)
    data = await _designer_data(page.tx, page.visitor, form, version)
    data["media"] = await list_form_media(page.ctx, page.tx, page.visitor, form)
    head = await load_form_head(page.tx, page.visitor, form)
    view_model = DesignerPage(
        head=head,
        form=form,
        version=version,
        fields=field_outline(version.definition.fields, version.definition.settings.language),
        changes=changes,
        is_publishing=page.query.get("publish") == "1",
        notice=_notice(page, form) or _missing_notice(version, {one["name"] for one in data["media"]}),
        may_edit=data["mayEdit"],
        may_publish=page.visitor.may(Permission.FORMS_PUBLISH, form),
        designer_data=htmlsafe_json_dumps(data, dumps=_dump_json),
    )
    response = page.render("designer/editor.html", view_model, section="Forms")
    # The preview is an iframe.
    response.headers["content-security-policy"] = PAGE_HEADERS["content-security-policy"] + "; frame-src 'self'"
    return response


def _dump_json(data: Any, **_: Any) -> str:
    """Return JSON that keeps the order of properties: the order of languages and columns is that of the form."""
    return msgspec.json.encode(data).decode()


def _notice(page: PublicPage, form: Form) -> Notice | None:
    query = page.query
    if query.get("published") == "1" and form.published_version_id:
        return Notice("good", "Published. New responses use this version.")
    if query.get("fault") == "overtaken":
        return Notice("bad", "Not published. Someone else changed the form; review it and publish again.")
    if query.get("fault") == "invalid":
        return Notice("bad", "Not published. Fix the errors shown next to the fields.")
    return None


def _missing_notice(version: Version, uploaded: Set[str]) -> Notice | None:
    """Return the notice about media that the form shows but does not have, as after an import."""
    shown = media_names(version.definition.fields)
    if not (missing := sorted(shown - uploaded)):
        return None
    more = len(missing) - _MAX_MISSING
    names = ", ".join(missing[:_MAX_MISSING]) + (f" and {more} more" if more > 0 else "")
    text = f"Media files are missing: {names}. Upload them under Form settings › Media files."
    return Notice("bad", text, "missing-media")


async def _designer_data(tx: ReadTransaction, visitor: Visitor, form: Form, version: Version) -> dict[str, Any]:
    """Return the data of the page's script."""
    published: dict[str, str] = {}
    if form.published_version_id:
        final = await versions.get(tx, visitor.actor, form_id=form.id, version_id=form.published_version_id)
        published = {field.name: field.type for field in walk_fields(final.definition.fields)}
    definition: dict[str, Any] = msgspec.to_builtins(version.definition)
    return {
        "formId": form.id,
        "userId": visitor.user.id,
        "name": form.name,
        "description": form.description,
        "base": drafts.draft_base(version),
        "status": version.status,
        "faults": [
            fault_view(fault)
            for fault in await versions.find_errors(
                tx, visitor.actor, version.definition.fields, version.definition.settings
            )
        ],
        "published": published,
        "fields": definition["fields"],
        "settings": definition["settings"],
        "types": describe_field_types(),
        "commonSettings": describe_settings(Field),
        "optionSettings": describe_settings(Option),
        "reserved": sorted(FORBIDDEN_FIELD_NAMES | RESERVED_NAMES),
        "maxFields": MAX_FIELDS,
        "maxDepth": MAX_DEPTH,
        "maxRepeatDepth": MAX_REPEAT_DEPTH,
        "maxNameLength": MAX_NAME,
        "maxDescriptionLength": MAX_TEXT,
        "maxMediaSize": form_media.MAX_SIZE,
        "maxArchiveSize": media_archive.MAX_ARCHIVE,
        "datasources": await _list_datasources(tx, visitor),
        "mayAddDatasource": Permission.DATASOURCES_EDIT in visitor.actor.permissions,
        "mayEdit": visitor.may(Permission.FORMS_EDIT, form),
        "mayEditLibrary": visitor.may_everywhere(Permission.FORMS_EDIT),
        "blocks": await _list_blocks(tx, visitor, version),
        "propertyLabels": PROPERTY_LABELS,
    }


async def _list_blocks(tx: ReadTransaction, visitor: Visitor, version: Version) -> dict[str, dict[str, Any] | None]:
    """Return the question blocks that the fields come from; None for one that no longer exists."""
    used = await blocks.list_used(tx, visitor.actor, version.definition.fields)
    return {id_: {"name": block[0], "version": block[1]} if block else None for id_, block in used.items()}


async def _list_datasources(tx: ReadTransaction, visitor: Visitor) -> list[dict[str, Any]]:
    if Permission.DATASOURCES_READ not in visitor.actor.permissions:
        return []
    listed = (await datasources.page(tx, visitor.actor, Window(MAX_LIMIT))).items
    return [
        {"id": source.id, "name": source.name, "key": source.key_column, "columns": source.column_names}
        for source in listed
    ]


@post(PATH + "/draft")
async def save_draft(page: Page, form_id: str) -> Response:
    """Save the draft. Returns 422 with the errors if it is invalid, and 409 if someone else changed the form."""
    try:
        content = await read_large_body(await page.body(), drafts.DraftContent)
        async with page.writing() as tx:
            version = await drafts.save_draft(tx, page.actor, form_id, content)
    except Invalid as error:
        return JsonResponse({"faults": [fault_view(fault) for fault in error.faults]}, 422)
    except Unavailable:
        raise
    except (DomainError, JsonMalformed) as error:
        return JsonResponse({"detail": str(error)}, 409 if isinstance(error, Conflict) else 400)
    return JsonResponse({"base": drafts.draft_base(version), "status": version.status})


def fault_view(fault: ValidationFault) -> dict[str, str]:
    """Return an error as the script of the designer shows it."""
    return {"pointer": fault.pointer, "detail": _FAULT_TEXTS.get(fault.code, fault.detail)}


class FormDetails(msgspec.Struct, forbid_unknown_fields=True):
    """The name and description of a form."""

    name: str
    description: str


@post(PATH + "/about")
async def change_details(page: Page, form_id: str) -> Response:
    """Change the form's name and description."""
    try:
        details: FormDetails = await read_large_body(await page.body(), FormDetails)
        _check_details(details)
        change = FormChange(name=details.name.strip(), description=details.description.strip())
        async with page.writing() as tx:
            await forms.change(tx, page.actor, change, form_id=form_id)
    except Invalid as error:
        return JsonResponse({"faults": [fault_view(fault) for fault in error.faults]}, 422)
    except Unavailable:
        raise
    except (DomainError, JsonMalformed) as error:
        return JsonResponse({"detail": str(error)}, 400)
    return JsonResponse({})


def _check_details(details: FormDetails) -> None:
    if not 1 <= len(details.name.strip()) <= MAX_NAME:
        raise Invalid.at("/name", "value.name", NAME_ERROR)
    if len(details.description) > MAX_TEXT:
        raise Invalid.at("/description", "value.too_long", f"Enter at most {MAX_TEXT} characters.")


@get(PATH + "/changes")
async def changes_since_published(page: Page, form_id: str) -> Response:
    """Return what publishing the newest version would change."""
    form = await forms.get(page.tx, page.actor, form_id=form_id)
    version = await versions.get_newest(page.tx, page.actor, form_id=form.id)
    changes = await drafts.changes_since_published(page.tx, page.actor, form, version)
    return JsonResponse({"base": drafts.draft_base(version), "changes": changes})


@post(PATH + "/publish")
async def publish_form(page: Page, form_id: str) -> Redirect:
    """Publish the version shown in the designer, unless someone else changed the form.

    The first version leads to the page that shares the form.
    """
    sent = await page.form()
    designer_url = f"/forms/{form_id}/design"
    try:
        base = drafts.DraftBase(str(sent.get("version", "")), 0, int(str(sent.get("revision", ""))[:12]))
        async with page.changing() as tx:
            is_first = (await forms.get(tx, page.actor, form_id=form_id)).published_version_id is None
            await drafts.publish_version(tx, page.actor, form_id, base, _read_remarks(sent.get("remarks")))
    except (drafts.DraftOutdated, ValueError):
        return Redirect(f"{designer_url}?fault=overtaken")
    except Invalid:
        return Redirect(f"{designer_url}?fault=invalid")
    next_url = f"/forms/{form_id}/share?done=published" if is_first else f"{designer_url}?published=1"
    return Redirect(next_url)


def _read_remarks(value: object) -> str:
    return str(value or "").strip()[:MAX_TEXT]
