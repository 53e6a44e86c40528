"""What can happen to datasources."""

from dataclasses import dataclass

from formwright.core.events import Event
from formwright.domain.datasources.models import Datasource


@dataclass(frozen=True, slots=True)
class DatasourceEvent(Event):
    """What all of them carry: the datasource as it is from then on."""

    datasource: Datasource


@dataclass(frozen=True, slots=True)
class DatasourceImported(DatasourceEvent):
    """Rows came in."""

    type = "datasource.imported"


@dataclass(frozen=True, slots=True)
class DatasourceFailed(DatasourceEvent):
    """Rows could not be fetched, or could not be taken in."""

    type = "datasource.failed"
