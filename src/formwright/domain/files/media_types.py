"""The accepted media types, and how to check that a file's content matches its type."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from formwright.core.errors import Invalid
from formwright.core.file_uses import FileUse

Matcher = Callable[[bytes], bool]

_TEXT_CONTROLS = bytes(range(32)).translate(None, b"\t\n\v\f\r\x1b")
_HEIC = {b"heic", b"heix", b"hevc", b"hevx", b"heim", b"heis", b"mif1", b"msf1"}
_OFFICE = (b"[Content_Types].xml", b"_rels/", b"docProps/", b"customXml/")
_ZIP, _ZIP_ENTRY = b"PK\x03\x04", 30
"""How a ZIP file begins, and where the name of its first entry is (APPNOTE.TXT, 4.3.7)."""


@dataclass(frozen=True, slots=True)
class MediaType:
    """A media type: its file name suffixes, and a check of the first 64 KiB of a file."""

    suffixes: tuple[str, ...]
    matches: Matcher


def _starts(*magics: bytes) -> Matcher:
    return lambda head: head.startswith(magics)


def _riff(format_: bytes) -> Matcher:
    return lambda head: head[:4] == b"RIFF" and head[8:12] == format_


def _brands(head: bytes) -> set[bytes]:
    """Return the major and compatible brands of an ISO base media file (ISO/IEC 14496-12, 4.3), or an empty set."""
    if head[4:8] != b"ftyp":
        return set()
    end = min(int.from_bytes(head[:4]), 512, len(head))
    return {head[8:12], *(head[at : at + 4] for at in range(16, end, 4))}


def _is_heic(head: bytes) -> bool:
    return bool(_brands(head) & _HEIC) and b"avif" not in _brands(head)


def _is_media(head: bytes) -> bool:
    return bool(_brands(head)) and not _brands(head) & {*_HEIC, b"avif"}


def _is_quicktime(head: bytes) -> bool:
    return _is_media(head) or head[4:8] in (b"moov", b"mdat", b"wide", b"free")


def _is_pdf(head: bytes) -> bool:
    # Acrobat accepts the header anywhere in the first 1,024 bytes (PDF Reference 1.7, appendix H, note 13).
    return b"%PDF-" in head[:1024]


def _office(folder: bytes) -> Matcher:
    """Match ZIP files whose first entry is typical of Office Open XML. They are not unpacked: they may be ZIP bombs."""
    names = (*_OFFICE, folder)
    return lambda head: head.startswith(_ZIP) and head[_ZIP_ENTRY : _ZIP_ENTRY + 64].startswith(names)


def _open_document(kind: str) -> Matcher:
    """Match OpenDocument files: the first ZIP entry is `mimetype` and contains the type (version 1.3, part 2, 3.3)."""
    entry = f"mimetypeapplication/vnd.oasis.opendocument.{kind}".encode()
    return lambda head: head.startswith(_ZIP) and head[_ZIP_ENTRY:].startswith(entry)


def _is_text(head: bytes) -> bool:
    if any(kind.matches(head) for kind in _BINARY.values()):
        return False
    return head.startswith((b"\xff\xfe", b"\xfe\xff")) or len(head) == len(head.translate(None, _TEXT_CONTROLS))


def _is_mp3(head: bytes) -> bool:
    """Match an ID3 tag, or the frame sync of MPEG layer III."""
    return head.startswith(b"ID3") or (head[:1] == b"\xff" and len(head) > 1 and head[1] & 0xE6 == 0xE2)


_CFB = _starts(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1")
_EBML = _starts(b"\x1a\x45\xdf\xa3")
_OOXML = "application/vnd.openxmlformats-officedocument."
_ODF = "application/vnd.oasis.opendocument."

PNG: Mapping[str, MediaType] = {"image/png": MediaType((".png",), _starts(b"\x89PNG\r\n\x1a\n"))}
IMAGES: Mapping[str, MediaType] = {
    "image/jpeg": MediaType((".jpg", ".jpeg", ".jpe", ".jfif"), _starts(b"\xff\xd8\xff")),
    **PNG,
    "image/webp": MediaType((".webp",), _riff(b"WEBP")),
    "image/heic": MediaType((".heic", ".heif"), _is_heic),
    "image/gif": MediaType((".gif",), _starts(b"GIF87a", b"GIF89a")),
}
_BINARY: Mapping[str, MediaType] = {
    **IMAGES,
    "image/tiff": MediaType((".tif", ".tiff"), _starts(b"II*\0", b"MM\0*")),
    "application/pdf": MediaType((".pdf",), _is_pdf),
    _OOXML + "wordprocessingml.document": MediaType((".docx",), _office(b"word/")),
    _OOXML + "spreadsheetml.sheet": MediaType((".xlsx",), _office(b"xl/")),
    _OOXML + "presentationml.presentation": MediaType((".pptx",), _office(b"ppt/")),
    _ODF + "text": MediaType((".odt",), _open_document("text")),
    _ODF + "spreadsheet": MediaType((".ods",), _open_document("spreadsheet")),
    _ODF + "presentation": MediaType((".odp",), _open_document("presentation")),
    "application/msword": MediaType((".doc",), _CFB),
    "application/vnd.ms-excel": MediaType((".xls",), _CFB),
    "application/vnd.ms-powerpoint": MediaType((".ppt",), _CFB),
    "application/zip": MediaType((".zip",), _starts(_ZIP, b"PK\x05\x06")),
    "audio/mpeg": MediaType((".mp3",), _is_mp3),
    "audio/mp4": MediaType((".m4a", ".mp4"), _is_media),
    "audio/wav": MediaType((".wav",), _riff(b"WAVE")),
    "audio/ogg": MediaType((".ogg", ".oga", ".opus"), _starts(b"OggS")),
    "audio/webm": MediaType((".weba", ".webm"), _EBML),
    "video/mp4": MediaType((".mp4", ".m4v"), _is_media),
    "video/quicktime": MediaType((".mov", ".qt"), _is_quicktime),
    "video/3gpp": MediaType((".3gp", ".3gpp"), _is_media),
    "video/webm": MediaType((".webm",), _EBML),
}
ALL_TYPES: Mapping[str, MediaType] = {
    **_BINARY,
    "text/plain": MediaType((".txt", ".text", ".log", ".md"), _is_text),
    "text/csv": MediaType((".csv",), _is_text),
}
_MEDIA_TYPES = (
    "image/jpeg", "image/png", "image/webp", "image/gif", "video/mp4", "video/webm", "video/3gpp", "audio/mpeg",
    "audio/mp4", "audio/wav", "audio/ogg", "audio/webm",
)  # fmt: skip
"""What browsers can show. A name or a content that audio and video share is a video."""
ACCEPTED_TYPES: Mapping[FileUse, Mapping[str, MediaType]] = {
    FileUse.PHOTO: IMAGES,
    FileUse.SIGNATURE: PNG,
    FileUse.AUDIO: {name: kind for name, kind in _BINARY.items() if name.startswith("audio/")},
    FileUse.VIDEO: {name: kind for name, kind in _BINARY.items() if name.startswith("video/")},
    FileUse.FILE: ALL_TYPES,
    FileUse.MEDIA: {type_: ALL_TYPES[type_] for type_ in _MEDIA_TYPES},
}
_ALIASES = {
    "image/jpg": "image/jpeg",
    "image/pjpeg": "image/jpeg",
    "image/heif": "image/heic",
    "application/x-zip-compressed": "application/zip",
    "audio/mp3": "audio/mpeg",
    "audio/x-m4a": "audio/mp4",
    "audio/m4a": "audio/mp4",
    "audio/x-wav": "audio/wav",
    "audio/wave": "audio/wav",
}
_UNSPECIFIC = ("", "application/octet-stream")


def detect_media_type(use: FileUse, declared: str, name: str, head: bytes) -> str:
    """Return the media type of a file. Raises `Invalid` if it is not accepted or the content does not match it.

    Browsers omit types that their system does not know. Then the suffix of the name decides, or else the content.
    """
    accepted = ACCEPTED_TYPES[use]
    claim = _claimed_type(declared, name, accepted)
    if not claim:
        claim = next((type_ for type_, kind in accepted.items() if kind.matches(head)), "")
    if claim not in accepted:
        raise Invalid.at("", "file.not_accepted", f"This field accepts {_format_suffixes(accepted)}.")
    if not accepted[claim].matches(head):
        raise Invalid.at("", "file.type", f"The content of the file does not match its type, {claim}.")
    return claim


def _claimed_type(declared: str, name: str, accepted: Mapping[str, MediaType]) -> str:
    media_type = declared.partition(";")[0].strip().lower()
    media_type = _ALIASES.get(media_type, media_type)
    lower = name.lower()
    if media_type == "application/vnd.ms-excel" and lower.endswith(".csv"):
        return "text/csv"  # Windows sends this type for every .csv file once Excel is installed.
    if media_type not in _UNSPECIFIC:
        return media_type
    return next((type_ for type_, kind in accepted.items() if lower.endswith(kind.suffixes)), "")


def _format_suffixes(accepted: Mapping[str, MediaType]) -> str:
    endings = [kind.suffixes[0].removeprefix(".") for kind in accepted.values()]
    return ", ".join(dict.fromkeys(endings))
