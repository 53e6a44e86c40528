"""Files: real contents of many types, and their upload through a form's link."""

import base64
import io
import struct
import zipfile
import zlib
from collections.abc import AsyncIterator
from typing import Any
from urllib.parse import quote

import httpx
import xlsxwriter
from actors import Account

from factories.requests import PREFIX

FIELDS: list[dict[str, Any]] = [
    {"type": "text", "name": "site", "label": "Site"},
    {"type": "photo", "name": "photos", "label": "Photos", "maxFiles": 5},
    {"type": "signature", "name": "signed", "label": "Signature"},
    {"type": "file", "name": "papers", "label": "Papers", "maxFiles": 5},
    {
        "type": "repeat",
        "name": "defects",
        "label": "Defects",
        "fields": [{"type": "photo", "name": "picture", "label": "Picture"}],
    },
]


def png(shade: int = 0) -> bytes:
    """Return a picture of one grey pixel."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    header = struct.pack(">IIBBBBB", 1, 1, 8, 0, 0, 0, 0)
    dot = zlib.compress(bytes([0, shade % 256]))
    text = b"Comment\0" + str(shade).encode()
    return (
        b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"tEXt", text) + chunk(b"IDAT", dot) + chunk(b"IEND", b"")
    )


JPEG = bytes.fromhex("ffd8ffe000104a46494600010100000100010000ffdb0043") + b"\x08" * 65 + bytes.fromhex("ffd9")
GIF = base64.b64decode("R0lGODlhAQABAAAAACwAAAAAAQABAAA=")
WEBP = base64.b64decode("UklGRiIAAABXRUJQVlA4IBYAAAAwAQCdASoBAAEADsD+JaQAA3AAAAAA")
HEIC = struct.pack(">I", 24) + b"ftypheic\0\0\0\0mif1heic" + bytes(40)
AVIF = struct.pack(">I", 28) + b"ftypavif\0\0\0\0avifmif1miaf" + bytes(40)
MP4 = struct.pack(">I", 24) + b"ftypisom\0\0\2\0isommp42" + bytes(40)
PDF = b"%PDF-1.4\n1 0 obj<<>>endobj\ntrailer<<>>\n%%EOF\n"
TEXT = "Größe;Länge\n1;2\n".encode()
PROGRAM = b"\x7fELF\x02\x01\x01" + bytes(100)


def archive(contents: dict[str, bytes]) -> bytes:
    """Return a zip file with these contents by their paths."""
    whole = io.BytesIO()
    with zipfile.ZipFile(whole, "w", zipfile.ZIP_DEFLATED) as written:
        for path, content in contents.items():
            written.writestr(path, content)
    return whole.getvalue()


def zipped(*names: str, stored: bytes = b"x") -> bytes:
    """Return a zip file with these entries."""
    whole = io.BytesIO()
    with zipfile.ZipFile(whole, "w") as archive:
        for name in names:
            archive.writestr(name, stored)
    return whole.getvalue()


def xlsx() -> bytes:
    """Return a workbook that spreadsheet programs open."""
    whole = io.BytesIO()
    with xlsxwriter.Workbook(whole, {"in_memory": True}) as book:
        book.add_worksheet().write(0, 0, "Harbour")
    return whole.getvalue()


def odt() -> bytes:
    """Return the start of an OpenDocument text."""
    whole = io.BytesIO()
    with zipfile.ZipFile(whole, "w") as archive:
        archive.writestr("mimetype", "application/vnd.oasis.opendocument.text")
        archive.writestr("content.xml", "<x/>")
    return whole.getvalue()


async def post(
    account: Account,
    form: dict[str, Any],
    field: str,
    content: bytes | AsyncIterator[bytes],
    type_: str = "",
    name: str = "",
    **query: str,
) -> httpx.Response:
    """Upload a file with the form's link and return the response."""
    headers = {"x-file-name": quote(name), "content-type": type_}
    async with account.stage.client(**headers) as anybody:
        return await anybody.post(f"{form['fillPath']}/files", params={"field": field, **query}, content=content)


async def uploaded(account: Account, form: dict[str, Any], field: str = "photos", content: bytes = b"") -> str:
    """Upload a file and return its id."""
    response = await post(account, form, field, content or png(), "image/png", "dot.png")
    assert response.status_code == 201, response.text
    file_id: str = response.json()["id"]
    return file_id


async def sent(
    account: Account, form: dict[str, Any], field: str = "photos", content: bytes = b"", name: str = "dot.png"
) -> dict[str, Any]:
    """Upload a file with the API key and return it."""
    path = f"/api/v1.0/customers/{account.id}/forms/{form['id']}/files"
    headers = {"content-type": "application/octet-stream"}
    response = await account.api.post(
        path, params={"field": field, "name": name}, content=content or png(), headers=headers
    )
    assert response.status_code == 201, response.text
    created: dict[str, Any] = response.json()
    return created


async def listed(account: Account, submission_id: str) -> list[dict[str, Any]]:
    """Return the files of a submission."""
    response = await account.api.get(f"/api/v1.0/customers/{account.id}/submissions/{submission_id}/files")
    assert response.status_code == 200, response.text
    items: list[dict[str, Any]] = response.json()["items"]
    return items


async def media(account: Account, form: dict[str, Any], name: str = "dot.png", content: bytes = b"") -> dict[str, Any]:
    """Add a media file to a form."""
    response = await account.api.post(
        f"{PREFIX}/forms/customer/{account.id}/forms/{form['id']}/media",
        params={"name": name},
        content=content or png(),
        headers={"content-type": "application/octet-stream"},
    )
    assert response.status_code == 201, response.text
    found: dict[str, Any] = response.json()
    return found
