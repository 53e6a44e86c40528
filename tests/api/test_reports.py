"""Reports of submissions as PDF documents, read with pdftotext."""

import asyncio
import io
import subprocess
from typing import Any

import httpx
from actors import Account
from factories.files import png, sent
from factories.forms import form
from factories.requests import PREFIX
from factories.submissions import submission
from fixtures import host_programs
from PIL import Image

# In the order of the page. Shaped scripts are compared letter by letter, because ligatures and order differ.
TEXTS = {
    "Latin": "Größe, Łódź, “quoted” – ½",
    "Greek": "Καλημέρα κόσμε",
    "Cyrillic": "Привет, мир",
    "Han": "港口检查 東京港 ひらがな",
    "Hangul": "항구 점검",
    "Markup": '#image("/etc/passwd") *bold* $x$ <label> @ref // no comment',
    "Lines": "first\nsecond",
}
MARK, LAND, SEA = (192, 43, 43), (246, 244, 238), (223, 232, 240)
"""The colors of maps."""
SHAPED = {"Arabic": "مرحبا بالعالم", "Hebrew": "שלום עולם", "Devanagari": "नमस्ते दुनिया", "Emoji": "😀 🚢"}
FIELDS: list[dict[str, Any]] = [{"type": "textarea", "name": name.lower(), "label": name} for name in (TEXTS | SHAPED)]
FILES: list[dict[str, Any]] = [
    {"type": "photo", "name": "photos", "label": "Photos", "maxFiles": 5},
    {
        "type": "section",
        "name": "part",
        "label": "Second part",
        "fields": [{"type": "date", "name": "day", "label": "Day"}],
    },
    {
        "type": "repeat",
        "name": "defects",
        "label": "Defects",
        "rowLabel": "Found: {{what}}",
        "fields": [
            {"type": "text", "name": "what", "label": "What"},
            {"type": "integer", "name": "count", "label": "Count"},
        ],
    },
]


async def report(account: Account, submission_id: str, **headers: str) -> httpx.Response:
    path = f"{PREFIX}/customers/{account.id}/submissions/{submission_id}/report.pdf"
    return await account.api.get(path, headers=headers)


async def read_text(pdf: bytes) -> str:
    """Return the text of a document."""
    command = [str(host_programs.pdftotext()), "-layout", "-", "-"]
    return (
        await asyncio.to_thread(subprocess.run, command, input=pdf, capture_output=True, check=True)
    ).stdout.decode()


def photo(width: int, height: int) -> bytes:
    content = io.BytesIO()
    Image.effect_noise((width, height), 90).save(content, "JPEG", quality=95)
    return content.getvalue()


async def test_a_report_has_every_answer_in_every_script(account: Account) -> None:
    new_form = await form(account, name="Ronde „Nord“ 🚢", fields=FIELDS)
    answers = {name.lower(): text for name, text in (TEXTS | SHAPED).items()}
    one = await submission(account, new_form, data=answers, externalId="crm-7")
    response = await report(account, one["id"])
    assert (response.status_code, response.headers["content-type"]) == (200, "application/pdf")
    assert "filename*=UTF-8''Ronde%20" in response.headers["content-disposition"]
    text = await read_text(response.content)
    for name, expected in TEXTS.items():
        assert name in text
        for line in expected.split("\n"):
            assert line in text
    for name, expected in SHAPED.items():
        letters = {letter for letter in expected if not letter.isspace()}
        assert letters <= set(text), name
    assert one["id"] in text
    assert "crm-7" in text
    assert "Page 1 / " in text


async def test_a_report_has_the_title_of_the_submission(account: Account) -> None:
    fields = [{"type": "text", "name": "no", "label": "Number"}]
    new_form = await form(account, fields=fields, settings={"titleField": "no"})
    one = await submission(account, new_form, data={"no": "Berth #7 *"})
    text = await read_text((await report(account, one["id"])).content)
    assert text.count("Berth #7 *") == 2


async def test_a_report_shows_photos_scaled_and_repeats_as_tables(account: Account) -> None:
    new_form = await form(account, fields=FILES)
    large = await sent(account, new_form, content=photo(3000, 2000), name="quay.jpg")
    broken = await sent(account, new_form, content=b"\xff\xd8\xff" + bytes(100), name="broken.jpg")
    small = await sent(account, new_form, content=png())
    rows = [{"what": "Rust", "count": 3}, {"what": "Crack"}]
    data = {"photos": [large["id"], broken["id"], small["id"]], "day": "2026-03-03", "defects": rows}
    one = await submission(account, new_form, data=data)
    content = (await report(account, one["id"])).content
    text = " ".join((await read_text(content)).split())
    assert "quay.jpg" in text
    assert "broken.jpg" in text
    assert "Second part Day 3 Mar 2026" in text
    assert "Defects What Count Found: Rust Rust 3 Found: Crack Crack" in text
    assert content.count(b"/Subtype /Image") + content.count(b"/Subtype/Image") == 2
    assert len(content) < large["size"] / 2


async def test_places_have_a_map(account: Account) -> None:
    place = {"type": "location", "name": "place", "label": "Place"}
    rows = [place | {"name": "at"}, {"type": "photo", "name": "proof", "label": "Proof"}]
    repeat = {"type": "repeat", "name": "stops", "label": "Stops", "fields": rows}
    new_form = await form(account, fields=[place, repeat])
    photo = await sent(account, new_form, "proof")
    positions = [(52.52, 13.4), (66.0, -179.9), (-89.9, 180.0), (0.0, 0.0)]
    berlin, *others = [{"latitude": latitude, "longitude": longitude} for latitude, longitude in positions]
    stops = [{"at": one, "proof": [photo["id"]]} for one in others]
    with_places = await submission(account, new_form, data={"place": berlin, "stops": stops})
    content = (await report(account, with_places["id"])).content
    assert "52.52000° N" in await read_text(content)
    page = await draw(content)
    assert (MARK in page, LAND in page, SEA in page) == (True, True, True)
    without = await submission(account, new_form, data={})
    assert MARK not in await draw((await report(account, without["id"])).content)


async def draw(pdf: bytes) -> set[tuple[int, ...]]:
    """Return the colors of the first page."""
    program = str(host_programs.pdftotext().with_name("pdftoppm"))
    command = [program, "-r", "50", "-png", "-singlefile", "-"]
    drawn = await asyncio.to_thread(subprocess.run, command, input=pdf, capture_output=True, check=True)
    found = Image.open(io.BytesIO(drawn.stdout)).convert("RGB").getcolors(1 << 20) or []
    return {color for _, color in found if isinstance(color, tuple)}


async def test_a_known_report_is_not_created_again(account: Account) -> None:
    new_form = await form(account, fields=FIELDS)
    one = await submission(account, new_form, data={"latin": "Quay"})
    tag = (await report(account, one["id"])).headers["etag"]
    known = await report(account, one["id"], **{"if-none-match": tag})
    assert (known.status_code, known.content) == (304, b"")
    path = f"{PREFIX}/customers/{account.id}/submissions/{one['id']}"
    assert (await account.api.put(path, json={"status": "APPROVED"})).status_code == 200
    changed = await report(account, one["id"], **{"if-none-match": tag})
    assert (changed.status_code, changed.headers["etag"] != tag) == (200, True)
    assert "Approved" in await read_text(changed.content)


async def test_labels_in_a_report_have_their_markup(account: Account) -> None:
    label = "**Size** in m<sup>2</sup>, see [the guide](https://example.org/guide) {{size}}\n- [x](javascript:y)\n- #b"
    new_form = await form(account, fields=[{"type": "text", "name": "size", "label": label}])
    one = await submission(account, new_form, data={"size": "*big*"})
    content = (await report(account, one["id"])).content
    text = " ".join((await read_text(content)).split())
    assert "Size in m" in text
    assert "see the guide …" in text
    assert "- [x](javascript:y) - #b *big*" in text
    assert b"https://example.org/guide" in content
