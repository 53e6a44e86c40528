"""Thumbnails: their size and orientation, and images that cannot be scaled."""

import io
import struct
import zlib

import httpx
import pytest
from actors import Account
from factories.files import FIELDS, JPEG, PDF, listed, post
from factories.forms import form
from factories.submissions import submission
from PIL import Image

from formwright.core.images import scale_image
from formwright.domain.files.thumbnails import EDGE


def photo(width: int, height: int, *, type_: str = "JPEG", mode: str = "RGB", **more: object) -> bytes:
    """Return an image whose left half is red."""
    written, image = io.BytesIO(), Image.new(mode, (width, height))
    image.paste(Image.new("RGB", (width // 2, height), "red"), (0, 0))
    image.save(written, type_, **more)
    return written.getvalue()


async def _thumbnail(account: Account, content: bytes, type_: str, field: str = "photos") -> httpx.Response:
    new_form = await form(account, fields=FIELDS)
    added = await post(account, new_form, field, content, type_, "photo")
    assert added.status_code == 201, added.text
    sent = await submission(account, new_form, data={field: [added.json()["id"]]})
    [file] = await listed(account, sent["id"])
    async with account.stage.client() as anybody:
        return await anybody.get(file["thumbnailUrl"])


async def test_a_photo_has_a_small_version_without_metadata(account: Account) -> None:
    exif = Image.Exif()
    exif[0x0112] = 6  # Turn clockwise to see it upright.
    exif[0x010E] = "taken at home"
    response = await _thumbnail(account, photo(1200, 600, exif=exif), "image/jpeg")
    assert (response.status_code, response.headers["content-type"]) == (200, "image/jpeg")
    assert "private" in response.headers["cache-control"]
    small = Image.open(io.BytesIO(response.content))
    assert (small.size, dict(small.getexif())) == ((EDGE // 2, EDGE), {})
    red, _, _ = small.convert("RGB").getpixel((80, 20))  # type: ignore[misc]
    assert red > 200, "the left half is at the top now"
    assert b"taken at home" not in response.content


async def test_a_transparent_image_stays_transparent(account: Account) -> None:
    response = await _thumbnail(account, photo(700, 700, type_="PNG", mode="RGBA"), "image/png")
    small = Image.open(io.BytesIO(response.content))
    assert (response.headers["content-type"], small.size, small.mode) == ("image/png", (EDGE, EDGE), "RGBA")


async def test_a_damaged_image_has_no_thumbnail(account: Account) -> None:
    response = await _thumbnail(account, JPEG, "image/jpeg")
    assert (response.status_code, response.json()["code"]) == (404, "file.no_thumbnail")


async def test_other_files_have_no_thumbnail(account: Account) -> None:
    new_form = await form(account, fields=FIELDS)
    added = await post(account, new_form, "papers", PDF, "application/pdf", "a.pdf")
    sent = await submission(account, new_form, data={"papers": [added.json()["id"]]})
    [file] = await listed(account, sent["id"])
    assert file["thumbnailUrl"] is None
    async with account.stage.client() as anybody:
        response = await anybody.get(file["url"].replace("?", "/thumbnail?"))
    assert (response.status_code, response.json()["code"]) == (404, "file.no_thumbnail")


async def test_a_link_without_a_valid_signature_shows_nothing(account: Account) -> None:
    new_form = await form(account, fields=FIELDS)
    added = await post(account, new_form, "photos", photo(10, 10), "image/jpeg", "a.jpg")
    file_id = added.json()["id"]
    link = account.ctx.file_links.sign(account.id, "fil_other", account.ctx.clock.now())
    async with account.stage.client() as anybody:
        response = await anybody.get(link.thumbnail_path(file_id))
    assert (response.status_code, response.json()["code"]) == (404, "file.not_found")


def _bomb(side: int) -> bytes:
    """Return a small PNG that claims to be a large square."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    header = struct.pack(">IIBBBBB", side, side, 8, 2, 0, 0, 0)
    pixels = zlib.compress(bytes(1000))
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", pixels) + chunk(b"IEND", b"")


@pytest.mark.parametrize("side", [8_000, 40_000, 2**31 - 1])
def test_a_decompression_bomb_is_not_decoded(side: int) -> None:
    assert scale_image(_bomb(side), EDGE, 50_000_000) is None


@pytest.mark.parametrize("type_", ["TIFF", "BMP", "ICO", "PPM"])
def test_other_formats_are_not_decoded(type_: str) -> None:
    assert scale_image(photo(20, 20, type_=type_), EDGE, 50_000_000) is None
