"""From the OpenAPI document to what the pages of the reference show. Pure."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any

from formwright.web.api_docs.markdown import Block, Piece, Schema, bounds, plain, prose, type_of
from formwright.web.api_docs.snippets import Request, curl, javascript, python

PREFIX = "/api/v1.0"
_JSON = "application/json"
_FILES = {"text/csv": "rows.csv", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": "form.xlsx"}
_SHORT_PAGE = "10"


@dataclass(frozen=True, slots=True)
class Member:
    """A member of a shape, or a parameter."""

    name: str
    where: str
    required: bool
    type: Sequence[Piece]
    bounds: str
    text: Sequence[Block]


@dataclass(frozen=True, slots=True)
class Answer:
    """What can come back: a status, and the shape or the codes that say more."""

    status: str
    title: str
    text: Sequence[Block]
    type: Sequence[Piece]


@dataclass(frozen=True, slots=True)
class Described:
    """An operation."""

    id: str
    method: str
    path: str
    summary: str
    text: Sequence[Block]
    parameters: Sequence[Member]
    body: Sequence[Piece]
    members: Sequence[Member]
    answers: Sequence[Answer]
    problems: Sequence[Answer]
    calls: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Group:
    """The operations of a tag; `slug` is its place in addresses."""

    slug: str
    name: str
    text: Sequence[Block]
    operations: Sequence[Described]


@dataclass(frozen=True, slots=True)
class Shape:
    """A named shape."""

    name: str
    text: Sequence[Block]
    type: Sequence[Piece]
    members: Sequence[Member]


def groups(document: Mapping[str, Any]) -> list[Group]:
    """All operations by their tag, in the order of the document."""
    found: dict[str, list[Described]] = {tag["name"]: [] for tag in document["tags"]}
    schemas = document["components"]["schemas"]
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            found[operation["tags"][0]].append(_described(path, method.upper(), operation, schemas))
    return [
        Group(slug_of(tag["name"]), tag["name"], prose(tag["description"]), found[tag["name"]])
        for tag in document["tags"]
    ]


def slug_of(name: str) -> str:
    """`users-groups` of `Users & Groups`."""
    return "-".join(re.findall(r"[a-z0-9]+", name.lower()))


def _described(path: str, method: str, operation: Schema, schemas: Mapping[str, Schema]) -> Described:
    body = operation.get("requestBody", {}).get("content", {})
    schema = body.get(_JSON, {}).get("schema", {})
    call = _call(path, method, operation)
    answers = [_answer(status, one) for status, one in operation["responses"].items()]
    return Described(
        id=operation["operationId"],
        method=method,
        path=path,
        summary=operation["summary"],
        text=prose(operation.get("description", "")),
        parameters=[_parameter(one) for one in operation["parameters"]],
        body=[*type_of(schema), *_others(body)] if schema else _others(body)[1:],
        members=list(_members(_resolved(schema, schemas))),
        answers=[one for one in answers if one.status < "400"],
        problems=[one for one in answers if one.status >= "400"],
        calls={"curl": curl(call), "Python": python(call), "JavaScript": javascript(call)},
    )


def _others(body: Mapping[str, Any]) -> list[Piece]:
    """The media types that a body may have beside JSON, each behind an `or`."""
    found: list[Piece] = []
    for media_type in body:
        if media_type != _JSON:
            found += [Piece(" or "), Piece(media_type, code=True)]
    return found


def _parameter(one: Schema) -> Member:
    return Member(
        one["name"],
        one["in"],
        one.get("required", False),
        type_of(one["schema"]),
        bounds(one["schema"]),
        prose(one.get("description", "")),
    )


def _resolved(schema: Schema, schemas: Mapping[str, Schema]) -> Schema:
    name = schema.get("$ref", "").rpartition("/")[2]
    return schemas[name] if name else schema


def _members(schema: Schema) -> Iterator[Member]:
    required = schema.get("required", ())
    for name, one in schema.get("properties", {}).items():
        inner, _ = plain(one)
        text = prose(one.get("description") or inner.get("description", ""))
        yield Member(name, "", name in required, type_of(one), bounds(one), text)


def _answer(status: str, one: Schema) -> Answer:
    content = one.get("content", {})
    schema = content.get(_JSON, {}).get("schema")
    files = [Piece(media_type, code=True) for media_type in content if media_type not in (_JSON, _PROBLEM)]
    title = HTTPStatus(int(status)).phrase if status.isdigit() else ""
    return Answer(status, title, prose(one["description"]), type_of(schema) if schema else files)


_PROBLEM = "application/problem+json"


def _call(path: str, method: str, operation: Schema) -> Request:
    given = {one["name"]: one for one in operation["parameters"]}
    ids = {name: one["schema"]["examples"][0] for name, one in given.items() if one["in"] == "path"}
    query = {"limit": _SHORT_PAGE} if "limit" in given else {}
    query |= {
        name: one["example"]
        for name, one in given.items()
        if "example" in one and one["in"] == "query" and isinstance(one["example"], str)
    }
    body = operation.get("requestBody", {}).get("content", {})
    example = body[_JSON].get("example", {}) if _JSON in body else None
    media_type = _JSON if example is not None else next(iter(body), _JSON)
    answered = operation["responses"][next(iter(operation["responses"]))].get("content", {_JSON: {}})
    kept_as = "" if _JSON in answered else _FILES.get(next(iter(answered)), "answer")
    return Request(
        method=method,
        path=path.removeprefix(PREFIX).format_map(ids),
        query=query,
        body=example,
        media_type=media_type,
        file=_FILES[media_type] if body and example is None else "",
        kept_as=kept_as,
    )


def shapes(document: Mapping[str, Any]) -> list[Shape]:
    """Every named shape, by name."""
    return [
        Shape(
            name,
            prose(schema.get("description", "")),
            [] if "properties" in schema else type_of({**schema, "title": ""}),
            list(_members(schema)),
        )
        for name, schema in sorted(document["components"]["schemas"].items())
    ]


def events(document: Mapping[str, Any]) -> list[Member]:
    """Every type of event, with its shape and what causes it."""
    found = []
    for name, methods in document["webhooks"].items():
        one = methods["post"]
        schema = one["requestBody"]["content"][_JSON]["schema"]
        found.append(Member(name, "", True, type_of(schema), "", prose(one["summary"])))
    return found
