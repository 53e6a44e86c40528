"""A file is accepted if its content matches its type, and its field accepts the type."""

import pytest
from factories.files import AVIF, GIF, HEIC, JPEG, MP4, PDF, PROGRAM, TEXT, WEBP, odt, png, xlsx, zipped

from formwright.core.errors import Invalid
from formwright.core.file_uses import FileUse
from formwright.domain.files.media_types import detect_media_type

XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
DOCX = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
ODT = "application/vnd.oasis.opendocument.text"


@pytest.mark.parametrize(
    ("use", "declared", "name", "content", "type_"),
    [
        (FileUse.PHOTO, "image/jpeg", "a.jpg", JPEG, "image/jpeg"),
        (FileUse.PHOTO, "IMAGE/JPG; q=1", "a.jpg", JPEG, "image/jpeg"),
        (FileUse.PHOTO, "image/png", "", png(), "image/png"),
        (FileUse.PHOTO, "image/webp", "a", WEBP, "image/webp"),
        (FileUse.PHOTO, "image/gif", "a.gif", GIF, "image/gif"),
        (FileUse.PHOTO, "image/heic", "a.heic", HEIC, "image/heic"),
        (FileUse.PHOTO, "", "IMG_1.HEIC", HEIC, "image/heic"),
        (FileUse.PHOTO, "application/octet-stream", "", JPEG, "image/jpeg"),
        (FileUse.SIGNATURE, "image/png", "", png(), "image/png"),
        (FileUse.FILE, "application/pdf", "a.pdf", PDF, "application/pdf"),
        (FileUse.FILE, "video/mp4", "a.mp4", MP4, "video/mp4"),
        (FileUse.FILE, XLSX, "a.xlsx", xlsx(), XLSX),
        (FileUse.FILE, "", "a.xlsx", xlsx(), XLSX),
        (FileUse.FILE, "", "a.docx", zipped("[Content_Types].xml", "word/document.xml"), DOCX),
        (FileUse.FILE, ODT, "a.odt", odt(), ODT),
        (FileUse.FILE, "application/x-zip-compressed", "a.zip", zipped("a"), "application/zip"),
        (FileUse.FILE, "text/csv", "a.csv", TEXT, "text/csv"),
        (FileUse.FILE, "application/vnd.ms-excel", "a.csv", TEXT, "text/csv"),
        (FileUse.FILE, "text/plain", "a.txt", TEXT.decode().encode("utf-16"), "text/plain"),
        (FileUse.FILE, "text/plain; charset=windows-1252", "a.txt", "Größe".encode("cp1252"), "text/plain"),
    ],
)
def test_detected_types(use: FileUse, declared: str, name: str, content: bytes, type_: str) -> None:
    assert detect_media_type(use, declared, name, content) == type_


@pytest.mark.parametrize(
    ("use", "declared", "name", "content", "code"),
    [
        (FileUse.PHOTO, "image/png", "a.png", JPEG, "file.type"),
        (FileUse.PHOTO, "image/jpeg", "a.jpg", b"<script>alert(1)</script>", "file.type"),
        (FileUse.PHOTO, "image/jpeg", "a.jpg", PDF, "file.type"),
        (FileUse.PHOTO, "image/heic", "a.heic", AVIF, "file.type"),
        (FileUse.PHOTO, "image/heic", "a.heic", MP4, "file.type"),
        (FileUse.PHOTO, "", "a.png", GIF, "file.type"),
        (FileUse.PHOTO, "image/webp", "a.webp", b"RIFF\0\0\0\0WAVE", "file.type"),
        (FileUse.PHOTO, "image/svg+xml", "a.svg", b"<svg xmlns='http://www.w3.org/2000/svg'/>", "file.not_accepted"),
        (FileUse.PHOTO, "application/pdf", "a.pdf", PDF, "file.not_accepted"),
        (FileUse.PHOTO, "", "", PDF, "file.not_accepted"),
        (FileUse.SIGNATURE, "image/jpeg", "a.jpg", JPEG, "file.not_accepted"),
        (FileUse.FILE, "text/html", "a.html", b"<p>", "file.not_accepted"),
        (FileUse.FILE, "application/x-msdownload", "a.exe", b"MZ\x90\0", "file.not_accepted"),
        (FileUse.FILE, "text/plain", "a.txt", PROGRAM, "file.type"),
        (FileUse.FILE, "text/plain", "a.txt", png(), "file.type"),
        (FileUse.FILE, "text/csv", "a.csv", PDF, "file.type"),
        (FileUse.FILE, "application/pdf", "a.pdf", zipped("a"), "file.type"),
        (FileUse.FILE, DOCX, "a.docx", zipped("evil.exe"), "file.type"),
        (FileUse.FILE, DOCX, "a.docx", zipped("xl/workbook.xml"), "file.type"),
        (FileUse.FILE, ODT, "a.odt", zipped("mimetype", stored=b"application/pdf"), "file.type"),
        (FileUse.FILE, "video/mp4", "a.mp4", HEIC, "file.type"),
        (FileUse.FILE, "application/zip", "a.zip", b"PK", "file.type"),
        (FileUse.FILE, "image/heic", "a.heic", b"\xff\xff\xff\xffftyp", "file.type"),
    ],
)
def test_rejected_types(use: FileUse, declared: str, name: str, content: bytes, code: str) -> None:
    with pytest.raises(Invalid) as refused:
        detect_media_type(use, declared, name, content)
    assert [fault.code for fault in refused.value.faults] == [code]
