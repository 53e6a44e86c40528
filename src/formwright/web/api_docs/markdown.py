"""The prose and the types of the OpenAPI document, in pieces that a template can show."""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

_REF = "#/components/schemas/"
_RANGES = (("minLength", "maxLength", " characters"), ("minItems", "maxItems", " items"), ("minimum", "maximum", ""))

Schema = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class TextPiece:
    """Some text; `code` as one types it, `shape` where it leads to the shape of that name."""

    text: str
    code: bool = False
    schema: str = ""


@dataclass(frozen=True, slots=True)
class Block:
    """A paragraph, or a point of a list."""

    pieces: tuple[TextPiece, ...]
    is_list_item: bool


def parse_prose(text: str) -> list[Block]:
    """Paragraphs and points, with what stands in backticks told apart."""
    blocks: list[Block] = []
    for part in re.split(r"\n\s*\n|\n(?=- )", text.strip()):
        point = part.startswith("- ")
        words = " ".join(part.removeprefix("- ").split())
        pieces = [TextPiece(one, code=bool(n % 2)) for n, one in enumerate(words.split("`")) if one]
        if pieces:
            blocks.append(Block(tuple(pieces), point))
    return blocks


def without_null(schema: Schema) -> tuple[Schema, bool]:
    """The schema without its null, and whether it had one."""
    branches = [one for one in schema.get("anyOf", ()) if one.get("type") != "null"]
    if len(branches) == len(schema.get("anyOf", ())):
        return schema, False
    rest = {name: value for name, value in schema.items() if name != "anyOf"}
    return (branches[0] | rest if len(branches) == 1 else rest | {"anyOf": branches}), True


def describe_type(schema: Schema) -> list[TextPiece]:
    """What may stand there: `array of string`, the values of an enum, or the shapes that it is one of."""
    schema, nullable = without_null(schema)
    return [*_iter_type(schema), *([TextPiece(" or null")] if nullable else ())]


def _iter_type(schema: Schema) -> Iterator[TextPiece]:
    if "$ref" in schema:
        name = schema["$ref"].removeprefix(_REF)
        yield TextPiece(name, schema=name)
    elif "enum" in schema or "const" in schema:
        values = schema.get("enum") or [schema["const"]]
        for index, value in enumerate(values):
            yield from ([TextPiece(" · ")] if index else [])
            yield TextPiece(str(value), code=True)
    elif branches := schema.get("anyOf") or schema.get("oneOf") or schema.get("allOf"):
        for index, one in enumerate(branches):
            yield from ([TextPiece(" or ")] if index else [])
            yield from _iter_type(one)
    elif schema.get("type") == "array":
        yield TextPiece("array of ")
        yield from _iter_type(schema.get("items", {}))
    else:
        given = schema.get("type", "any value")
        yield TextPiece(given if isinstance(given, str) else " or ".join(given))


def describe_bounds(schema: Schema) -> str:
    """The bounds of a value, in words."""
    schema, _ = without_null(schema)
    found = [_describe_range(schema.get(least), schema.get(most), of) for least, most, of in _RANGES]
    found.append(schema.get("format", ""))
    if "default" in schema and schema["default"] not in (None, [], {}, ""):
        found.append(f"default {json.dumps(schema['default'])}")
    return ", ".join(one for one in found if one)


def _describe_range(least: float | None, most: float | None, unit: str) -> str:
    if least is None:
        return "" if most is None else f"at most {most}{unit}"
    return f"at least {least}{unit}" if most is None else f"{least} to {most}{unit}"
