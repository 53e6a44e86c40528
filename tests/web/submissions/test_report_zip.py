"""The PDF reports of many submissions as a ZIP file: all that match the filter, or the ticked ones."""

import asyncio
import io
import re
import zipfile

from actors import Account
from factories.exports import run_download_worker
from factories.forms import form
from factories.submissions import submission
from factories.web_client import Visit, visit

NAME = 'Tour <1>/"2"'


async def wait_for_file(site: Visit, page: str) -> zipfile.ZipFile:
    """Wait until the export of this page is ready, and return its file."""
    while "is ready" not in (text := (await site.http.get(page)).text):
        assert "Export failed" not in text, text
        await asyncio.sleep(0.2)
    response = await site.http.get(f"{page}/file")
    assert response.headers["content-type"] == "application/zip"
    return zipfile.ZipFile(io.BytesIO(response.content))


async def test_many_reports_are_downloaded_as_a_zip(account: Account, stranger: Account) -> None:
    new_form, other = await form(account, name=NAME, settings={"titleField": "site"}), await form(account)
    sent = [await submission(account, new_form, data={"site": "Quay 9/b"}) for _ in range(3)]
    await submission(account, other)
    path = f"/submissions/download.pdf.zip?form={new_form['id']}"
    async with visit(account) as site, visit(stranger) as theirs, run_download_worker(account):
        assert path.replace("?", "?") in (await site.http.get(f"/submissions?form={new_form['id']}")).text
        page = (await site.http.get(path)).headers["location"]
        archive = await wait_for_file(site, page)
        assert sorted(archive.namelist()) == sorted(f"Tour _1___2_ Quay 9_b {each['id']}.pdf" for each in sent)
        assert all(archive.read(name).startswith(b"%PDF-") for name in archive.namelist())
        assert (await theirs.http.get(f"{page}/file")).status_code == 404
        ticked = {"row": f"{sent[0]['id']}.1", "download": "pdf.zip"}
        chosen = await site.post(f"/submissions/bulk?form={new_form['id']}", ticked)
        page = (await site.http.get(chosen.headers["location"])).headers["location"]
        assert (await wait_for_file(site, page)).namelist() == [f"Tour _1___2_ Quay 9_b {sent[0]['id']}.pdf"]
        for wrong in (f"/submissions/download.pdf.zip?form={new_form['id']}&from=x", "/submissions/download.pdf.zip"):
            assert (await site.http.get(wrong)).headers["location"].startswith("/submissions"), wrong
        assert (await theirs.http.get(path)).status_code in (303, 404)
        assert not re.findall("exports/run_", (await theirs.http.get(path)).headers.get("location", ""))
