"""Events of data sources."""

from dataclasses import dataclass

from formwright.core.events import Event
from formwright.domain.datasources.models import Datasource


@dataclass(frozen=True, slots=True)
class DatasourceEvent(Event):
    """Base class: carries the data source as it is after the change."""

    datasource: Datasource


@dataclass(frozen=True, slots=True)
class DatasourceImported(DatasourceEvent):
    """Rows were imported."""

    type = "datasource.imported"


@dataclass(frozen=True, slots=True)
class DatasourceFailed(DatasourceEvent):
    """A pull failed: the rows could not be fetched or imported."""

    type = "datasource.failed"
