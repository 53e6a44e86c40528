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
class Piece:
    """Some text; `code` as one types it, `shape` where it leads to the shape of that name."""

    text: str
    code: bool = False
    shape: str = ""


@dataclass(frozen=True, slots=True)
class Block:
    """A paragraph, or a point of a list."""

    pieces: tuple[Piece, ...]
    point: bool


def prose(text: str) -> list[Block]:
    """Paragraphs and points, with what stands in backticks told apart."""
    blocks: list[Block] = []
    for part in re.split(r"\n\s*\n|\n(?=- )", text.strip()):
        point = part.startswith("- ")
        words = " ".join(part.removeprefix("- ").split())
        pieces = [Piece(one, code=bool(n % 2)) for n, one in enumerate(words.split("`")) if one]
        if pieces:
            blocks.append(Block(tuple(pieces), point))
    return blocks


def plain(schema: Schema) -> tuple[Schema, bool]:
    """The schema without its null, and whether it had one."""
    branches = [one for one in schema.get("anyOf", ()) if one.get("type") != "null"]
    if len(branches) == len(schema.get("anyOf", ())):
        return schema, False
    rest = {name: value for name, value in schema.items() if name != "anyOf"}
    return (branches[0] | rest if len(branches) == 1 else rest | {"anyOf": branches}), True


def type_of(schema: Schema) -> list[Piece]:
    """What may stand there: `array of string`, the values of an enum, or the shapes that it is one of."""
    schema, nullable = plain(schema)
    return [*_type_of(schema), *([Piece(" or null")] if nullable else ())]


def _type_of(schema: Schema) -> Iterator[Piece]:
    if "$ref" in schema:
        name = schema["$ref"].removeprefix(_REF)
        yield Piece(name, shape=name)
    elif "enum" in schema or "const" in schema:
        values = schema.get("enum") or [schema["const"]]
        for index, value in enumerate(values):
            yield from ([Piece(" · ")] if index else [])
            yield Piece(str(value), code=True)
    elif branches := schema.get("anyOf") or schema.get("oneOf") or schema.get("allOf"):
        for index, one in enumerate(branches):
            yield from ([Piece(" or ")] if index else [])
            yield from _type_of(one)
    elif schema.get("type") == "array":
        yield Piece("array of ")
        yield from _type_of(schema.get("items", {}))
    else:
        given = schema.get("type", "any value")
        yield Piece(given if isinstance(given, str) else " or ".join(given))


def bounds(schema: Schema) -> str:
    """The bounds of a value, in words."""
    schema, _ = plain(schema)
    found = [_range(schema.get(least), schema.get(most), of) for least, most, of in _RANGES]
    found.append(schema.get("format", ""))
    if "default" in schema and schema["default"] not in (None, [], {}, ""):
        found.append(f"otherwise {json.dumps(schema['default'])}")
    return ", ".join(one for one in found if one)


def _range(least: float | None, most: float | None, of: str) -> str:
    if least is None:
        return "" if most is None else f"at most {most}{of}"
    return f"at least {least}{of}" if most is None else f"{least} to {most}{of}"
