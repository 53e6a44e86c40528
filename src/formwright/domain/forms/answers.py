"""Whether answers fit a version: all faults at once, each with its pointer."""

from collections import OrderedDict
from typing import Any

import jsonschema_rs

from formwright.core.kernel.errors import Fault, pointer
from formwright.core.kernel.schema_faults import schema_faults
from formwright.domain.forms.definition import NoteField
from formwright.domain.forms.model import Version
from formwright.domain.forms.schema import answers_schema

_KEPT = 512


class _Compiled:
    """The validators of the versions used last. A draft that was changed has another revision, and so another one."""

    def __init__(self) -> None:
        self._validators: OrderedDict[tuple[str, int], jsonschema_rs.Draft202012Validator] = OrderedDict()

    def of(self, version: Version) -> jsonschema_rs.Draft202012Validator:
        key = (version.id, version.revision)
        if key not in self._validators:
            schema = answers_schema(version.definition)
            self._validators[key] = jsonschema_rs.Draft202012Validator(schema, validate_formats=True)
        self._validators.move_to_end(key)
        while len(self._validators) > _KEPT:
            self._validators.popitem(last=False)
        return self._validators[key]


_compiled = _Compiled()


def faults(version: Version, data: dict[str, Any]) -> list[Fault]:
    """All that is wrong with a whole set of answers; the pointers begin with `/data`."""
    return schema_faults(_compiled.of(version), data, ("data",))


def unknown(version: Version, data: dict[str, Any]) -> list[Fault]:
    """What an unfinished set of answers holds that the version does not ask for."""
    asked = {field.name for field in version.definition.fields if not isinstance(field, NoteField)}
    return [
        Fault(pointer("data", name), "value.unknown", "The form has no such field.")
        for name in data
        if name not in asked
    ]
