"""What can happen to datasources."""

from dataclasses import dataclass

from formwright.core.kernel.event import Event
from formwright.domain.datasources.model import Datasource


@dataclass(frozen=True, slots=True)
class DatasourceImported(Event):
    """Rows came in."""

    type = "datasource.imported"
    datasource: Datasource
