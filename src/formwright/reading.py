"""Reads a body or a query into a declared shape, or names every fault of it."""

import re
from collections.abc import Iterable, Mapping
from datetime import datetime
from enum import Enum
from functools import lru_cache
from typing import Any, Literal, get_args, get_origin

import jsonschema_rs
import msgspec

from formwright.core.kernel.errors import DomainError, Fault, Invalid, pointer
from formwright.core.kernel.schema_faults import schema_faults


class JsonMalformed(DomainError):
    """The body cannot be read at all."""

    code = "json.malformed"
    detail = "The body is not valid JSON."


class NoQuery(msgspec.Struct):
    """The query of an operation that takes none."""


class QueryInvalid(Invalid):
    """The query of an address has faults."""

    code = "query.invalid"
    detail = "The query has faults; `errors` names each of them."


DEEPEST = 100
"""How many levels of lists and objects a body may have; a form needs 20."""
_TEXT = re.compile(rb'"[^"]*"')
_TOO_DEEP = b"[" * (DEEPEST + 1)
_BRACKETS = bytes.maketrans(b"{}", b"[]")
_OTHERS = bytes(set(range(256)) - set(b'[]{}"'))
_NUL = "This holds the character NUL, which cannot be stored."
_POSITION = re.compile(r" - at `\$(.*)`$")
_STEP = re.compile(r"\.(\w+)|\[(\d+|\.\.\.)\]")


def read_body(raw: bytes, shape: Any) -> Any:
    """The body as `shape`. `JsonMalformed` where it is no JSON, else `Invalid` with every fault."""
    if too_deep(raw):
        raise JsonMalformed(f"The body is nested too deeply: at most {DEEPEST} levels of lists and objects are read.")
    try:
        body = _decoder(shape).decode(raw)
        if b"\\u0000" in raw:
            _refuse_nul(raw)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise _diagnosis(raw, shape, error) from None
    return body


def too_deep(raw: bytes) -> bool:
    """Whether lists and objects are nested in it more deeply than is read. Found without reading it as JSON."""
    if raw.count(b"[") + raw.count(b"{") <= DEEPEST:
        return False
    # What stands in texts is no nesting: first go the escapes, then all but brackets and quotes, then the texts.
    left = raw.replace(rb"\\", b"").replace(rb"\"", b"") if b"\\" in raw else raw
    left = _TEXT.sub(b"", left.translate(_BRACKETS, _OTHERS))
    for _ in range(DEEPEST):
        if not left or _TOO_DEEP in left:
            break
        left = left.replace(b"[]", b"")
    return b"[" in left


@lru_cache(maxsize=256)
def _decoder(shape: Any) -> msgspec.json.Decoder[Any]:
    return msgspec.json.Decoder(shape)


def _diagnosis(raw: bytes, shape: Any, error: Exception) -> Exception:
    """The decoder stops at the first fault; this looks again, slowly, and finds them all."""
    try:
        raw.decode()
        document = msgspec.json.decode(raw)
    except UnicodeDecodeError as fault:
        return JsonMalformed(f"The body is not UTF-8: byte {fault.start} cannot be read.")
    except RecursionError:
        return JsonMalformed("The body is nested too deeply.")
    except msgspec.DecodeError as fault:
        return JsonMalformed(f"The body is not valid JSON: {_sentence(fault)}")
    found = schema_faults(_validator(shape), document)
    return Invalid(found or [Fault(_pointer_of(error), "value.invalid", _sentence(error))])


def _sentence(error: Exception) -> str:
    text = _POSITION.sub("", str(error)).removeprefix("JSON is malformed: ")
    return text[:1].upper() + text[1:] + "."


def _pointer_of(error: Exception) -> str:
    where = _POSITION.search(str(error))
    return pointer(*(name or index for name, index in _STEP.findall(where[1]))) if where else ""


@lru_cache(maxsize=256)
def _validator(shape: Any) -> jsonschema_rs.Draft202012Validator:
    schema = one_branch_by_tag(msgspec.json.schema(shape, ref_template="#/$defs/{name}"))
    return jsonschema_rs.Draft202012Validator(schema, validate_formats=True)


def one_branch_by_tag(schema: Any) -> Any:
    """The schema with each tagged union as `if … then`, so that only the branch that the tag names is looked at."""
    if isinstance(schema, list):
        return [one_branch_by_tag(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    if "discriminator" not in schema:
        return {name: one_branch_by_tag(value) for name, value in schema.items()}
    tag, mapping = schema["discriminator"]["propertyName"], schema["discriminator"]["mapping"]
    branches = [
        {"if": {"type": "object", "properties": {tag: {"const": name}}, "required": [tag]}, "then": {"$ref": ref}}
        for name, ref in mapping.items()
    ]
    known = {"type": "object", "properties": {tag: {"enum": list(mapping)}}, "required": [tag]}
    return {"allOf": [known, *branches]}


def _refuse_nul(raw: bytes) -> None:
    if found := [Fault(where, "value.nul", _NUL) for where in _nul_places(msgspec.json.decode(raw), ())]:
        raise Invalid(found)


def _nul_places(value: Any, steps: tuple[str | int, ...]) -> Iterable[str]:
    if isinstance(value, str):
        if "\0" in value:
            yield pointer(*steps)
        return
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for step, inner in items:
        if isinstance(step, str) and "\0" in step:
            yield pointer(*steps, step)
        yield from _nul_places(inner, (*steps, step))


def read_query(given: Iterable[tuple[str, str]], shape: Any) -> Any:
    """The query as `shape`; `QueryInvalid` names every unknown member and every value that does not fit."""
    fields = _fields(shape)
    values: dict[str, Any] = {}
    found: list[Fault] = []
    for name, text in given:
        outer, _, inner = name.partition(".")
        is_open = bool(inner) and outer in fields and _is_open(fields[outer].type)
        if not is_open and (name not in fields or _is_open(fields[name].type)):
            found.append(Fault(f"?{name}", "query.unknown", f"There is no such member here; known: {_list(fields)}."))
        elif "\0" in text:
            found.append(Fault(f"?{name}", "value.nul", _NUL))
        elif is_open:
            values.setdefault(outer, {}).setdefault(inner, []).append(text)
        elif _is_list(fields[name].type):
            values.setdefault(name, []).append(text)
        elif name in values:
            found.append(Fault(f"?{name}", "query.repeated", "This may stand only once."))
        else:
            values[name] = text
    found += [fault for name, value in values.items() for fault in _value_faults(name, value, fields[name].type)]
    if found:
        raise QueryInvalid(found)
    return msgspec.convert(values, shape, strict=False)


@lru_cache(maxsize=256)
def _fields(shape: Any) -> Mapping[str, msgspec.structs.FieldInfo]:
    """By the name that each has in a query: to take a shape apart takes longer than to read a page of it."""
    return {field.encode_name: field for field in msgspec.structs.fields(shape)}


def _list(fields: Mapping[str, object]) -> str:
    return ", ".join(fields) or "none"


def _is_open(type_: Any) -> bool:
    """Whether its members stand in the query under names of their own: `answers.site`, `answers.people`."""
    return any(get_origin(inner) is dict for inner in (type_, *get_args(type_)))


def _is_list(type_: Any) -> bool:
    return any(get_origin(inner) is list or inner is list for inner in (type_, *get_args(type_)))


def _value_faults(name: str, value: Any, type_: Any) -> Iterable[Fault]:
    try:
        read = msgspec.convert(value, type_, strict=False)
        if read is None:
            yield Fault(f"?{name}", "query.value", "There is no null in a query: leave the member out.")
        if isinstance(read, datetime) and value[4:5] != "-":
            # Where text may be converted a number is taken for seconds since 1970.
            yield Fault(f"?{name}", "query.value", "Expected an RFC 3339 time, such as 2026-11-21T12:32:08Z.")
    except msgspec.ValidationError as error:
        hint = " Write + as %2B in an address." if " " in str(value) and "RFC3339" in str(error) else ""
        known = ", ".join(_choices(type_))
        yield Fault(f"?{name}", "query.value", f"This must be one of {known}." if known else _sentence(error) + hint)


def _choices(type_: Any) -> Iterable[str]:
    """What may stand there, where that is a few words."""
    if isinstance(type_, type) and issubclass(type_, Enum):
        return [str(one.value) for one in type_]
    if get_origin(type_) is Literal:
        return [str(one) for one in get_args(type_)]
    return [choice for inner in get_args(type_) for choice in _choices(inner)]
