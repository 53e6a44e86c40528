"""Settings, Branding: logo, accent color and sender name on fill pages, in emails and in PDF reports."""

import asyncio
import io
import subprocess
from typing import Any

import pytest
from actors import Account
from factories.forms import form
from factories.requests import PREFIX
from factories.submissions import submission
from factories.web_client import Visit, visit
from fixtures import axe, host_programs
from fixtures.accounts import Person
from fixtures.browser import open_page
from PIL import Image
from playwright.async_api import Browser, expect

from formwright.core.net.email_message import OutgoingMail, Sender, compose
from formwright.domain.customers import service as customers
from formwright.domain.mail import service as mails
from formwright.domain.mail.models import NewMail
from formwright.domain.mail.templates import EmailContent
from formwright.worker.mail_delivery import MailWorker

PATH = "/settings/branding"
SVG = b'<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script><image href="file:///etc/passwd"/></svg>'


def logo(width: int = 1200, height: int = 300) -> bytes:
    written = io.BytesIO()
    Image.new("RGBA", (width, height), (200, 30, 30, 128)).save(written, "PNG")
    return written.getvalue() + b"<script>alert(1)</script>"


async def save(site: Visit, content: bytes = b"", name: str = "logo.png", **form: str) -> Any:
    files = {"logo": (name, content)} if content else None
    return await site.post(PATH, form, files=files)


async def test_the_branding_is_on_fill_pages_and_in_reports(account: Account, stranger: Account) -> None:
    new_form = await form(account, fields=[{"type": "text", "name": "a", "label": "A"}])
    sent = await submission(account, new_form, data={"a": "x"})
    async with visit(account) as site, visit(stranger) as other:
        assert (await save(site, logo(), color="#FFCC00", custom="1", sender="Harbour")).is_redirect
        page = (await site.http.get(new_form["fillPath"])).text
        path = page.partition('<img src="')[2].partition('"')[0]
        assert path.startswith(f"/fill/branding/{account.id}/")
        assert 'href="/fill/branding/ffcc00.css"' in page
        served = await other.http.get(path)
        assert (served.headers["content-type"], served.headers["x-content-type-options"]) == ("image/png", "nosniff")
        assert b"script" not in served.content
        with Image.open(io.BytesIO(served.content)) as image:
            assert image.size == (600, 150)
        for wrong in (path.replace(account.id, stranger.id), path[:-5] + "x.png", f"/fill/branding/{account.id}/"):
            assert (await site.http.get(wrong)).status_code == 404, wrong
        style = await site.http.get("/fill/branding/ffcc00.css")
        assert (style.headers["content-type"].partition(";")[0], "--accent: #ffcc00" in style.text) == (
            "text/css",
            True,
        )
        for wrong in ("ffcc00", "red.css", "ffcc0g.css", "};.css"):
            assert (await site.http.get(f"/fill/branding/{wrong}")).status_code == 404, wrong
        assert "ffcc00.css" not in (await other.http.get(PATH)).text
        limit = {"publicLink": {"closesAt": "2020-01-01T00:00:00Z"}}
        await account.api.put(f"{PREFIX}/forms/customer/{account.id}/forms/{new_form['id']}", json=limit)
        closed = await site.http.get(new_form["fillPath"])
        assert (closed.status_code, path in closed.text, "ffcc00.css" in closed.text) == (409, True, True)
        await account.api.put(f"{PREFIX}/forms/customer/{account.id}/forms/{new_form['id']}", json={"publicLink": {}})
        pdf = await account.api.get(f"{PREFIX}/customers/{account.id}/submissions/{sent['id']}/report.pdf")
        assert len(await _list_images(pdf.content)) > 0
        assert (await save(site, color="#ffcc00", remove="1")).is_redirect
        page = (await site.http.get(new_form["fillPath"])).text
        assert "/fill/branding/" not in page
        assert (await site.http.get(path)).status_code == 404


async def _list_images(pdf: bytes) -> list[str]:
    tool = host_programs.pdftotext().with_name("pdfimages")
    listed = await asyncio.to_thread(
        subprocess.run, [str(tool), "-list", "-"], input=pdf, capture_output=True, check=True
    )
    return listed.stdout.decode().splitlines()[2:]


@pytest.mark.slow
async def test_bad_input_changes_nothing(account: Account) -> None:
    bomb = io.BytesIO()
    Image.new("1", (20_000, 20_000)).save(bomb, "PNG")
    async with visit(account) as site:
        for content, name in (
            (SVG, "logo.svg"),
            (SVG, "logo.png"),
            (b"\x89PNG\r\n\x1a\n" + b"\0" * 100, "logo.png"),
            (b"GIF89a<script>", "a.gif"),
            (bomb.getvalue(), "bomb.png"),
            (logo() + b"\0" * (2 << 20), "large.png"),
        ):
            refused = await save(site, content, name, color="#ff0000", custom="1", sender="Kept")
            assert refused.status_code in (413, 422), name
            if refused.status_code == 422:
                assert "PNG, JPEG, WebP or GIF" in refused.text, name
                assert 'value="Kept"' in refused.text, name
        for color in ("red", "#12345", "#123456;background:url(//evil.test)", "#GGGGGG", "javascript:"):
            refused = await save(site, color=color, custom="1")
            assert (refused.status_code, "Enter a color such as" in refused.text) == (422, True), color
        for name in ("a@example.org", "Ann <ann>", "x" * 101, 'a"b', "a\u202eb"):
            refused = await save(site, color="#ff0000", sender=name)
            assert (refused.status_code, 'id="sender-fault"' in refused.text) == (422, True), name
    async with account.ctx.db.reading() as tx:
        kept = await customers.get(tx, account.actor)
    assert (kept.accent_color, kept.sender_name, kept.logo, kept.revision) == ("", "", "", account.customer.revision)


async def test_emails_have_the_branding(account: Account) -> None:
    async with visit(account) as site:
        assert (await save(site, logo(), color="#ffff00", custom="1", sender="Hafen Öst")).is_redirect
    content = EmailContent("Hi", ["Text"], ("Open", "https://forms.test/fill/x"))
    async with account.ctx.db.writing() as tx:
        customer = await customers.get(tx, account.actor)
        sender = mails.MailSender.of(customer, account.ctx.secret_box)
        mail = await mails.enqueue(tx, sender, NewMail("test", "x", "ann@example.org", "Ann", "en", content))
    worker = MailWorker(account.ctx)
    while (raw := account.ctx.mail_transport.read_sent(mail.id)) is None:
        await worker.run_batch()  # Emails of other accounts may come first.
        await asyncio.sleep(0.05)
    text = raw.decode().replace("=\r\n", "").replace("=\n", "")
    assert f'src=3D"https://forms.test{customer.logo_path}"' in text
    assert "background:#757500;" in text
    assert "From: Hafen =?utf-8?q?=C3=96st?= <" in text


def test_a_sender_name_replaces_that_of_the_operator() -> None:
    mail = OutgoingMail("m", "ann@example.org", "Ann", "Hi", "t", "<p>t</p>", "en", 0, "Harbour\r\nBcc: x@example.org")
    head = compose(mail, Sender("Operator", "forms@example.org")).content.decode().partition("\r\n\r\n")[0]
    assert 'From: "Harbour Bcc: x@example.org" <forms@example.org>' in head.replace("\r\n ", " ")
    assert "\nBcc:" not in head


@pytest.mark.slow
async def test_a_branded_form_is_accessible_in_both_color_schemes(browser: Browser, person: Person) -> None:
    fields = [{"type": "text", "name": "a", "label": "A"}, {"type": "rating", "name": "b", "label": "B", "max": 5}]
    async with person.client() as api:
        form = (await api.post("/api/v1.0/forms", json={"name": "Doors", "fields": fields, "publish": True})).json()
    async with open_page(browser) as watched:
        page = watched.page
        await person.sign_in_browser(page)
        await page.goto(person.path(PATH))
        await page.get_by_label("Logo").set_input_files({"name": "l.png", "mimeType": "image/png", "buffer": logo()})
        await page.get_by_label("Use an accent colour").check()
        await page.locator("#color").fill("#ffe000")
        await page.get_by_role("button", name="Save").click()
        await expect(page.get_by_text("Saved.")).to_be_visible()
        await axe.bring(page)
        for scheme in ("light", "dark"):
            await page.emulate_media(color_scheme=scheme)
            await page.goto(person.path(PATH))
            assert not await axe.faults(page), scheme
            await page.goto(person.path(form["fillPath"]))
            await expect(page.get_by_label("A", exact=True)).to_be_visible()
            assert not await axe.faults(page), scheme
        async with person.client() as api:
            path = f"/api/v1.0/forms/customer/{person.customer_id}/forms/{form['id']}"
            link = {"redirectUrl": person.path("/docs?thanks=1")}
            assert (await api.put(path, json={"publicLink": link})).is_success
        await page.goto(person.path(form["fillPath"]))
        await page.get_by_label("A", exact=True).fill("x")
        await page.get_by_role("button", name="Submit").click()
        await page.wait_for_url(person.path("/docs?thanks=1"))
        assert watched.errors == []
