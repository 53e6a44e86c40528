"""The pages of the API reference, from the OpenAPI document: what a server shows at `/docs`, as Markdown."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from formwright.web.api_docs.markdown import Block, TextPiece, parse_prose
from formwright.web.api_docs.openapi_model import (
    OperationDoc,
    OperationGroup,
    Property,
    SchemaDoc,
    list_events,
    list_operation_groups,
    list_schemas,
)

_SPECIAL = re.compile(r"([\\`*_{}\[\]<>|$#~])")


def render_api_pages(document: Mapping[str, Any]) -> dict[str, str]:
    """Return the text of each page by its file name: the overview, each group of operations, events and schemas."""
    groups = list_operation_groups(document)
    return {
        "index.md": _join(_overview(parse_prose(document["info"]["description"]), groups)),
        **{f"{group.slug}.md": _join(_group(group)) for group in groups},
        "event-types.md": _join(_events(list_events(document))),
        "schemas.md": _join(_schemas(list_schemas(document))),
    }


def _overview(about: Sequence[Block], groups: Sequence[OperationGroup]) -> Iterator[str]:
    yield "# REST API"
    yield _prose(about)
    yield "Your own server has this reference too, at `/docs`, with examples in three languages."
    for group in groups:
        yield f"**[{_escape(group.name)}]({group.slug}.md)**"
        yield _table(
            ("operation", "method", "path"),
            ([f"[{_escape(one.summary)}](#{one.id})", one.method, f"`{one.path}`"] for one in group.operations),
        )


def _group(group: OperationGroup) -> Iterator[str]:
    yield f"# {_escape(group.name)}"
    yield _prose(group.text)
    for operation in group.operations:
        yield from _operation(operation)


def _operation(operation: OperationDoc) -> Iterator[str]:
    yield f"({operation.id})="
    yield f"## {_escape(operation.summary)}"
    yield f"`{operation.method} {operation.path}`"
    yield _prose(operation.text)
    if operation.parameters:
        yield "**Parameters**"
        yield _properties(operation.parameters)
    if operation.body:
        yield f"**Body:** {_pieces(operation.body)}"
        yield _properties(operation.properties)
    yield "**Responses**"
    answers = [*operation.responses, *operation.errors]
    yield _table(
        ("status", "content", "meaning"),
        ([one.status, "" if one in operation.errors else _pieces(one.type), _line(one.text)] for one in answers),
    )
    yield f"**Example**\n\n```shell\n{operation.examples['curl']}\n```"


def _events(events: Sequence[Property]) -> Iterator[str]:
    yield "# Event types"
    yield "[Events and webhooks](../reference/events.md) has an example of each, and describes the event log."
    yield _table(("type", "schema", "cause"), ([f"`{one.name}`", _pieces(one.type), _line(one.text)] for one in events))


def _schemas(schemas: Sequence[SchemaDoc]) -> Iterator[str]:
    yield "# Schemas"
    for schema in schemas:
        yield f"(schema-{schema.name})="
        yield f"## {schema.name}"
        yield _prose(schema.text)
        if schema.type:
            yield _pieces(schema.type)
        yield _properties(schema.properties)


def _properties(properties: Sequence[Property]) -> str:
    rows = (
        [
            f"`{one.name}`" + (" (required)" if one.required else ""),
            ", ".join(part for part in (_pieces(one.type), _escape(one.bounds), one.where) if part),
            _line(one.text),
        ]
        for one in properties
    )
    return _table(("name", "type", "description"), rows) if properties else ""


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)


def _prose(blocks: Sequence[Block]) -> str:
    return "\n\n".join(("- " if block.is_list_item else "") + _pieces(block.pieces) for block in blocks)


def _line(blocks: Sequence[Block]) -> str:
    """The same on one line, for the cell of a table."""
    return " ".join(_pieces(block.pieces) for block in blocks)


def _pieces(pieces: Sequence[TextPiece]) -> str:
    return "".join(_piece(piece) for piece in pieces)


def _piece(piece: TextPiece) -> str:
    if piece.schema:
        return f"[{piece.text}](#schema-{piece.schema})"
    # In a table, a vertical bar separates cells even inside code.
    return f"`{piece.text.replace('|', chr(92) + '|')}`" if piece.code else _escape(piece.text)


def _escape(text: str) -> str:
    return _SPECIAL.sub(r"\\\1", text)


def _join(parts: Iterable[str]) -> str:
    return "\n\n".join(part for part in parts if part) + "\n"
