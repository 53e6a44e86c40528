"""The state and the errors of feeds."""

from dataclasses import dataclass
from enum import StrEnum

from formwright.core.errors import Denied


class TableSource(StrEnum):
    """What a table has rows of. The value is the first part of the table's name."""

    SUBMISSIONS = "Submissions"
    DATASOURCE = "Datasource"


@dataclass(frozen=True, slots=True)
class NamedResource:
    """A form or a data source that has a table of its own in the feed."""

    id: str
    source: TableSource
    name: str
    """The name that people have given it. The table's name is derived from the first one and never changes."""


class FeedDisabled(Denied):
    """The account has not switched its feed on."""

    code = "odata.disabled"
    detail = (
        "The OData feed of this account is switched off. Somebody who may edit the account can switch it on under"
        " Settings, Connections, OData feed."
    )
