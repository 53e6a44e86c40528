"""What can be downloaded of a form's submissions: the formats of exports, and PDF reports as a ZIP file."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol
from urllib.parse import urlencode

from formwright.core.auth.permissions import Permission
from formwright.domain.exports.formats import FORMATS
from formwright.domain.exports.models import REPORT_ZIP
from formwright.domain.forms.models import Form
from formwright.domain.reports.archive import MAX_REPORTS
from formwright.web.session import Visitor


class DownloadKind(Protocol):
    """What pages show of a file that can be downloaded."""

    @property
    def name(self) -> str: ...

    @property
    def title(self) -> str: ...

    @property
    def description(self) -> str: ...

    @property
    def media_type(self) -> str: ...


@dataclass(frozen=True, slots=True)
class _ReportZip:
    name: str = "PDF"
    title: str = "PDF reports"
    description: str = f"One per submission, up to {MAX_REPORTS:,}"
    media_type: str = "application/zip"


DOWNLOADS: Mapping[str, DownloadKind] = {**FORMATS, REPORT_ZIP: _ReportZip()}
"""Everything that can be downloaded of a form's submissions, by extension, in the order in which pages offer it."""


def may_download(visitor: Visitor, form: Form) -> bool:
    """Whether the visitor may download submissions of the form. One that was never published has none."""
    return form.published_version_id is not None and visitor.may(Permission.SUBMISSIONS_READ, form)


def download_url(extension: str, params: Sequence[tuple[str, str]]) -> str:
    """Return the URL of the file with the submissions that match the query parameters of the list."""
    return f"/submissions/download.{extension}?{urlencode(params)}"
