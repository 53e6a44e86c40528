"""The reports of many submissions as a ZIP file."""

import asyncio
import zipfile
from collections.abc import Callable, Sequence
from typing import IO

from formwright.core.auth.actor import Actor
from formwright.core.blobs import BlobStore
from formwright.core.db.interface import Database
from formwright.core.pdf.compiler import PdfTooDemanding
from formwright.domain.files.filenames import clean_path_segment
from formwright.domain.reports import service as reports
from formwright.domain.reports.templates import ReportTemplateFailed
from formwright.domain.submissions.models import SubmissionNotFound

MAX_REPORTS = 1000


async def write_zip(
    db: Database,
    contents: BlobStore,
    actor: Actor,
    submission_ids: Sequence[str],
    file: IO[bytes],
    report_progress: Callable[[int], None],
) -> None:
    """Write the reports one after the other, so that other people's reports do not wait for all of them.

    Reports the number of reports written so far.
    """
    failed: list[str] = []
    with zipfile.ZipFile(file, "w") as archive:
        for submission_id in submission_ids:
            try:
                async with db.reading() as tx:
                    report = await reports.load(tx, actor, submission_id=submission_id)
                content = await reports.render(report, contents)
            except SubmissionNotFound:
                continue  # It was deleted just now.
            except (PdfTooDemanding, ReportTemplateFailed) as error:
                failed.append(f"{submission_id}: {error}")
                continue
            await asyncio.to_thread(archive.writestr, clean_path_segment(report.file_name), content)
            report_progress(len(archive.namelist()))
        if failed:
            archive.writestr("failed.txt", "\n".join(failed) + "\n")
