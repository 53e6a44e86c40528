"""What can be downloaded of a form's submissions: the formats of exports, and PDF reports as a ZIP file."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

from formwright.domain.exports.formats import FORMATS
from formwright.domain.exports.models import REPORT_ZIP
from formwright.domain.reports.archive import MAX_REPORTS


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
