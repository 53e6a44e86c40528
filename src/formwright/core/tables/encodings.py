"""Finds out the encoding of a text file, or says that it is not certain."""

import codecs
import io
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from email.message import Message
from typing import BinaryIO

from formwright.core.tables.base import TableUnreadable
from formwright.core.tables.encoding_candidates import CANDIDATES, rate_text

MAX_LINE = 4_000_000
"""The longest valid line: 200 columns of 10,000 characters, all of them quotes, which are doubled."""

_CHUNK = 2**20
# UTF-32 comes first, because its byte order mark begins with that of UTF-16.
_BOMS = (
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
# Python lists these as text encodings, but they encode host names and program sources; UTF-7 yields lone surrogates.
_UNSUPPORTED_ENCODINGS = {
    "idna",
    "punycode",
    "unicode-escape",
    "raw-unicode-escape",
    "undefined",
    "unicode_escape",
    "utf-7",
}
_FIX_HINT = "Save the file as CSV UTF-8, or specify its encoding."
# Bytes that are not part of any character of several bytes in the candidates.
_SEPARATORS = re.compile(rb'[\r\n,;\t"]+')
_MAX_SAMPLE = 64 * 1024
_SHOWN_SAMPLES = 5
_MAX_SHOWN = 60
_MIN_COHERENCE_LEAD, _MIN_COHERENT_LENGTH = 0.1, 150


@dataclass(frozen=True, slots=True)
class TextEncoding:
    """The encoding of a file, and whether the file contains a NUL character.

    `sample` are some of its cells that the encoding affects, unless the file says which one it has.
    """

    encoding: str
    has_nul: bool
    sample: tuple[str, ...] = ()


def parse_charset(content_type: str) -> str | None:
    """Return the encoding from the `charset` of a Content-Type header, or None if it is absent or unknown.

    UTF-8 is ignored too: many clients send it regardless of the file, and it is detected anyway.
    """
    header = Message()
    header["content-type"] = content_type or "text/csv"
    try:
        name = codecs.lookup(header.get_content_charset("")).name
    except LookupError:
        return None
    return None if name in ("utf-8", "ascii") else name


def detect_encoding(file: BinaryIO, requested: str | None) -> TextEncoding:
    """Return the encoding with which the whole file can be decoded; raise `TableUnreadable` if it is not certain.

    A byte order mark takes precedence over the requested encoding. Without either, UTF-8 is tried, then the encodings
    of countries.
    """
    file.seek(0)
    head = file.read(4096)
    from_bom = next((encoding for mark, encoding in _BOMS if head.startswith(mark)), None)
    if encoding := from_bom or _check_encoding(requested):
        found = _check_decodable(file, encoding)
        is_plain = from_bom or encoding.startswith("utf")
        return found if is_plain else replace(found, sample=_show_cells(_read_sample(file), encoding))
    # In UTF-16, every second byte of ASCII text is zero. A quarter leaves room for as many other characters.
    if head.count(0) > len(head) // 4:
        detail = "The file looks like UTF-16 without a byte order mark. Specify the encoding, utf-16-le or utf-16-be."
        raise TableUnreadable("table.encoding", detail, 1)
    try:
        return _check_decodable(file, "utf-8")
    except TableUnreadable as error:
        if error.code != "table.encoding":
            raise
        line = error.line
    cells = _read_sample(file)
    encoding = _guess_encoding(cells, line)
    return replace(_check_decodable(file, encoding), sample=_show_cells(cells, encoding))


def _read_sample(file: BinaryIO) -> list[bytes]:
    """Return the first cells that are not ASCII, each once."""
    cells: dict[bytes, None] = {}
    size, rest = 0, b""
    file.seek(0)
    while size < _MAX_SAMPLE and (chunk := file.read(_CHUNK)):
        *complete, rest = _SEPARATORS.split(rest + chunk)
        for cell in complete:
            if not cell.isascii() and cell not in cells:
                cells[cell] = None
                size += len(cell)
        if len(rest) > MAX_LINE:
            break
    if rest and size < _MAX_SAMPLE:
        cells[rest] = None
    return [cell.strip() for cell in cells]


def _show_cells(cells: list[bytes], encoding: str) -> tuple[str, ...]:
    return tuple(codecs.decode(cell, encoding, "replace")[:_MAX_SHOWN] for cell in cells[:_SHOWN_SAMPLES])


def _guess_encoding(cells: list[bytes], line: int | None) -> str:
    """Return the encoding of the cells. Raises `TableUnreadable` if it is not certain."""
    texts = _decode_with_candidates(b"\n".join(cells))
    ratings = {
        encoding: rating for encoding, text in texts.items() if (rating := rate_text(text, encoding)) is not None
    }
    best = min(ratings.values(), default=0)
    # Reversed, so that the first candidate, which is the most frequent, remains where several result in the same text.
    readings = {texts[encoding]: encoding for encoding in reversed(ratings) if ratings[encoding] == best}
    if len(readings) > 1 and min(map(len, readings)) >= _MIN_COHERENT_LENGTH:
        readings = _prefer_coherent(readings)
    if len(readings) != 1:
        raise _uncertain(readings or {text: encoding for encoding, text in texts.items()}, line)
    return next(iter(readings.values()))


def _decode_with_candidates(sample: bytes) -> dict[str, str]:
    found: dict[str, str] = {}
    for encoding in CANDIDATES:
        try:
            found[encoding] = codecs.decode(sample, encoding)
        except UnicodeDecodeError:
            # The sample may end within a character.
            continue
    return found


def _prefer_coherent(readings: Mapping[str, str]) -> dict[str, str]:
    """Return the reading that resembles a language clearly more than the others; all of them if there is none.

    `readings` are encodings by text. Short texts have no coherence.
    """
    from charset_normalizer import from_bytes  # noqa: PLC0415 - few files need it, and loading it takes time.

    ratios: dict[str, float] = {}
    for text, encoding in readings.items():
        match = from_bytes(text.encode(encoding), cp_isolation=[encoding]).best()
        ratios[text] = match.coherence - match.chaos if match else -1
    first, second = sorted(ratios.values(), reverse=True)[:2]
    if first - second < _MIN_COHERENCE_LEAD:
        return dict(readings)
    [text] = [text for text, ratio in ratios.items() if ratio == first]
    return {text: readings[text]}


def _uncertain(readings: Mapping[str, str], line: int | None) -> TableUnreadable:
    """Return the error that shows a cell that the readings disagree about."""
    columns = list(zip(*(text.split("\n") for text in list(readings)[:3]), strict=False))
    cell = next((texts for texts in columns if len({*texts}) > 1), ())
    shown = " or ".join(
        f"“{text[:_MAX_SHOWN]}” ({encoding.replace('cp125', 'windows-125')})"
        for text, encoding in zip(cell, readings.values(), strict=False)
    )
    detail = "The encoding of the file is not certain" + (f": a cell is {shown}" if shown else "")
    return TableUnreadable("table.encoding", f"{detail}. {_FIX_HINT}", line)


def _check_encoding(requested: str | None) -> str | None:
    if requested is None:
        return None
    try:
        io.TextIOWrapper(io.BytesIO(), requested)  # Rejects codecs that do not encode text, such as base64.
        name = codecs.lookup(requested).name
    except (LookupError, ValueError):
        name = ""
    if not name or name in _UNSUPPORTED_ENCODINGS:
        detail = f"{requested!r} is not a supported text encoding. Use utf-8, utf-16 or windows-1252, for example."
        raise TableUnreadable("table.encoding.unknown", detail)
    return name


def _check_decodable(file: BinaryIO, encoding: str) -> TextEncoding:
    """Decode the file once to its end, so that the import cannot fail halfway because of undecodable bytes.

    Raises `TableUnreadable` if it cannot be decoded or has a line that is too long.
    """
    decoder = codecs.getincrementaldecoder(encoding)()
    feeds = returns = length = 0
    has_nul = False
    file.seek(0)
    while True:
        chunk = file.read(_CHUNK)
        try:
            text = decoder.decode(chunk, final=not chunk)
        except UnicodeError as error:
            prefix = _decodable_prefix(error, encoding)
            line = 1 + max(feeds + prefix.count("\n"), returns + prefix.count("\r"))
            raise TableUnreadable(
                "table.encoding", f"This line cannot be decoded as {encoding}. {_FIX_HINT}", line
            ) from None
        if not chunk:
            return TextEncoding(encoding, has_nul)
        # Lines end with LF, CR or both, so the larger number is that of the lines.
        feeds, returns = feeds + text.count("\n"), returns + text.count("\r")
        has_nul = has_nul or "\0" in text
        end = max(text.rfind("\n"), text.rfind("\r"))
        length = length + len(text) if end < 0 else len(text) - end - 1
        if length > MAX_LINE:
            line = 1 + max(feeds, returns)
            detail = f"This line has more than {MAX_LINE} characters. Check the quotes and line endings of the file."
            raise TableUnreadable("table.line", detail, line)


def _decodable_prefix(error: UnicodeError, encoding: str) -> str:
    """Return the part of the chunk before the error; empty if the codec does not say where it failed."""
    return error.object[: error.start].decode(encoding, "ignore") if isinstance(error, UnicodeDecodeError) else ""
