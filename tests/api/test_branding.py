"""The branding of an account through the API: the same checks as on the page."""

import io
from typing import Any

from actors import Account
from factories.requests import PREFIX
from PIL import Image

SVG = b'<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'
NONE = {"accentColor": None, "senderName": None, "logoPath": None}


def logo() -> bytes:
    written = io.BytesIO()
    Image.new("RGBA", (1200, 300), (200, 30, 30, 128)).save(written, "PNG")
    return written.getvalue() + b"<script>alert(1)</script>"


def codes(response: Any) -> tuple[int, list[str]]:
    return response.status_code, [fault["pointer"] for fault in response.json()["errors"]]


async def test_the_branding_is_changed_by_the_api(account: Account, stranger: Account) -> None:
    path = f"{PREFIX}/customers/{account.id}/branding"
    assert (await account.api.get(path)).json() == NONE
    sent = {"accentColor": "#FFCC00", "senderName": " Harbour "}
    expected = NONE | {"accentColor": "#ffcc00", "senderName": "Harbour"}
    assert (await account.api.put(path, json=sent)).json() == expected
    with_logo = (await account.api.put(f"{path}/logo", content=logo(), headers={"content-type": "image/png"})).json()
    assert with_logo == expected | {"logoPath": with_logo["logoPath"]}
    async with account.stage.client() as http:
        served = await http.get(with_logo["logoPath"])
        assert (served.headers["content-type"], b"script" in served.content) == ("image/png", False)
        with Image.open(io.BytesIO(served.content)) as image:
            assert image.size == (600, 150)
    # Changing the rest keeps the logo, and omitted properties get their defaults.
    assert (await account.api.put(path, json={})).json() == NONE | {"logoPath": with_logo["logoPath"]}
    tag = (await account.api.get(path)).headers["etag"]
    assert (await account.api.put(path, json=sent, headers={"if-match": tag})).status_code == 200
    assert (await account.api.put(path, json=sent, headers={"if-match": tag})).status_code == 412
    for _ in range(2):
        assert (await account.api.delete(f"{path}/logo")).status_code == 204
    assert (await account.api.get(path)).json() == expected
    assert (await stranger.api.get(path)).status_code == 404
    entries = (await account.api.get(f"{PREFIX}/customers/{account.id}/audit?action=customer.updated")).json()["items"]
    changed = [sorted(entry["changed"]) for entry in entries]
    assert changed.count(["logo"]) == 2
    assert changed.count(["accentColor", "senderName"]) == 3


async def test_bad_branding_is_refused(account: Account) -> None:
    path = f"{PREFIX}/customers/{account.id}/branding"
    for body, pointer in (
        ({"accentColor": "red"}, "/accentColor"),
        ({"accentColor": "#12345"}, "/accentColor"),
        ({"accentColor": "#2355c8;}"}, "/accentColor"),
        ({"senderName": "x" * 101}, "/senderName"),
        ({"senderName": "boss@bank.example"}, "/senderName"),
        ({"senderName": "A\r\nBcc: x"}, "/senderName"),
    ):
        assert codes(await account.api.put(path, json=body)) == (422, [pointer]), body
    for content in (SVG, b"", b"GIF89a", logo()[:50], b"\x89PNG\r\n\x1a\n" + bytes(3 << 20)):
        for media_type in ("image/png", "image/svg+xml", "application/octet-stream"):
            response = await account.api.put(f"{path}/logo", content=content, headers={"content-type": media_type})
            assert codes(response) == (422, ["/logo"]), (content[:10], media_type)
    assert (await account.api.get(path)).json() == NONE
