"""Events of exports."""

from dataclasses import dataclass

from formwright.core.events import Event
from formwright.domain.exports.models import ExportRun


@dataclass(frozen=True, slots=True)
class ExportEvent(Event):
    """Base class: carries the run."""

    run: ExportRun


@dataclass(frozen=True, slots=True)
class ExportCompleted(ExportEvent):
    """The files of a run can be downloaded."""

    type = "export.completed"


@dataclass(frozen=True, slots=True)
class ExportFailed(ExportEvent):
    """A run failed."""

    type = "export.failed"
