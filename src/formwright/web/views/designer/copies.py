"""Copies a form: into another folder, or as a bundle into another account."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import msgspec

from formwright.asgi.form_bundles import read_bundle
from formwright.asgi.validation import BodyTooComplex, JsonMalformed
from formwright.core.auth.actor import allow
from formwright.core.auth.permissions import Permission
from formwright.core.db.interface import ReadTransaction
from formwright.core.errors import DomainError, Invalid, ValidationFault
from formwright.core.pagination import MAX_LIMIT, Position, Window
from formwright.domain.datasources import service as datasources
from formwright.domain.datasources.models import Datasource
from formwright.domain.files.filenames import content_disposition
from formwright.domain.forms import bundles, copies
from formwright.domain.forms import service as forms
from formwright.domain.forms.bundles import BundleDatasource, BundleImport, FormBundle
from formwright.domain.forms.models import Form, Version
from formwright.web.http import Redirect, Response, UploadFile, get, post
from formwright.web.page import Page
from formwright.web.session import Visitor
from formwright.web.templating import PAGE_HEADERS
from formwright.web.views.designer.new import MAX_NAME, NAME_ERROR, ImportFault, render_new_form
from formwright.web.views.folders import editable_folder_options, list_all_folders
from formwright.web.views.form_input import faults_by_field, read_text

_FORM = "/forms/{form_id:str}"
_SOURCE = "datasource-"
_UNRESOLVED = ("bundle.datasource_missing", "bundle.columns_missing")
_NO_FILE = ImportFault("", "Choose a file first.")
_MAX_FAULTS = 200


@dataclass(frozen=True, slots=True)
class CopyPage:
    """The page that copies a version of a form. `root` is the label of the option for no folder, or empty."""

    form: Form
    version: Version
    name: str
    folder: str
    folders: Sequence[tuple[str, str]]
    root: str
    faults: Mapping[str, str]


@get(_FORM + "/copy")
async def copy_page(page: Page, form_id: str) -> Response:
    """Where to copy a form; `?version=` is the version, by default the published one."""
    return await _render_copy(page, form_id, {})


async def _render_copy(page: Page, form_id: str, faults: Mapping[str, str], **typed: str) -> Response:
    allow(page.actor, Permission.FORMS_EDIT)
    version_id = typed.get("version") or page.query.get("version")
    form = await forms.get(page.tx, page.actor, form_id=form_id)
    version = await copies.load_version(page.tx, page.actor, form, version_id)
    folders = await list_all_folders(page.tx, page.actor)
    view_model = CopyPage(
        form=form,
        version=version,
        name=typed.get("name", f"Copy of {form.name}"[:MAX_NAME]),
        folder=typed.get("folder", form.folder_id or ""),
        folders=editable_folder_options(page.visitor, folders),
        root="No folder" if page.visitor.may_everywhere(Permission.FORMS_EDIT) else "",
        faults=faults,
    )
    status = 422 if faults else 200
    return page.render("designer/copy.html", view_model, section="Forms", status=status)


@post(_FORM + "/copy")
async def copy_form(page: Page, form_id: str) -> Response:
    """Create the copy as a draft, and open it in the designer."""
    sent = await page.form()
    typed = {name: read_text(sent, name, MAX_NAME + 1) for name in ("name", "folder", "version")}
    if not 1 <= len(typed["name"]) <= MAX_NAME:
        return await _render_copy(page, form_id, {"name": NAME_ERROR}, **typed)
    try:
        async with page.writing() as tx:
            made = await copies.copy(
                tx,
                page.actor,
                form_id=form_id,
                version_id=typed["version"] or None,
                name=typed["name"],
                folder_id=typed["folder"] or None,
            )
    except Invalid as error:
        faults = faults_by_field(error)
        return await _render_copy(
            page, form_id, {"folder": faults["folderId"]} if "folderId" in faults else {"": _INVALID}, **typed
        )
    return Redirect(f"/forms/{made.id}/design")


_INVALID = "This version no longer works, for example because its data source was deleted. Open it in the designer."


@get(_FORM + "/bundle")
async def export_bundle(page: Page, form_id: str) -> Response:
    """The form as a file that other accounts can import; `?version=` is the version, by default the published one."""
    version_id = page.query.get("version")
    bundle = await bundles.export(page.tx, page.actor, form_id=form_id, version_id=version_id)
    headers = PAGE_HEADERS | {"content-disposition": content_disposition(f"{bundle.name}.formwright.json")}
    content = msgspec.json.format(msgspec.json.encode(bundle))
    return Response(content, media_type="application/json", headers=headers)


@dataclass(frozen=True, slots=True)
class MissingSource:
    """A data source of a bundle that has to be chosen. `id` is that in the bundle."""

    id: str
    source: BundleDatasource
    fault: str
    chosen: str


@dataclass(frozen=True, slots=True)
class BundleSourcesPage:
    """The page that asks which data sources to use for the lookups of a bundle, which it carries along as `content`."""

    name: str
    content: str
    folder: str
    missing: Sequence[MissingSource]
    datasources: Sequence[Datasource]
    may_add: bool


@post("/forms/import-bundle")
async def import_bundle(page: Page) -> Response:
    """Create a draft from a bundle. Asks for data sources that the account does not have by name."""
    sent = await page.form()
    file, folder = sent.get("file"), read_text(sent, "folder")
    content = await file.read() if isinstance(file, UploadFile) else str(sent.get("bundle", "")).encode()
    if not content:
        return await render_new_form(page, 422, bundle_faults=[_NO_FILE], folder=folder)
    try:
        bundle = read_bundle(content.removeprefix(b"\xef\xbb\xbf"))
    except (JsonMalformed, BodyTooComplex, Invalid) as error:
        return await _render_faults(page, error, folder)
    wish = BundleImport(bundle, _read_sources(bundle, sent), folder_id=folder or None)
    try:
        async with page.writing() as tx:
            made = await bundles.import_bundle(tx, page.actor, wish)
    except Invalid as error:
        if all(fault.code in _UNRESOLVED for fault in error.faults):
            return await _render_sources(page, wish, error, content)
        return await _render_faults(page, error, folder)
    return Redirect(f"/forms/{made.id}/design")


def _read_sources(bundle: FormBundle, sent: Any) -> dict[str, str]:
    """Return the chosen data sources by the names in the bundle."""
    chosen = {one.name: read_text(sent, _SOURCE + id_) for id_, one in bundle.datasources.items()}
    return {name: id_ for name, id_ in chosen.items() if id_}


async def _render_faults(page: Page, error: DomainError, folder: str) -> Response:
    if not isinstance(error, Invalid):
        detail = "The file isn’t a form bundle, or is damaged. Export the form again."
        return await render_new_form(page, 422, bundle_faults=[ImportFault("", detail)], folder=folder)
    faults = [_import_fault(fault) for fault in error.faults[:_MAX_FAULTS]]
    return await render_new_form(page, 422, bundle_faults=faults, folder=folder)


def _import_fault(fault: ValidationFault) -> ImportFault:
    position = fault.pointer.removeprefix("/bundle").strip("/").replace("/", " › ")
    return ImportFault("" if position in ("format", "version") else position, fault.detail)


async def _render_sources(page: Page, wish: BundleImport, error: Invalid, content: bytes) -> Response:
    described = wish.bundle.datasources
    faults = {fault.pointer.rpartition("/")[2]: fault.detail for fault in error.faults}
    found = await _list_datasources(page.tx, page.visitor)
    view_model = BundleSourcesPage(
        name=wish.bundle.name,
        content=content.decode(),
        folder=wish.folder_id or "",
        missing=[
            MissingSource(id_, one, faults.get(id_, ""), wish.datasource_ids.get(one.name, ""))
            for id_, one in described.items()
            if id_ in faults or one.name in wish.datasource_ids
        ],
        datasources=found,
        may_add=Permission.DATASOURCES_EDIT in page.actor.permissions,
    )
    return page.render("designer/bundle_sources.html", view_model, section="Forms", status=422)


async def _list_datasources(tx: ReadTransaction, visitor: Visitor) -> list[Datasource]:
    """Return all data sources of the account by name."""
    found: list[Datasource] = []
    position: Position | None = None
    while True:
        page = await datasources.page(tx, visitor.actor, Window(MAX_LIMIT, position))
        found += page.items
        if (position := page.next) is None:
            return sorted(found, key=lambda one: one.name.casefold())
