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
class DatasourceUpdated(DatasourceEvent):
    """The name, the external id, the types of columns or the pull of a data source changed."""

    type = "datasource.updated"


@dataclass(frozen=True, slots=True)
class DatasourceFailed(DatasourceEvent):
    """A pull failed: the rows could not be fetched or imported."""

    type = "datasource.failed"


@dataclass(frozen=True, slots=True)
class DatasourceDeleted(DatasourceEvent):
    """A data source was moved to the trash with its rows and its pull."""

    type = "datasource.deleted"


@dataclass(frozen=True, slots=True)
class DatasourceRestored(DatasourceEvent):
    """A data source was restored with its rows and its pull."""

    type = "datasource.restored"


@dataclass(frozen=True, slots=True)
class DatasourceRowDeleted(DatasourceEvent):
    """A single row of a data source was moved to the trash."""

    type = "datasource.row_deleted"


@dataclass(frozen=True, slots=True)
class DatasourceRowRestored(DatasourceEvent):
    """A single row of a data source was restored."""

    type = "datasource.row_restored"
