"""The descriptions and types of the OpenAPI document, as pieces that a template can render."""

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
    """A piece of text. `code` marks literals; `schema` is the name of the schema to link to."""

    text: str
    code: bool = False
    schema: str = ""


@dataclass(frozen=True, slots=True)
class Block:
    """A paragraph or a list item."""

    pieces: tuple[TextPiece, ...]
    is_list_item: bool


def parse_prose(text: str) -> list[Block]:
    """Split text into paragraphs and list items, and mark the parts in backticks as code."""
    blocks: list[Block] = []
    for part in re.split(r"\n\s*\n|\n(?=- )", text.strip()):
        is_item = part.startswith("- ")
        words = " ".join(part.removeprefix("- ").split())
        # Every second part is between backticks.
        pieces = [TextPiece(span, code=bool(n % 2)) for n, span in enumerate(words.split("`")) if span]
        if pieces:
            blocks.append(Block(tuple(pieces), is_item))
    return blocks


def without_null(schema: Schema) -> tuple[Schema, bool]:
    """Return the schema without its null branch, and whether it had one."""
    branches = [branch for branch in schema.get("anyOf", ()) if branch.get("type") != "null"]
    if len(branches) == len(schema.get("anyOf", ())):
        return schema, False
    rest = {name: value for name, value in schema.items() if name != "anyOf"}
    return (branches[0] | rest if len(branches) == 1 else rest | {"anyOf": branches}), True


def describe_type(schema: Schema) -> list[TextPiece]:
    """Describe the allowed values: `array of string`, the values of an enum, or the alternatives of a union."""
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
        for index, branch in enumerate(branches):
            yield from ([TextPiece(" or ")] if index else [])
            yield from _iter_type(branch)
    elif schema.get("type") == "array":
        yield TextPiece("array of ")
        yield from _iter_type(schema.get("items", {}))
    else:
        type_ = schema.get("type", "any value")
        yield TextPiece(type_ if isinstance(type_, str) else " or ".join(type_))


def describe_bounds(schema: Schema) -> str:
    """Describe the limits of a value in words."""
    schema, _ = without_null(schema)
    parts = [_describe_range(schema.get(least), schema.get(most), of) for least, most, of in _RANGES]
    parts.append(schema.get("format", ""))
    if "default" in schema and schema["default"] not in (None, [], {}, ""):
        parts.append(f"default {json.dumps(schema['default'])}")
    return ", ".join(part for part in parts if part)


def _describe_range(least: float | None, most: float | None, unit: str) -> str:
    if least is None:
        return "" if most is None else f"at most {most}{unit}"
    return f"at least {least}{unit}" if most is None else f"{least} to {most}{unit}"
