"""The location fields of forms, with lines and areas: where the positions of their submissions are found."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from formwright.core.auth.actor import Actor, allow
from formwright.core.auth.permissions import Permission
from formwright.core.db.interface import ReadTransaction
from formwright.domain.forms import service, store
from formwright.domain.forms.fields import AnyField, Shape, walk_in_repeats
from formwright.domain.forms.indexing import indexed_fields


class LocationPath(NamedTuple):
    """Where a submission has its positions: in the answer to `field` or, with `repeat`, to the field in each row.
    `repeat` is `orders/items` for a repeat inside another one.

    An empty `field` means the submission's own location: where the form was filled in.
    """

    field: str = ""
    repeat: str = ""
    shape: Shape = Shape.POINT

    @property
    def repeats(self) -> list[str]:
        """The names of the repeats, from the outside in."""
        return self.repeat.split("/") if self.repeat else []


OWN_LOCATION = LocationPath()


def location_paths(fields: Sequence[AnyField]) -> Iterator[LocationPath]:
    """Yield the location fields of a definition in reading order."""
    for repeat, field in walk_in_repeats(fields):
        if field.shape:
            yield LocationPath(field.name, repeat, field.shape)


def default_path(fields: Sequence[AnyField]) -> LocationPath:
    """Return the first location field, preferably outside repeats; `OWN_LOCATION` if there is none."""
    return min(location_paths(fields), key=lambda path: bool(path.repeat), default=OWN_LOCATION)


async def find_defaults(tx: ReadTransaction, actor: Actor, form_ids: Sequence[str]) -> dict[str, LocationPath]:
    """Return the default path of each form by its published version; forms that were never published are left out."""
    return {form_id: default_path(fields) for form_id, fields in await _find_fields(tx, actor, form_ids)}


async def find_shapes(
    tx: ReadTransaction, actor: Actor, name: str, *, form_ids: Sequence[str]
) -> dict[str, LocationPath]:
    """Return the path of the line or area with this name in each form whose published version has one."""
    return {
        form_id: path
        for form_id, fields in await _find_fields(tx, actor, form_ids)
        for path in location_paths(fields)
        if path.field == name and path.shape is not Shape.POINT
    }


async def _find_fields(
    tx: ReadTransaction, actor: Actor, form_ids: Sequence[str]
) -> list[tuple[str, Sequence[AnyField]]]:
    """Return the ids of these forms with the fields of their published versions."""
    scope = allow(actor, Permission.SUBMISSIONS_READ)
    found: list[tuple[str, Sequence[AnyField]]] = []
    for form_id, version_id in (await store.find_published(tx, scope, form_ids)).items():
        version = await service.find_final_version(tx, scope, form_id, version_id)
        if version:
            found.append((form_id, version.definition.fields))
    return found


async def find_named(
    tx: ReadTransaction, actor: Actor, name: str, *, form_ids: Sequence[str]
) -> dict[str, LocationPath]:
    """Return the path of the location field with this name in each of the forms that have or had one.

    An empty `form_ids` means all forms of the account.
    """
    fields = await indexed_fields.find_by_names(tx, actor, [f"{name}.latitude"], form_ids=form_ids)
    return {item.form_id: LocationPath(name, item.field.repeat) for item in fields}
