"""Bundles: a form version as one JSON document, which another account or installation can import.

A bundle names the data sources of lookups, because their ids are those of one account.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Any

import msgspec
from msgspec import Meta

from formwright.core.auth.actor import Actor
from formwright.core.db.interface import ReadTransaction, WriteTransaction
from formwright.core.errors import Invalid, ValidationFault, pointer
from formwright.domain.datasources import service as datasources
from formwright.domain.datasources.models import Datasource, DatasourceNotFound
from formwright.domain.forms import copies, service
from formwright.domain.forms.definition_validation import walk_with_paths
from formwright.domain.forms.fields import AnyField, walk_fields
from formwright.domain.forms.fields.block_references import without_references
from formwright.domain.forms.fields.properties import DatasourceId
from formwright.domain.forms.fields.structure import replace_in_fields
from formwright.domain.forms.form_settings import FormSettings
from formwright.domain.forms.models import Form, NewForm
from formwright.domain.forms.xform_ids import XformId

FORMAT = "formwright-form"
VERSION = 1
"""The version of the format. A server imports bundles of this and earlier versions."""

Path = tuple[str | int, ...]


class BundleDatasource(msgspec.Struct, rename="camel", frozen=True, forbid_unknown_fields=True):
    """A data source that lookups of the form use."""

    name: Annotated[str, Meta(min_length=1, max_length=200, description="The name of the data source.")]
    key_column: Annotated[str, Meta(max_length=200, description="The column with the key of each row.")]
    columns: Annotated[list[str], Meta(max_length=200, description="All columns, in order.")]


class FormBundle(msgspec.Struct, rename="camel", frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A form version that other accounts can import."""

    format: Annotated[str, Meta(description=f"Always `{FORMAT}`.", examples=[FORMAT])]
    version: Annotated[int, Meta(ge=1, description="The version of the format.", examples=[VERSION])]
    name: Annotated[str, Meta(min_length=1, max_length=200, description="The name of the form.")]
    description: Annotated[str, Meta(max_length=2000, description="The description of the form.")] = ""
    tags: Annotated[
        list[Annotated[str, Meta(min_length=1, max_length=50)]], Meta(max_length=50, description="The tags.")
    ] = []
    fields: Annotated[list[AnyField], Meta(description="The fields of the version, in order.")]
    settings: FormSettings
    xform_id: XformId | None = None
    datasources: Annotated[
        dict[DatasourceId, BundleDatasource],
        Meta(description="The data sources of lookups, by their id in `fields`."),
    ] = {}


@dataclass(frozen=True, slots=True)
class BundleImport:
    """How to import a bundle.

    `datasource_ids` are data sources of the account to use for lookups, by the name in the bundle; for other names, the
    account's data source of the same name is used. Without `name`, the form gets that of the bundle.
    """

    bundle: FormBundle
    datasource_ids: Mapping[str, str]
    name: str | None = None
    folder_id: str | None = None
    publish: bool = False


async def export(tx: ReadTransaction, actor: Actor, *, form_id: str, version_id: str | None = None) -> FormBundle:
    """Return the bundle of a version or, without one, of the published version or the only draft.

    Raises `FormNotFound` or `VersionNotFound`. Lookups require permission to read data sources.
    """
    form = await service.get(tx, actor, form_id=form_id)
    version = await copies.load_version(tx, actor, form, version_id)
    fields = without_references(version.definition.fields)
    found = {one: await datasources.get(tx, actor, datasource_id=one) for one in _list_datasource_ids(fields)}
    return FormBundle(
        format=FORMAT,
        version=VERSION,
        name=form.name,
        description=form.description,
        tags=list(form.tags),
        fields=fields,
        settings=version.definition.settings,
        xform_id=form.xform_id,
        datasources={id_: _describe(one) for id_, one in found.items()},
    )


def _list_datasource_ids(fields: Sequence[AnyField]) -> list[str]:
    return list(dict.fromkeys(field.datasource_id for field in walk_fields(fields) if field.datasource_id))


def _describe(one: Datasource) -> BundleDatasource:
    return BundleDatasource(one.name, one.key_column, list(one.column_names))


def check_format(document: Any) -> None:
    """Raise `Invalid` if a decoded JSON document is no bundle, or one of a newer version."""
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        where = "/format" if isinstance(document, dict) else ""
        raise Invalid.at(where, "bundle.format", "This isn't a form bundle. Export the form as a bundle first.")
    version = document.get("version")
    if isinstance(version, int) and version > VERSION:
        detail = "A newer version of Formwright exported this bundle. Update this server before you import it."
        raise Invalid.at("/version", "bundle.newer", detail)


async def import_bundle(tx: WriteTransaction, actor: Actor, wish: BundleImport) -> Form:
    """Create a form from a bundle.

    Raises `Invalid` with all data sources and columns that the account lacks. Pointers begin with `/bundle`, except
    those of other properties of the import.
    """
    bundle = wish.bundle
    ids, errors = await _resolve(tx, actor, wish)
    if errors:
        raise Invalid(errors)
    new = NewForm(
        name=wish.name or bundle.name,
        description=bundle.description,
        tags=bundle.tags,
        fields=_with_datasources(bundle.fields, ids),
        settings=bundle.settings,
        publish=wish.publish,
        folder_id=wish.folder_id,
        similar_xform_id=bundle.xform_id,
    )
    try:
        return await service.create(tx, actor, new)
    except Invalid as error:
        raise Invalid([_within_bundle(fault) for fault in error.faults], more=error.more) from None


def _within_bundle(fault: ValidationFault) -> ValidationFault:
    return replace(fault, pointer="/bundle" + fault.pointer) if fault.pointer.startswith("/fields") else fault


async def _resolve(
    tx: ReadTransaction, actor: Actor, wish: BundleImport
) -> tuple[Mapping[str, str], list[ValidationFault]]:
    """Return the ids of the account's data sources by those in the bundle, and what cannot be resolved."""
    described, ids = wish.bundle.datasources, {}
    errors: list[ValidationFault] = []
    for path, field in walk_with_paths(wish.bundle.fields):
        if field.datasource_id and field.datasource_id not in described:
            detail = "The bundle doesn't describe this data source."
            errors.append(ValidationFault(pointer("bundle", *path, "datasourceId"), "bundle.damaged", detail))
    for id_ in _list_datasource_ids(wish.bundle.fields):
        if entry := described.get(id_):
            found = await _find(tx, actor, entry.name, wish.datasource_ids.get(entry.name))
            if found:
                ids[id_] = found.id
            errors += _find_faults(wish, id_, entry, found)
    return ids, errors


async def _find(tx: ReadTransaction, actor: Actor, name: str, datasource_id: str | None) -> Datasource | None:
    if datasource_id is None:
        return await datasources.find_by_name(tx, actor, name)
    try:
        return await datasources.get(tx, actor, datasource_id=datasource_id)
    except DatasourceNotFound:
        return None


def _find_faults(
    wish: BundleImport, id_: str, entry: BundleDatasource, found: Datasource | None
) -> Iterator[ValidationFault]:
    """Yield the error of a data source that is missing, or lacks columns that lookups use."""
    if found is None and entry.name in wish.datasource_ids:
        yield ValidationFault(pointer("datasources", entry.name), DatasourceNotFound.code, DatasourceNotFound.detail)
    elif found is None:
        detail = f"This account has no data source named {entry.name!r}. Create it, or choose another one."
        yield ValidationFault(pointer("bundle", "datasources", id_), "bundle.datasource_missing", detail)
    elif missing := sorted(_list_columns(wish.bundle.fields, id_) - set(found.column_names)):
        detail = f"The data source {found.name!r} lacks columns that the form uses: {', '.join(missing)}."
        yield ValidationFault(pointer("bundle", "datasources", id_), "bundle.columns_missing", detail)


def _list_columns(fields: Sequence[AnyField], datasource_id: str) -> set[str]:
    """Return the columns of a data source that lookups display, copy to other fields or filter by."""
    used: set[str] = set()
    for field in walk_fields(fields):
        if field.datasource_id == datasource_id:
            used |= {*field.display, *field.mapping, *field.filter}
    return used


def _with_datasources(fields: Sequence[AnyField], ids: Mapping[str, str]) -> list[AnyField]:
    """Return the fields with these data sources instead of those of the bundle."""
    return replace_in_fields(
        fields, lambda field: {"datasource_id": ids[field.datasource_id]} if field.datasource_id else {}
    )
