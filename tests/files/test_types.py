"""A file is taken when it is what it says it is, and what its field takes."""

import pytest
from factories.files import AVIF, GIF, HEIC, JPEG, MP4, PDF, PROGRAM, TEXT, WEBP, odt, png, xlsx, zipped

from formwright.core.errors import Invalid
from formwright.domain.files.media_types import settled
from formwright.domain.files.models import Use

XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
DOCX = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
ODT = "application/vnd.oasis.opendocument.text"


@pytest.mark.parametrize(
    ("use", "declared", "name", "content", "type_"),
    [
        (Use.PHOTO, "image/jpeg", "a.jpg", JPEG, "image/jpeg"),
        (Use.PHOTO, "IMAGE/JPG; q=1", "a.jpg", JPEG, "image/jpeg"),
        (Use.PHOTO, "image/png", "", png(), "image/png"),
        (Use.PHOTO, "image/webp", "a", WEBP, "image/webp"),
        (Use.PHOTO, "image/gif", "a.gif", GIF, "image/gif"),
        (Use.PHOTO, "image/heic", "a.heic", HEIC, "image/heic"),
        (Use.PHOTO, "", "IMG_1.HEIC", HEIC, "image/heic"),
        (Use.PHOTO, "application/octet-stream", "", JPEG, "image/jpeg"),
        (Use.SIGNATURE, "image/png", "", png(), "image/png"),
        (Use.FILE, "application/pdf", "a.pdf", PDF, "application/pdf"),
        (Use.FILE, "video/mp4", "a.mp4", MP4, "video/mp4"),
        (Use.FILE, XLSX, "a.xlsx", xlsx(), XLSX),
        (Use.FILE, "", "a.xlsx", xlsx(), XLSX),
        (Use.FILE, "", "a.docx", zipped("[Content_Types].xml", "word/document.xml"), DOCX),
        (Use.FILE, ODT, "a.odt", odt(), ODT),
        (Use.FILE, "application/x-zip-compressed", "a.zip", zipped("a"), "application/zip"),
        (Use.FILE, "text/csv", "a.csv", TEXT, "text/csv"),
        (Use.FILE, "application/vnd.ms-excel", "a.csv", TEXT, "text/csv"),
        (Use.FILE, "text/plain", "a.txt", TEXT.decode().encode("utf-16"), "text/plain"),
        (Use.FILE, "text/plain; charset=windows-1252", "a.txt", "Größe".encode("cp1252"), "text/plain"),
    ],
)
def test_what_a_file_is(use: Use, declared: str, name: str, content: bytes, type_: str) -> None:
    assert settled(use, declared, name, content) == type_


@pytest.mark.parametrize(
    ("use", "declared", "name", "content", "code"),
    [
        (Use.PHOTO, "image/png", "a.png", JPEG, "file.type"),
        (Use.PHOTO, "image/jpeg", "a.jpg", b"<script>alert(1)</script>", "file.type"),
        (Use.PHOTO, "image/jpeg", "a.jpg", PDF, "file.type"),
        (Use.PHOTO, "image/heic", "a.heic", AVIF, "file.type"),
        (Use.PHOTO, "image/heic", "a.heic", MP4, "file.type"),
        (Use.PHOTO, "", "a.png", GIF, "file.type"),
        (Use.PHOTO, "image/webp", "a.webp", b"RIFF\0\0\0\0WAVE", "file.type"),
        (Use.PHOTO, "image/svg+xml", "a.svg", b"<svg xmlns='http://www.w3.org/2000/svg'/>", "file.not_accepted"),
        (Use.PHOTO, "application/pdf", "a.pdf", PDF, "file.not_accepted"),
        (Use.PHOTO, "", "", PDF, "file.not_accepted"),
        (Use.SIGNATURE, "image/jpeg", "a.jpg", JPEG, "file.not_accepted"),
        (Use.FILE, "text/html", "a.html", b"<p>", "file.not_accepted"),
        (Use.FILE, "application/x-msdownload", "a.exe", b"MZ\x90\0", "file.not_accepted"),
        (Use.FILE, "text/plain", "a.txt", PROGRAM, "file.type"),
        (Use.FILE, "text/plain", "a.txt", png(), "file.type"),
        (Use.FILE, "text/csv", "a.csv", PDF, "file.type"),
        (Use.FILE, "application/pdf", "a.pdf", zipped("a"), "file.type"),
        (Use.FILE, DOCX, "a.docx", zipped("evil.exe"), "file.type"),
        (Use.FILE, DOCX, "a.docx", zipped("xl/workbook.xml"), "file.type"),
        (Use.FILE, ODT, "a.odt", zipped("mimetype", stored=b"application/pdf"), "file.type"),
        (Use.FILE, "video/mp4", "a.mp4", HEIC, "file.type"),
        (Use.FILE, "application/zip", "a.zip", b"PK", "file.type"),
        (Use.FILE, "image/heic", "a.heic", b"\xff\xff\xff\xffftyp", "file.type"),
    ],
)
def test_what_is_refused(use: Use, declared: str, name: str, content: bytes, code: str) -> None:
    with pytest.raises(Invalid) as refused:
        settled(use, declared, name, content)
    assert [fault.code for fault in refused.value.faults] == [code]
