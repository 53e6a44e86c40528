"""Members in the bodies of groups. The library never sees them, because it compares each with all others.

Identity providers write the same change in many ways, above all removals: see `tests/scim/test_patch_spellings.py`.
"""

from dataclasses import dataclass, field
from typing import Any

from scim2_models import InvalidPathException, InvalidValueException, Path
from scim2_models.path import CompareOperator, Comparison, LogicalExpr, LogicalOperator

from formwright.scim.schemas import Group

_SCHEMA = str(Group.__schema__).lower()
_UNCHANGED: dict[str, Any] = {"op": "replace", "value": {}}
_FORMS = 'Send users as {"value": "usr_…"}, or a path such as members[value eq "usr_…"].'


@dataclass(slots=True)
class MemberChange:
    """The members that a group has after a request."""

    ids: dict[str, None] = field(default_factory=dict)
    """Their ids, in order and without repetition."""
    removed: dict[str, None] = field(default_factory=dict)
    """The ids that the request names to remove them, whether or not they were members."""
    is_changed: bool = False
    """Whether the request says anything about members."""

    def apply(self, op: str, ids: list[str]) -> None:
        """Add, replace or remove members."""
        self.is_changed = True
        if op == "remove":
            self.removed |= dict.fromkeys(ids)
            for one in ids:
                self.ids.pop(one, None)
        elif op == "add":
            self.ids |= dict.fromkeys(ids)
        else:
            self.ids = dict.fromkeys(ids)


def take_members(resource: dict[str, Any]) -> tuple[dict[str, Any], MemberChange]:
    """Return the JSON of a group without its members, and these; none if they are omitted."""
    change = MemberChange(is_changed=True)
    return _take(resource, "replace", change), change


def take_member_operations(patch: dict[str, Any], current: list[str]) -> tuple[dict[str, Any], MemberChange]:
    """Return the JSON of a PATCH of a group without the changes of its members, and the result of these."""
    change = MemberChange(dict.fromkeys(current))
    rest = {
        key: _take_operations(value, change) if key.lower() == "operations" else value for key, value in patch.items()
    }
    return rest, change


def _take_operations(operations: Any, change: MemberChange) -> Any:
    if not isinstance(operations, list) or not operations:
        return operations
    rest = [left for one in operations if (left := _take_operation(one, change)) is not None]
    # The library requires an operation.
    return rest or [_UNCHANGED]


def _take_operation(operation: Any, change: MemberChange) -> Any:
    """Return what an operation changes besides members, None if nothing."""
    if not isinstance(operation, dict):
        return operation
    names = {key.lower(): key for key in operation}
    op, path, value = (operation.get(names.get(name, "")) for name in ("op", "path", "value"))
    op = op.lower() if isinstance(op, str) else op
    if op not in ("add", "replace", "remove"):
        return operation
    if isinstance(path, str) and path.strip():
        if not _is_members(path):
            return operation
        _apply(op, path, value, change, has_value="value" in names)
        return None
    if op == "remove" or not isinstance(value, dict):
        return operation
    left = _take(value, op, change)
    return None if value and not left else {**operation, names["value"]: left}


def _take(resource: dict[str, Any], op: str, change: MemberChange) -> dict[str, Any]:
    """Apply the members among the properties of a group, and return the others."""
    rest = {}
    for key, value in resource.items():
        if _is_members(key):
            _apply(op, key, value, change, has_value=True)
        elif key.lower() == _SCHEMA and isinstance(value, dict):
            rest[key] = _take(value, op, change)
        else:
            rest[key] = value
    return rest


def _is_members(path: str) -> bool:
    name = path.strip().lower().removeprefix(_SCHEMA + ":")
    return name == "members" or name.startswith(("members[", "members.", "members ["))


def _apply(op: str, path: str, value: Any, change: MemberChange, *, has_value: bool) -> None:
    named = _read_filter(path)
    if named is not None:
        # The value of such an operation repeats what the path says, such as the name of the user.
        change.apply("add" if op == "replace" else op, named)
    # Without a value, a removal removes all values of the attribute (RFC 7644, 3.5.2.2).
    elif op == "remove" and value is None:
        change.apply("replace", [])
    elif op == "add" and (value is None or not has_value):
        raise InvalidValueException(detail=f"An operation that adds members needs a value. {_FORMS}")
    elif op == "replace" and not has_value:
        raise InvalidValueException(detail=f"An operation that replaces members needs a value. {_FORMS}")
    else:
        change.apply(op, _read_ids([] if value is None else value))


def _read_filter(path: str) -> list[str] | None:
    """Return the ids in the filter of a path, or None if it has no filter. Raises `InvalidPathException`."""
    if path.strip().lower().removeprefix(_SCHEMA + ":") == "members":
        return None
    parsed = Path[Group](path.strip())
    value_path = parsed._as_value_path()
    ids = _read_terms(value_path.val_filter) if value_path and value_path.sub_attr in (None, "value") else None
    if ids is None:
        raise InvalidPathException(path=path, detail=f"Members are only found by their value. {_FORMS}")
    return ids


def _read_terms(node: Any) -> list[str] | None:
    """Return the values that a filter compares, if it consists of such comparisons joined by `or`."""
    if isinstance(node, LogicalExpr) and node.op == LogicalOperator.or_:
        found = [_read_terms(term) for term in node.terms]
        return None if None in found else [one for ids in found for one in ids or ()]
    if isinstance(node, Comparison) and node.op == CompareOperator.eq and isinstance(node.value, str):
        attribute = node.attr_path
        return [node.value] if attribute.attr.lower() == "value" and attribute.sub_attr is None else None
    return None


def _read_ids(value: Any) -> list[str]:
    """Return the ids in a list of members, of which only `value` and `type` count. Raises `InvalidValueException`."""
    return [_read_id(one) for one in (value if isinstance(value, list) else [value])]


def _read_id(entry: Any) -> str:
    properties = {key.lower(): inner for key, inner in entry.items()} if isinstance(entry, dict) else {"value": entry}
    found = properties.get("value")
    if not isinstance(found, str) or not found.strip():
        raise InvalidValueException(detail=f"A member has no value. {_FORMS}")
    kind = properties.get("type")
    if kind is not None and not (isinstance(kind, str) and kind.lower() in ("user", "")):
        raise InvalidValueException(detail="Members must be users: a group cannot be in a group.")
    return found.strip()
