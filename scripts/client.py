"""Writes what the Python client knows of the API: its shapes and its calls, from docs/openapi.json.

    python scripts/client.py

A call is named as its operation, in Python's manner. The account is the key's own, so no call asks for it; of two
operations that differ by that alone, one is left.
"""

import json
import keyword
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from textwrap import wrap
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
DOCUMENT = ROOT / "docs" / "openapi.json"
PLACE = ROOT / "clients" / "python" / "formwright_client"
PREFIX = "/api/v1.0"

Json = dict[str, Any]

_MADE = "Made by `make openapi` from docs/openapi.json: change nothing here."
_SHAPES = f'''"""The shapes of the API, as its OpenAPI document has them. Members may be added.

{_MADE}
"""

from __future__ import annotations

from typing import Any, Literal, NotRequired, TypeAlias, TypedDict
'''
_CALLS = f'''"""Every operation of the API but the list of events, which is `Client.events`.

{_MADE}
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, overload

from formwright_client import shapes
from formwright_client.calling import Caller, Moment, Table, part
from formwright_client.paging import Pages


class Calls(Caller):
    """The operations, one a method. Members of the query are named, and left out where they are not given."""
'''
_WIDTH = 120
_NEXT = ",\n    "
_SEVERAL = "\n    | "
_PLAIN = {"string": "str", "integer": "int", "number": "float", "boolean": "bool", "null": "None"}
_HAND_WRITTEN = {"listEvents"}
_ARGUMENTS = {
    "dryRun": "dry_run: bool = False",
    "Idempotency-Key": "idempotency_key: str | None = None",
    "If-Match": "if_match: str | None = None",
}


def main() -> int:
    """Write both modules anew."""
    for place, text in made(json.loads(DOCUMENT.read_text(encoding="utf-8"))).items():
        place.write_text(text, encoding="utf-8")
    return 0


def made(document: Json) -> dict[Path, str]:
    """The text of each module that is made."""
    return {PLACE / "shapes.py": _shapes(document), PLACE / "calls.py": _calls(document)}


def _shapes(document: Json) -> str:
    schemas = document["components"]["schemas"]
    unions = dict(_unions(schemas))
    kept = {name: schema for name, schema in schemas.items() if not name.endswith("List") or name == "EventList"}
    parts = [_SHAPES, *(_shape(name, schema) for name, schema in kept.items())]
    for name, members in unions.items():
        parts.append(_union(name, members))
    return "\n".join(parts)


def _unions(schema: Any) -> Iterator[tuple[str, list[str]]]:
    """What may be one of several shapes, under a name: `AnyField` for those whose names all end so."""
    if isinstance(schema, dict):
        if "discriminator" in schema:
            members = [one["$ref"].rpartition("/")[2] for one in schema["anyOf"]]
            yield _union_name(members), members
        for value in schema.values():
            yield from _unions(value)
    elif isinstance(schema, list):
        for item in schema:
            yield from _unions(item)


def _union(name: str, members: list[str]) -> str:
    line = f"{name}: TypeAlias = {' | '.join(members)}"
    return f"\n{line}\n" if len(line) <= _WIDTH else f"\n{name}: TypeAlias = (\n    {_SEVERAL.join(members)}\n)\n"


def _union_name(members: list[str]) -> str:
    return "Any" + re.split(r"(?=[A-Z])", members[0])[-1]


def _shape(name: str, schema: Json) -> str:
    words = _words(schema.get("description", ""))
    if "properties" not in schema:
        alias = _fitted(f"{name}: TypeAlias = {_type(schema, '')}")
        return f"\n{alias}\n" + (f'"""{words}"""\n' if words else "")
    members = [(one, _member(schema, one)) for one in schema["properties"]]
    if any(keyword.iskeyword(one) for one, _ in members):
        lines = [f'    "{one}": "{text.replace(chr(34), chr(39))}",' for one, text in members]
        head = f'{name} = TypedDict(\n    "{name}",\n    {{\n'
        return "\n" + head + "\n".join("    " + line for line in lines) + "\n    },\n)\n" + f'"""{words}"""\n'
    body = "\n".join(f"    {one}: {text}" for one, text in members)
    return f'\nclass {name}(TypedDict):\n    """{words}"""\n\n{body}\n'


def _fitted(line: str) -> str:
    """A list of values, in lines as the formatter would put them."""
    if len(line) <= _WIDTH:
        return line
    head, _, values = line.rstrip("]").partition("[")
    if len(values) <= _WIDTH - 4:
        return f"{head}[\n    {values}\n]"
    return f"{head}[\n    {values.replace(', ', _NEXT)},\n]"


def _words(text: str) -> str:
    """The first sentence, which is short."""
    return re.split(r"(?<=[.;:])\s", text.strip())[0].rstrip(".;:") + "." if text else ""


def _member(schema: Json, name: str) -> str:
    found = _type(schema["properties"][name], "")
    return found if name in schema.get("required", ()) else f"NotRequired[{found}]"


def _type(schema: Json, prefix: str) -> str:
    """How Python writes it; a shape's name stands behind `prefix`."""
    if "$ref" in schema:
        return prefix + str(schema["$ref"].rpartition("/")[2])
    if "discriminator" in schema:
        return prefix + _union_name([one["$ref"].rpartition("/")[2] for one in schema["anyOf"]])
    if "anyOf" in schema:
        return " | ".join(dict.fromkeys(_type(one, prefix) for one in schema["anyOf"]))
    if "enum" in schema or "const" in schema:
        values = schema.get("enum") or [schema["const"]]
        return f"Literal[{', '.join(json.dumps(value) for value in values)}]"
    return _of_type(schema, prefix)


def _of_type(schema: Json, prefix: str) -> str:
    match schema.get("type"):
        case "array":
            return f"list[{_type(schema['items'], prefix)}]"
        case "object":
            values = schema.get("additionalProperties")
            return f"dict[str, {_type(values, prefix) if isinstance(values, dict) else 'Any'}]"
        case str(name):
            return _PLAIN[name]
    return "Any"


def _calls(document: Json) -> str:
    operations = [
        (path.removeprefix(PREFIX), method.upper(), operation)
        for path, methods in document["paths"].items()
        for method, operation in methods.items()
    ]
    names = {operation["operationId"] for _, _, operation in operations}
    kept = [one for one in operations if one[2]["operationId"] not in _HAND_WRITTEN and not _twin(one[2], names)]
    schemas = document["components"]["schemas"].items()
    enums = {json.dumps(schema["enum"]): f"shapes.{name}" for name, schema in schemas if "enum" in schema}
    return _CALLS + "".join(_call(path, method, operation, enums) for path, method, operation in kept)


def _twin(operation: Json, names: set[str]) -> bool:
    """Whether the same is done by an operation that does not name the account."""
    name: str = operation["operationId"]
    return "Customer" in name and name.replace("Customer", "", 1) in names


def _call(path: str, method: str, operation: Json, enums: dict[str, str]) -> str:
    before, named, query = ["self"], [], []
    for one in operation["parameters"]:
        if one["in"] == "path" and one["name"] != "customerId":
            before.append(f"{snake(one['name'])}: str")
        elif one["name"] in _ARGUMENTS:
            named.append(_ARGUMENTS[one["name"]])
            query += [one["name"]] if one["in"] == "query" else []
        elif one["in"] == "query" and one["name"] != "cursor":
            named.append(_query_argument(one, enums))
            query.append(one["name"])
    body = _body(operation)
    before += [f"body: {body}"] if body else []
    answer, how = _answer(operation)
    arguments = [*before, *(["*", *named] if named else [])]
    statement = _statement(path, method, answer, how, operation, query, body)
    return (
        f"{_overloads(operation, arguments, answer)}\n{_head(operation, arguments, answer)}\n"
        f'        """{_docstring(operation["summary"])}"""\n{statement}'
    )


def _head(operation: Json, arguments: list[str], answer: str) -> str:
    lines = "\n".join(f"        {one}," for one in arguments)
    return f"    def {snake(operation['operationId'])}(\n{lines}\n    ) -> {answer}:"


def _overloads(operation: Json, arguments: list[str], answer: str) -> str:
    """Where one thing or a list of them may be sent, what is answered for which."""
    bodies = [one for one in arguments if one.startswith("body: list[") and " | " in one]
    if not bodies:
        return ""
    heads = []
    for body, found in zip(bodies[0].removeprefix("body: ").split(" | "), answer.split(" | "), strict=True):
        these = [f"body: {body}" if one == bodies[0] else one for one in arguments]
        heads.append(f"\n    @overload\n{_head(operation, these, found)} ...\n")
    return "".join(heads)


def _docstring(summary: str) -> str:
    """The summary, over as many lines as it needs."""
    text = f"{summary}."
    return text if len(text) <= _WIDTH - 14 else "\n        ".join([*wrap(text, _WIDTH - 20), ""])


def _statement(path: str, method: str, answer: str, how: str, operation: Json, query: list[str], body: str) -> str:
    address = re.sub(r"\{(\w+)\}", lambda found: "{" + _filled(found[1]) + "}", path)
    quoted = f'f"{address}"' if "{" in address else f'"{address}"'
    named = {one["name"] for one in operation["parameters"]}
    words: list[str] = [f'"{method}"'] if how != "listed" else []
    words.append(quoted)
    if query:
        pairs = [f'"{one}": {snake(one)}{" or None" if one == "dryRun" else ""}' for one in query]
        words.append(f"query={{{_in_lines(pairs) if len(pairs) > 1 else pairs[0]}}}")
    words += ["body=body"] if body else []
    words += ["if_match=if_match"] if "If-Match" in named else []
    words += ["idempotency_key=idempotency_key"] if "Idempotency-Key" in named else []
    lines = "".join(f"            {word},\n" for word in words)
    if how == "answer":
        return f"        found: {answer} = self._answer(\n{lines}        )\n        return found\n"
    begin = "" if how == "done" else "return "
    return f"        {begin}self._{how}(\n{lines}        )\n"


def _in_lines(pairs: list[str]) -> str:
    return "".join(f"\n                {pair}," for pair in pairs) + "\n            "


def _filled(name: str) -> str:
    return "self.customer_id" if name == "customerId" else f"part({snake(name)})"


def _query_argument(parameter: Json, enums: dict[str, str]) -> str:
    schema, name = parameter["schema"], snake(parameter["name"])
    if schema.get("type") == "array":
        return f"{name}: Sequence[{_argument(schema['items'], enums)}] = ()"
    if schema.get("type") == "object":
        return f"{name}: Mapping[str, object] | None = None"
    kind = "Moment" if schema.get("format") == "date-time" else _argument(schema, enums)
    return f"{name}: {kind}{'' if parameter['required'] else ' | None = None'}"


def _argument(schema: Json, enums: dict[str, str]) -> str:
    """Its type; values that are a shape's by that name."""
    return enums.get(json.dumps(schema.get("enum")), _type(schema, "shapes."))


def _body(operation: Json) -> str:
    content = operation.get("requestBody", {}).get("content", {})
    shapes = [_type(one["schema"], "shapes.") for name, one in content.items() if name == "application/json"]
    return " | ".join(shapes + (["Table"] if content.keys() - {"application/json"} else []))


def _answer(operation: Json) -> tuple[str, str]:
    """The type of what is answered, and how it is asked for."""
    [found] = [one for status, one in operation["responses"].items() if status.startswith("2")]
    content = found.get("content")
    if content is None:
        return "None", "done"
    if "application/json" not in content:
        return "bytes", "content"
    name = _type(content["application/json"]["schema"], "shapes.")
    return (f"Pages[{name.removesuffix('List')}]", "listed") if name.endswith("List") else (name, "answer")


def snake(name: str) -> str:
    """A name of the API, in Python's manner."""
    text = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name).lower()
    return f"{text}_" if keyword.iskeyword(text) else text


if __name__ == "__main__":
    sys.exit(main())
