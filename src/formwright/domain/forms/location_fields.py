"""The location fields of forms: where the positions of their submissions are found."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from formwright.core.auth.actor import Actor, allow
from formwright.core.auth.permissions import Permission
from formwright.core.db.interface import ReadTransaction
from formwright.domain.forms import indexed_fields, service, store
from formwright.domain.forms.definition import AnyField, LocationField, RepeatField, SectionField


class LocationPath(NamedTuple):
    """Where a submission has its positions: in the answer to `field` or, with `repeat`, to the field in each row.

    An empty `field` means the submission's own location: where the form was filled in.
    """

    field: str = ""
    repeat: str = ""


OWN_LOCATION = LocationPath()


def location_paths(fields: Sequence[AnyField], repeat: str = "") -> Iterator[LocationPath]:
    """Yield the location fields of a definition in reading order."""
    for field in fields:
        match field:
            case LocationField():
                yield LocationPath(field.name, repeat)
            case SectionField():
                yield from location_paths(field.fields, repeat)
            case RepeatField():
                yield from location_paths(field.fields, field.name)
            case _:
                pass


def default_path(fields: Sequence[AnyField]) -> LocationPath:
    """Return the first location field, preferably outside repeats; `OWN_LOCATION` if there is none."""
    return min(location_paths(fields), key=lambda path: bool(path.repeat), default=OWN_LOCATION)


async def find_defaults(tx: ReadTransaction, actor: Actor, form_ids: Sequence[str]) -> dict[str, LocationPath]:
    """Return the default path of each form by its published version; forms that were never published are left out."""
    scope = allow(actor, Permission.SUBMISSIONS_READ)
    found = {}
    for form_id, version_id in (await store.find_published(tx, scope, form_ids)).items():
        version = await service.find_final_version(tx, scope, form_id, version_id)
        if version:
            found[form_id] = default_path(version.definition.fields)
    return found


async def find_named(
    tx: ReadTransaction, actor: Actor, name: str, *, form_ids: Sequence[str]
) -> dict[str, LocationPath]:
    """Return the path of the location field with this name in each of the forms that have or had one.

    An empty `form_ids` means all forms of the account.
    """
    fields = await indexed_fields.find_by_names(tx, actor, [f"{name}.latitude"], form_ids=form_ids)
    return {item.form_id: LocationPath(name, item.field.repeat) for item in fields}
