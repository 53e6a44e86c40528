"""Decodes a body or query into a declared shape, or reports all of its validation errors.

JSON is checked against limits on its bytes first, before any object is created.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from enum import Enum
from functools import lru_cache
from itertools import accumulate, islice
from typing import Any, Literal, get_args, get_origin

import msgspec

from formwright.asgi.shape_errors import diagnose
from formwright.core.errors import MAX_ERRORS, DomainError, Invalid, ValidationFault, pointer
from formwright.core.exact_numbers import DIGITS, is_exact
from formwright.core.offload import SMALL_BYTES, offload

MAX_DEPTH = 100
"""Maximum nesting of lists and objects; a form needs 20."""
MAX_BODY = 10 * 1024 * 1024
"""Maximum size in bytes of a body that is read into memory."""
MAX_VALUES = 100_000
"""Maximum number of values, including lists and objects. Decoding this many takes about 50 ms."""
MAX_DIGITS = 500
"""Maximum digits of an integer. Parsing takes time quadratic in the length."""

_PIECE = 64 * 1024
_STRUCTURE = bytes.maketrans(b"{}", b"[]")
# `bytes.translate` deletes these, so that no Python code runs for each byte of a body.
_OTHERS = bytes(set(range(256)) - set(b'[]{},"'))
_STEPS = {ord("["): 1, ord("]"): -1, ord(","): 0}
# With every digit replaced by a zero, a search for a run of zeros finds any long run of digits.
_ZEROS = bytes.maketrans(b"123456789", b"0" * 9)
_LONG_NUMBER = b"0" * (MAX_DIGITS + 1)
_TEXT = re.compile(rb'"[^"]*"?')
_MANY_DIGITS = b"0" * (DIGITS + 1)
_NUMBER = re.compile(rb"[\s:,\[](-?[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?)(?=[\s,\]}])")
_INEXACT = object()


class JsonMalformed(DomainError):
    """The body is not readable JSON."""

    code = "json.malformed"
    detail = "The body is not valid JSON."


class BodyTooLarge(DomainError):
    """The body exceeds the size limit."""

    code = "body.too_large"
    detail = "The body is larger than the limit of this endpoint, which is 10 MiB at most."


class BodyTooComplex(DomainError):
    """The body is within the size limit but holds too many values."""

    code = "body.too_complex"
    detail = f"The body has more than {MAX_VALUES:,} values, including lists and objects. Send less at once."


class EmptyQuery(msgspec.Struct):
    """The query of an operation without parameters."""


class QueryInvalid(Invalid):
    """The query string is invalid."""

    code = "query.invalid"
    detail = "The query is invalid; see `errors`."


_NUL = "This contains the character NUL, which cannot be stored."
_TOO_MANY_DIGITS = f"This number has more digits than can be stored exactly. Send at most {DIGITS} digits."
_LONGEST = 500
_POSITION = re.compile(r" - at `\$(.*)`$")
_STEP = re.compile(r"\.(\w+)|\[(\d+|\.\.\.)\]")


async def read_large_body(raw: bytes, shape: Any, most: int = MAX_VALUES) -> Any:
    """Like `read_body`, but decodes large bodies outside of the event loop."""
    if len(raw) <= SMALL_BYTES:
        return read_body(raw, shape, most)
    return await offload(read_body, raw, shape, most)


def read_body(raw: bytes, shape: Any, most: int = MAX_VALUES) -> Any:
    """Decode the body into `shape`.

    Raises `JsonMalformed` if it is not JSON, `BodyTooComplex` if it has more than `most` values, and `Invalid` with the
    validation errors if it does not match.
    """
    values = check_json(raw, most)
    try:
        body = _decoder(shape).decode(raw)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise _diagnosis(raw, shape, error, values) from None
    # JSON can contain NUL only as this escape. It is not one if the backslash itself is escaped, so the values decide.
    if b"\\u0000" in raw:
        _refuse_nul(raw, body, values)
    # Without points, the digits before and after a decimal point form one run.
    if _MANY_DIGITS in raw.translate(_ZEROS, b".") and not getattr(shape, "checks_items_alone", False):
        _refuse_inexact(raw)
    return body


@lru_cache(maxsize=256)
def _decoder(shape: Any) -> msgspec.json.Decoder[Any]:
    return msgspec.json.Decoder(shape)


def _diagnosis(raw: bytes, shape: Any, error: Exception, values: int) -> Exception:
    """Find all errors with a second, slower pass, because the decoder stops at the first."""
    if values > MAX_VALUES:
        # Decoding it without its shape would take too long.
        return Invalid([ValidationFault(_pointer_of(error), "value.invalid", _sentence(error))], more=True)
    try:
        raw.decode()
        document = msgspec.json.decode(raw)
    except UnicodeDecodeError as fault:
        return JsonMalformed(f"The body is not UTF-8: byte {fault.start} cannot be read.")
    except RecursionError:
        return JsonMalformed("The body is nested too deeply.")
    except msgspec.DecodeError as fault:
        return JsonMalformed(f"The body is not valid JSON: {_sentence(fault)}")
    return diagnose(document, shape, error, lambda one: (_pointer_of(one), _sentence(one)))


def _sentence(error: Exception) -> str:
    text = _POSITION.sub("", str(error)).removeprefix("JSON is malformed: ")
    return text[:1].upper() + text[1:] + "."


def _pointer_of(error: Exception) -> str:
    where = _POSITION.search(str(error))
    return pointer(*(name or index for name, index in _STEP.findall(where[1]))) if where else ""


def _refuse_nul(raw: bytes, body: Any, values: int) -> None:
    # Lazily decoded parts of a large body are checked when they are decoded.
    document = msgspec.structs.asdict(body) if values > MAX_VALUES else msgspec.json.decode(raw)
    places = islice(_nul_places(document, ()), MAX_ERRORS + 1)
    if found := [ValidationFault(where, "value.nul", _NUL) for where in places]:
        raise Invalid(found)


def _refuse_inexact(raw: bytes) -> None:
    """Raise `Invalid` if the JSON has a fraction that would be rounded. Integers are decoded exactly."""
    if all(_is_kept(match[1].decode()) for match in _NUMBER.finditer(raw)):
        return
    places = islice(_inexact_places(_inexact_decoder.decode(raw), ()), MAX_ERRORS + 1)
    # None if it is in a text.
    if found := [ValidationFault(where, "value.inexact", _TOO_MANY_DIGITS) for where in places]:
        raise Invalid(found)


def _is_kept(literal: str) -> bool:
    return len(literal) <= DIGITS or literal.lstrip("-").isdigit() or is_exact(literal)


_inexact_decoder = msgspec.json.Decoder(float_hook=lambda literal: 0.0 if _is_kept(literal) else _INEXACT)


def _inexact_places(value: Any, steps: tuple[str | int, ...]) -> Iterator[str]:
    if value is _INEXACT:
        yield pointer(*steps)
        return
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for step, inner in items:
        yield from _inexact_places(inner, (*steps, step))


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


def read_query(parameters: Iterable[tuple[str, str]], shape: Any) -> Any:
    """Decode the query into `shape`; raises `QueryInvalid` with all unknown parameters and invalid values."""
    fields = _fields(shape)
    values: dict[str, Any] = {}
    found: list[ValidationFault] = []
    for name, text in parameters:
        if len(found) > MAX_ERRORS:
            break
        outer, _, inner = name.partition(".")
        is_open = bool(inner) and outer in fields and _is_open(fields[outer].type)
        if not is_open and (name not in fields or _is_open(fields[name].type)):
            found.append(
                ValidationFault(
                    f"?{name[:_LONGEST]}",
                    "query.unknown",
                    f"There is no such parameter. The parameters are: {_list(fields)}.",
                )
            )
        elif "\0" in text:
            found.append(ValidationFault(f"?{name}", "value.nul", _NUL))
        elif is_open:
            values.setdefault(outer, {}).setdefault(inner, []).append(text)
        elif _is_list(fields[name].type):
            values.setdefault(name, []).append(text)
        elif name in values:
            found.append(ValidationFault(f"?{name}", "query.repeated", "This parameter may occur only once."))
        else:
            values[name] = text
    found += [fault for name, value in values.items() for fault in _value_faults(name, value, fields[name].type)]
    found += [
        ValidationFault(f"?{name}", "value.required", "This parameter is required.")
        for name, field in fields.items()
        if field.required and name not in values
    ]
    if found:
        raise QueryInvalid(found)
    return msgspec.convert(values, shape, strict=False)


@lru_cache(maxsize=256)
def _fields(shape: Any) -> Mapping[str, msgspec.structs.FieldInfo]:
    """Return the fields by query parameter name. Cached, because reflection takes longer than reading a page."""
    return {field.encode_name: field for field in msgspec.structs.fields(shape)}


def _list(fields: Mapping[str, object]) -> str:
    return ", ".join(fields) or "none"


def _is_open(type_: Any) -> bool:
    """Whether the parameter is a map with dotted names: `answers.site`, `answers.people`."""
    return any(get_origin(inner) is dict for inner in (type_, *get_args(type_)))


def _is_list(type_: Any) -> bool:
    return any(get_origin(inner) is list or inner is list for inner in (type_, *get_args(type_)))


def _value_faults(name: str, value: Any, type_: Any) -> Iterable[ValidationFault]:
    try:
        read = msgspec.convert(value, type_, strict=False)
        if read is None:
            yield ValidationFault(f"?{name}", "query.value", "A query cannot contain null. Omit the parameter.")
        if isinstance(read, datetime) and value[4:5] != "-":
            # Non-strict conversion reads a number as seconds since 1970.
            yield ValidationFault(f"?{name}", "query.value", "Expected an RFC 3339 time, such as 2026-11-21T12:32:08Z.")
    except msgspec.ValidationError as error:
        hint = " Write + as %2B in an address." if " " in str(value) and "RFC3339" in str(error) else ""
        known = ", ".join(_choices(type_))
        yield ValidationFault(
            f"?{name}", "query.value", f"This must be one of {known}." if known else _sentence(error) + hint
        )


def _choices(type_: Any) -> Iterable[str]:
    """Return the allowed values of an enumeration; empty for other types."""
    if isinstance(type_, type) and issubclass(type_, Enum):
        return [str(one.value) for one in type_]
    if get_origin(type_) is Literal:
        return [str(one) for one in get_args(type_)]
    return [choice for inner in get_args(type_) for choice in _choices(inner)]


def check_json(raw: bytes, most: int = MAX_VALUES) -> int:
    """Return an upper bound of the number of values in the JSON, including lists and objects.

    Raises `BodyTooComplex` if there are more than `most`, `JsonMalformed` if it is nested too deeply or has too long a
    number. Stops as soon as the result is clear, and works in short steps so that other threads can run.
    """
    if _LONG_NUMBER in raw.translate(_ZEROS):
        _refuse_long_numbers(raw)
    opened = raw.count(b"[") + raw.count(b"{")
    upper = opened + raw.count(b",") + 1
    # True for nearly all bodies: even if no comma or bracket were part of a text, there would not be too many.
    if upper <= most and opened <= MAX_DEPTH:
        return upper
    values, level = 1, 0
    for structure in _outside_of_texts(raw):
        values += structure.count(b"[") + structure.count(b",")
        if values > most:
            raise BodyTooComplex(
                f"The body has more than {most:,} values, including lists and objects. Send less at once."
            )
        levels = list(accumulate(map(_STEPS.__getitem__, structure), initial=level))
        level = levels[-1]
        if max(levels) > MAX_DEPTH:
            raise JsonMalformed(
                f"The body is nested too deeply. At most {MAX_DEPTH} levels of lists and objects are allowed."
            )
    return values


def _without_escapes(raw: bytes) -> bytes:
    # Escaped backslashes must be removed first: in `\\"` the quote is not escaped and ends the text.
    return raw.replace(rb"\\", b"").replace(rb"\"", b"") if b"\\" in raw else raw


def _outside_of_texts(raw: bytes) -> Iterator[bytes]:
    """Yield the brackets and commas outside of strings, in pieces; braces are mapped to brackets."""
    plain, in_text = _without_escapes(raw), 0
    for start in range(0, len(plain), _PIECE):
        parts = plain[start : start + _PIECE].translate(_STRUCTURE, _OTHERS).split(b'"')
        yield b"".join(parts[in_text::2])
        in_text = (in_text + len(parts) - 1) % 2


def _refuse_long_numbers(raw: bytes) -> None:
    # Digits inside a string are not a number.
    if _LONG_NUMBER in _TEXT.sub(b"", _without_escapes(raw)).translate(_ZEROS):
        raise JsonMalformed(f"A number in the body has more than {MAX_DIGITS} digits.")
