"""`formwright export`, run like an operator would."""

import asyncio
import gc
import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from arro3.io import read_parquet
from fixtures.app_contexts import open_migrated_context
from fixtures.sample_submissions import piece, table
from fixtures.server_process import Server

from formwright.cli.common import with_migrated_context
from formwright.cli.export import _target, export
from formwright.context import AppContext
from formwright.core.auth import actor as actors
from formwright.core.errors import Invalid
from formwright.domain.exports.formats import FORMATS
from formwright.domain.forms import service as forms
from formwright.domain.forms.fields import AnyField, TextField
from formwright.domain.forms.fields.numbers import IntegerField
from formwright.domain.forms.form_settings import FormSettings
from formwright.domain.forms.models import FormNotFound, NewForm
from formwright.domain.saved_views import service as saved_views
from formwright.domain.saved_views.models import NewView, ViewFilter, ViewSettings, ViewVisibility
from formwright.domain.submissions import service as submissions
from formwright.domain.submissions.models import SubmissionImport
from formwright.domain.users import service as people
from formwright.settings import Settings, SettingsError


@pytest.fixture
def server(own_settings: Settings) -> Iterator[Server]:
    server = Server(own_settings.data_dir, database_url=own_settings.database_url)
    yield server
    server.close()


async def save_view(settings: Settings, customer: str, form: str) -> str:
    """Save a view of the account that shows how many people were there, at least three."""
    new = NewView(
        "Busy",
        ViewVisibility.ACCOUNT,
        form,
        ViewSettings(ViewFilter(answers={"people[gte]": "3"}), columns=("answers.people",)),
    )
    async with open_migrated_context(settings) as ctx, ctx.db.writing() as tx:
        return (await saved_views.create(tx, actors.system(customer), new)).id


async def create_submissions(settings: Settings, count: int) -> tuple[str, str]:
    """Create an account and a form with this many submissions."""
    async with open_migrated_context(settings) as ctx, ctx.db.writing() as tx:
        customer, _ = await people.open_account(tx, name="Ark", email="a@example.org", password_hash="")
        actor = actors.system(customer.id)
        fields: list[AnyField] = [TextField(name="site", label="Site"), IntegerField(name="people", label="People")]
        form = await forms.create(tx, actor, NewForm("Crane", "", [], fields, FormSettings(), publish=True))
        for number in range(count):
            await submissions.import_submission(
                tx, actor, form_id=form.id, payload=SubmissionImport({"site": "=1", "people": number})
            )
        return customer.id, form.id


def test_a_filtered_list_is_written_to_a_file_or_standard_output(server: Server, own_settings: Settings) -> None:
    customer, form = asyncio.run(create_submissions(own_settings, 5))
    about = ("export", "--customer", customer, "--form", form)
    done = server.command(*about, "--filter", "answers.people[gte]=2", "--filter", "status=SUBMITTED&order=submitted")
    assert (done.returncode, done.stderr) == (0, "3 submissions written.\n")
    assert [json.loads(line)["data"]["people"] for line in done.stdout.splitlines()] == [2, 3, 4]

    address = f"https://forms.example.org/submissions?form={form}&answers.people%5Blt%5D=1"
    csv = server.command(*about, "--format", "csv", "--filter", address)
    assert "'=1,0" in csv.stdout.splitlines()[1]
    view = asyncio.run(save_view(own_settings, customer, form))
    viewed = server.command(*about, "--format", "csv", "--filter", f"view={view}")
    assert viewed.stdout.splitlines() == ["\ufeffPeople", "4", "3"]
    unknown = server.command(*about, "--filter", f"view={view[:-1]}{'0' if view[-1] != '0' else '1'}")
    assert (unknown.returncode, "was deleted" in unknown.stderr, unknown.stdout) == (1, True, "")
    target = own_settings.data_dir / "out" / "all.parquet"
    target.parent.mkdir()
    assert server.command(*about, "-o", str(target)).returncode == 0
    assert read_parquet(str(target)).read_all()["people"].to_pylist() == [4, 3, 2, 1, 0]
    assert [one.name for one in target.parent.iterdir()] == ["all.parquet"], "no temporary file is left"


@pytest.mark.slow
def test_links_and_pipes_are_written_and_folders_rejected(
    server: Server, own_settings: Settings, tmp_path: Path
) -> None:
    customer, form = asyncio.run(create_submissions(own_settings, 2))
    about = ("export", "--customer", customer, "--form", form, "--format", "csv", "-o")
    real, link, pipe = tmp_path / "real.csv", tmp_path / "link.csv", tmp_path / "pipe"
    real.write_text("before")
    link.symlink_to(real)
    os.mkfifo(pipe)
    assert server.command(*about, str(link)).returncode == 0
    assert link.is_symlink()
    whole = real.read_bytes()
    assert whole.count(b"'=1") == 2
    with ThreadPoolExecutor(1) as reader:
        read = reader.submit(pipe.read_bytes)
        assert server.command(*about, str(pipe)).returncode == 0
        assert (read.result(10), pipe.is_fifo()) == (whole, True)
    for name in ("", "/", str(tmp_path)):
        done = server.command(*about, name)
        assert (done.returncode, done.stderr.endswith("is a folder. Use the name of a file in it.\n")) == (1, True)
    assert {one.name for one in tmp_path.iterdir()} >= {"real.csv", "link.csv", "pipe"}
    assert not list(tmp_path.glob(".formwright-*"))


def test_an_interrupted_export_leaves_no_partial_file(own_settings: Settings, tmp_path: Path) -> None:
    asyncio.run(create_submissions(own_settings, 0))
    folder = tmp_path / "out"
    folder.mkdir()

    async def write_half(ctx: AppContext) -> None:
        del ctx
        with _target(folder / "all.parquet", streamed=False) as (file, _):
            file.write(b"half")
            os.kill(os.getpid(), signal.SIGTERM)
            await asyncio.sleep(10)

    before = signal.getsignal(signal.SIGTERM)
    with pytest.raises(KeyboardInterrupt):
        with_migrated_context(own_settings, write_half)
    assert signal.getsignal(signal.SIGTERM) is before
    assert not list(folder.iterdir())


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")  # the unfinished archive
def test_a_full_disk_raises_an_os_error(tmp_path: Path) -> None:
    with Path("/dev/full").open("r+b", buffering=0) as full:
        writer = FORMATS["xlsx"].open_writer(full, table(), tmp_path)
        writer.add(piece("xlsx", 0, 2))
        with pytest.raises(OSError, match="No space left"):
            writer.close()
    del writer
    gc.collect()


FAULTS = {
    "status=NEW": "--filter status=NEW is not valid.",
    "from=soon": "Enter a date.",
    "colour=red": "--filter accepts",
    "answers.colour=red": "None of these forms",
}


def test_invalid_filters_are_reported(own_settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    customer, form = asyncio.run(create_submissions(own_settings, 0))
    monkeypatch.setenv("FORMWRIGHT_DATA_DIR", str(own_settings.data_dir))
    monkeypatch.setenv("FORMWRIGHT_DATABASE_URL", own_settings.database_url)
    for only, said in FAULTS.items():
        with pytest.raises((SettingsError, Invalid)) as raised:
            export(customer, form, only=[only])
        fault = raised.value
        assert said in (fault.faults[0].detail if isinstance(fault, Invalid) else str(fault))
    with pytest.raises(FormNotFound):
        export(customer, "frm_01h455vb4pex5vsknk084sn02q")


_LONG = """
import resource, sys
from pathlib import Path
from fixtures.sample_submissions import piece, table
from formwright.domain.exports.formats import FORMATS
folder, KINDS = Path(sys.argv[1]), ('csv', 'ndjson', 'parquet')
files = [(folder / name).open("w+b") for name in KINDS]
folders = [folder / f"of-{name}" for name in KINDS]
for one in folders: one.mkdir()
writers = [one.open_writer(file, table(), beside) for one, file, beside in zip(map(FORMATS.get, KINDS), files, folders)]
for number in range(24):
    for name, writer in zip(KINDS, writers): writer.add(piece(name, number, 500))
    if number == 5: used = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
for writer in writers: writer.close()
print((resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - used) // 1024)
"""


def test_a_long_export_needs_no_more_memory_than_a_short_one(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", _LONG, str(tmp_path)],
        env={"PYTHONPATH": ":".join(sys.path)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert int(done.stdout) < 50, "MiB, of 12,000 submissions in three files"
