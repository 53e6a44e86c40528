"""The PDF template of a form: preview, errors by line, and templates that loop, read files or use the network."""

import asyncio
import subprocess

import pytest
from actors import Account
from factories.forms import form
from factories.requests import PREFIX
from factories.submissions import submission
from factories.web_client import visit
from fixtures import host_programs

from formwright.core.pdf import compiler

OWN = "#let data = json(bytes(sys.inputs.data))\n= Own report\n#data.blocks.at(0).answers.at(0).text"
BAD = {
    "= Title\n#nothing()": "Line 2: unknown variable: nothing",
    '#read("/etc/passwd")': "Line 1: file not found",
    '\n\n#read("../../../etc/passwd")': "Line 3: path",
    '#import "@preview/cetz:0.3.0"': "Line 1: packages cannot be imported",
    "#while true { }": "Line 1: condition is always true",
    "#let i = 1\n#while i > 0 { i += 1 }": "Line 2: loop seems to be infinite",
    "#let f(x) = f(x + 1)\n#f(1)": "maximum function call depth exceeded",
    '<b>\n#panic("x")': "Line 2: panicked",
    "x" * 100_001: "Enter at most 100,000 characters.",
}


async def test_a_form_has_its_own_template(account: Account, stranger: Account) -> None:
    new_form = await form(account)
    path = f"/forms/{new_form['id']}/report-template"
    async with visit(account) as site, visit(stranger) as other:
        assert "#set page(" in (await site.http.get(path)).text
        early = await site.post(path, {"template": OWN, "action": "preview"})
        assert (early.status_code, "Submit the form first." in early.text) == (422, True)
        sent = await submission(account, new_form, data={"site": "Quay 9", "people": 1})
        shown = await site.post(path, {"template": OWN, "action": "preview"})
        assert await _read_text(shown.content) == "Own report Quay 9"
        report = f"{PREFIX}/customers/{account.id}/submissions/{sent['id']}/report.pdf"
        before = await account.api.get(report)
        assert "Own report" not in await _read_text(before.content)
        assert (await site.post(path, {"template": OWN, "action": "save"})).status_code == 303
        after = await account.api.get(report)
        assert await _read_text(after.content) == "Own report Quay 9"
        assert after.headers["etag"] != before.headers["etag"]
        assert "Own report" in (await site.http.get(path)).text
        # It fails for a submission that the template was not written for.
        await site.post(
            path, {"template": OWN + '\n#if data.id.ends-with("0") {} else { data.gone }', "action": "save"}
        )
        assert (await site.post(path, {"action": "restore"})).status_code == 303
        assert "Own report" not in await _read_text((await account.api.get(report)).content)
        assert (await other.http.get(path)).status_code == 404
        assert (await other.post(path, {"template": OWN, "action": "save"})).status_code == 404


async def test_bad_templates_are_rejected_with_the_line(account: Account) -> None:
    new_form = await form(account)
    await submission(account, new_form)
    path = f"/forms/{new_form['id']}/report-template"
    async with visit(account) as site:
        for text, expected in BAD.items():
            for action in ("preview", "save"):
                refused = await site.post(path, {"template": text, "action": action})
                assert refused.status_code == 422, text[:50]
                fault = refused.text.partition('id="template-fault"')[2].partition("</p>")[0]
                assert expected in fault, (text[:50], fault)
                assert "/tmp" not in fault
        assert "&lt;b&gt;\n#panic(" in (await site.post(path, {"template": "<b>\n#panic(1)"})).text
        assert "#set page(" in (await site.http.get(path)).text


@pytest.mark.slow
async def test_a_template_that_computes_for_long_is_stopped(account: Account, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compiler, "CPU_S", 1)
    new_form = await form(account)
    await submission(account, new_form)
    loop = "#for _ in range(9000) { for _ in range(9000) { let _ = calc.sin(1) } }"
    async with visit(account) as site:
        refused = await site.post(f"/forms/{new_form['id']}/report-template", {"template": loop, "action": "save"})
        assert (refused.status_code, "more time or memory than is allowed" in refused.text) == (422, True)


async def _read_text(pdf: bytes) -> str:
    command = [str(host_programs.pdftotext()), "-", "-"]
    done = await asyncio.to_thread(subprocess.run, command, input=pdf, capture_output=True, check=True)
    return " ".join(done.stdout.decode().split())
