"""What the OpenAPI document contains: operations, and which groups of operations use which schemas."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import takewhile
from typing import Any

Json = dict[str, Any]

PREFIX = "/api/v1.0"
EVENT = "Event"
"""The schema of any event. Its kinds are not named there, but are the bodies of the webhooks."""
_SCHEMAS = "#/components/schemas/"
_OWN_MODULES = {"AnyField": "fields"}
"""A union with so many members that they have a module of their own."""


@dataclass(frozen=True)
class Operation:
    """An operation; its path is below the address of the API."""

    path: str
    method: str
    spec: Json

    @property
    def name(self) -> str:
        return str(self.spec["operationId"])

    @property
    def json_body(self) -> Json | None:
        """The schema of a JSON body."""
        found: Json | None = self._content.get("application/json", {}).get("schema")
        return found

    @property
    def accepts_files(self) -> bool:
        return bool(self._content.keys() - {"application/json"})

    @property
    def file_type(self) -> str:
        """The media type of the file that it accepts: the first one."""
        return next(iter(self._content), "")

    @property
    def response(self) -> Json:
        """The response of success."""
        [found] = [one for status, one in self.spec["responses"].items() if status.startswith("2")]
        return dict(found)

    @property
    def _content(self) -> Json:
        return dict(self.spec.get("requestBody", {}).get("content", {}))


def operations(document: Json) -> list[Operation]:
    """Return the operations in the order of the document, without those that have a twin without the account's id."""
    found = [
        Operation(path.removeprefix(PREFIX), method.upper(), spec)
        for path, methods in document["paths"].items()
        for method, spec in methods.items()
    ]
    names = {one.name for one in found}
    return [one for one in found if "Customer" not in one.name or one.name.replace("Customer", "", 1) not in names]


def modules_by_tag(document: Json) -> dict[str, str]:
    """Return the module of each tag: `users_and_groups` for "Users & Groups"."""
    return {
        tag["name"]: "_".join(re.findall(r"\w+", tag["name"].replace("&", "and"))).lower() for tag in document["tags"]
    }


def union_name(schema: Json) -> str:
    """Return the name of a union of schemas.

    That is `AnyField` if the names of its members end with `Field`, or `AnySubmissionBulk` if they begin so.
    """
    names = [re.split(r"(?=[A-Z])", name) for name in union_members(schema)]
    if len({words[-1] for words in names}) == 1:
        return "Any" + names[0][-1]
    same = takewhile(lambda words: len(set(words)) == 1, zip(*names, strict=False))
    return "Any" + "".join(words[0] for words in same)


def union_members(schema: Json) -> list[str]:
    """Return the names of the schemas of which a value has one."""
    return [reference(one) for one in schema["anyOf"]]


def reference(schema: Json) -> str:
    """Return the name of the schema that is referred to, or an empty string."""
    return str(schema.get("$ref", "")).removeprefix(_SCHEMAS)


def unions(schema: Any) -> Iterator[tuple[str, list[str]]]:
    """Return the name and members of each tagged union in a schema."""
    if isinstance(schema, dict):
        if "discriminator" in schema:
            yield union_name(schema), union_members(schema)
        for value in schema.values():
            yield from unions(value)
    elif isinstance(schema, list):
        for item in schema:
            yield from unions(item)


def event_types(document: Json) -> dict[str, list[str]]:
    """Return the event types that have each schema, in the order of the document."""
    found: dict[str, list[str]] = {}
    for type_, webhook in document["webhooks"].items():
        schema = webhook["post"]["requestBody"]["content"]["application/json"]["schema"]
        found.setdefault(reference(schema), []).append(type_)
    return found


def referenced(schema: Any) -> Iterator[str]:
    """Return the names of schemas and unions in a schema."""
    if isinstance(schema, dict):
        if "discriminator" in schema:
            yield union_name(schema)
        elif name := reference(schema):
            yield name
        else:
            for value in schema.values():
                yield from referenced(value)
    elif isinstance(schema, list):
        for item in schema:
            yield from referenced(item)


def schema_modules(document: Json) -> dict[str, str]:
    """Return the module of each schema: that of the only group that uses it, else `shared`; `events` for events."""
    schemas = document["components"]["schemas"]
    uses = {name: set(referenced(schema)) for name, schema in schemas.items()} | {
        name: set(members) for name, members in unions(schemas)
    }
    tags: dict[str, set[str]] = {name: set() for name in uses}
    for operation in operations(document):
        for name in _closure(set(referenced(operation.spec)), uses):
            tags[name] |= set(operation.spec["tags"])
    modules = modules_by_tag(document)
    found = {name: modules[next(iter(by))] if len(by) == 1 else "shared" for name, by in tags.items() if by}
    for union, module in _OWN_MODULES.items():
        found |= dict.fromkeys(_closure({union}, uses), module)
    found |= {EVENT: "events", f"{EVENT}List": "events"}
    return {name: found.get(name, "events") for name in uses}


def _closure(names: set[str], uses: dict[str, set[str]]) -> set[str]:
    """Return these schemas and all that they consist of."""
    found: set[str] = set()
    waiting = set(names)
    while waiting:
        found |= waiting
        waiting = {inner for name in waiting for inner in uses[name]} - found
    return found
