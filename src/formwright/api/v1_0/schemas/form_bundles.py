"""Schemas of copies and bundles of forms."""

from dataclasses import replace
from typing import Annotated, Any, ClassVar

import msgspec
from msgspec import UNSET, Meta, UnsetType

from formwright.api.v1_0.schemas.base import DatasourceId, FolderId, Name, RequestBody, VersionId
from formwright.asgi.form_bundles import read_bundle
from formwright.core.errors import Invalid
from formwright.domain.forms.bundles import BundleImport, FormBundle

_PUBLISH = Meta(description="Publish the version, so that people can fill in the form; otherwise it is a draft.")


class FormCopy(RequestBody):
    """How to copy a form."""

    name: Annotated[Name | None, Meta(description="The name of the copy. Default: that of the form.")] = None
    folder_id: Annotated[
        FolderId | UnsetType | None,
        Meta(description="The folder for the copy; null: the top level. Default: the folder of the form."),
    ] = UNSET
    version_id: Annotated[
        VersionId | None,
        Meta(description="The version to copy. Default: the published version, or else the newest draft."),
    ] = None
    publish: Annotated[bool, _PUBLISH] = False


class FormBundleImport(RequestBody):
    """A bundle, and how to import it."""

    bundle: Annotated[FormBundle, Meta(description="The bundle, as `getFormBundle` returned it.")]
    name: Annotated[Name | None, Meta(description="The name of the form. Default: that in the bundle.")] = None
    folder_id: Annotated[FolderId | None, Meta(description="The folder for the form. Default: the top level.")] = None
    datasources: Annotated[
        dict[str, DatasourceId],
        Meta(
            description="Data sources of your account to use for lookups, by the name in the bundle. For other names,"
            " your data source of the same name is used."
        ),
    ] = {}
    publish: Annotated[bool, _PUBLISH] = False


class RawFormBundleImport(RequestBody):
    """The request with a bundle that is still JSON, so that one of a newer version is recognised as such."""

    documented_as: ClassVar[Any] = FormBundleImport

    bundle: msgspec.Raw
    name: Name | None = None
    folder_id: FolderId | None = None
    datasources: dict[str, DatasourceId] = {}
    publish: bool = False

    def to_domain(self) -> BundleImport:
        """Return the import. Raises `Invalid` with the errors of the bundle."""
        try:
            bundle = read_bundle(bytes(self.bundle))
        except Invalid as error:
            faults = [replace(fault, pointer="/bundle" + fault.pointer) for fault in error.faults]
            raise Invalid(faults, more=error.more) from None
        return BundleImport(bundle, self.datasources, self.name, self.folder_id, self.publish)
