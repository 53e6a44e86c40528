"""The tables of an account's feed: their columns, and where their rows come from."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from operator import attrgetter
from typing import Any

import msgspec

from formwright.core.auth.actor import Actor
from formwright.core.auth.permissions import Permission
from formwright.core.db.interface import ReadTransaction
from formwright.core.lru_cache import LRUCache
from formwright.core.pagination import MAX_LIMIT, Position, Window
from formwright.domain.datasources import service as datasources
from formwright.domain.datasources.models import CellType, Datasource
from formwright.domain.feeds.models import NamedResource, TableSource
from formwright.domain.feeds.service import to_identifier
from formwright.domain.forms import answer_fields, versions
from formwright.domain.forms import service as forms
from formwright.domain.forms.fields import AnyField, RepeatField
from formwright.domain.forms.fields.labels import label_text
from formwright.domain.forms.models import Form
from formwright.domain.submissions.models import Submission
from formwright.domain.submissions.typed_answers import to_typed_location
from formwright.odata.columns import Column, ColumnType, answer_columns, to_wkt
from formwright.odata.sources import DatasourceRows, RowSource, Submissions, TaskRows, UserRows

_TEXT, _MOMENT = ColumnType.TEXT, ColumnType.MOMENT
_CELL_TYPES: Mapping[CellType, ColumnType] = {
    CellType.INTEGER: ColumnType.INTEGER,
    CellType.DECIMAL: ColumnType.NUMBER,
    CellType.BOOLEAN: ColumnType.FLAG,
    CellType.DATE: ColumnType.DAY,
}
"""Times in data sources are texts, because they may have no UTC offset."""


class SubmissionRow:
    """A submission with its decoded answers and location."""

    __slots__ = ("answers", "location", "record")

    def __init__(self, record: Submission) -> None:
        self.record = record
        self.answers: Mapping[str, Any] = msgspec.json.decode(record.data)
        self.location: Mapping[str, float | None] = (
            to_typed_location(msgspec.json.decode(record.location)) if record.location else {}
        )


@dataclass(frozen=True, slots=True)
class RepeatRow:
    """A row of a repeat. `numbers` are those of the rows around it, from the outside in, and its own. They count from 1
    in each submission and in each row.
    """

    submission_id: str
    numbers: tuple[int, ...]
    answers: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class ODataTable:
    """A table. `key` are the columns that identify a row.

    `rows` returns the table's rows in a record of its source. `repeats` are the tables of a form's repeats, also of
    those inside others, by the name of the repeat.
    """

    name: str
    key: Sequence[str]
    columns: Mapping[str, Column]
    source: RowSource
    rows: Callable[[Any], Iterator[Any]]
    title: str
    repeats: Mapping[str, "ODataTable"] = field(default_factory=dict)
    counts_records: bool = True
    """Whether there is one row for each record."""

    @property
    def types(self) -> dict[str, ColumnType]:
        """The types of the columns, by name."""
        return {name: column.type for name, column in self.columns.items()}


def _by_name(columns: Sequence[Column]) -> dict[str, Column]:
    return {column.name: column for column in columns}


def _attributes(**types: ColumnType) -> dict[str, Column]:
    """Return a column for each attribute of the records, named like the properties of the API."""
    return _by_name([Column(_camel_case(name), kind, attrgetter(name)) for name, kind in types.items()])


def _camel_case(name: str) -> str:
    first, *others = name.split("_")
    return first + "".join(part.capitalize() for part in others)


def _one(record: Any) -> Iterator[Any]:
    yield record


TASKS = ODataTable(
    "Tasks",
    ("id",),
    _attributes(
        id=_TEXT,
        form_id=_TEXT,
        status=_TEXT,
        message=_TEXT,
        publish_at=_MOMENT,
        due_at=_MOMENT,
        overdue=ColumnType.FLAG,
        complete_when=_TEXT,
        external_id=_TEXT,
        reason=_TEXT,
        ended=_MOMENT,
        created=_MOMENT,
        updated=_MOMENT,
    ),
    TaskRows(),
    _one,
    "Tasks",
)
USERS = ODataTable(
    "Users",
    ("id",),
    _attributes(id=_TEXT, email=_TEXT, name=_TEXT, language=_TEXT, status=_TEXT, created=_MOMENT, updated=_MOMENT),
    UserRows(),
    _one,
    "Users",
)

_BUILT_IN = (
    Column("_id", _TEXT, attrgetter("record.id")),
    Column("_status", _TEXT, attrgetter("record.status.value")),
    Column("_started", _MOMENT, attrgetter("record.started")),
    Column("_submitted", _MOMENT, attrgetter("record.submitted")),
    Column("_updated", _MOMENT, attrgetter("record.updated")),
    Column("_user_id", _TEXT, attrgetter("record.user_id")),
    Column("_external_id", _TEXT, attrgetter("record.external_id")),
    Column("_note", _TEXT, attrgetter("record.note")),
    Column("_version_id", _TEXT, attrgetter("record.version_id")),
    Column("_revision", ColumnType.INTEGER, attrgetter("record.revision")),
    Column("_latitude", ColumnType.NUMBER, lambda row: row.location.get("latitude")),
    Column("_longitude", ColumnType.NUMBER, lambda row: row.location.get("longitude")),
    Column("_accuracy", ColumnType.NUMBER, lambda row: row.location.get("accuracy")),
    Column("_location", _TEXT, lambda row: to_wkt(row.location)),
)
"""The built-in columns. The names of fields never begin with `_`."""

_tables = LRUCache[tuple[str, str, int, str], ODataTable](2000)
"""The tables of forms, by account, form, its revision and the table's name. A new version changes the revision."""


async def list_resources(tx: ReadTransaction, actor: Actor) -> tuple[list[Form], list[Datasource]]:
    """Return the forms that have been published and the data sources, which have tables, oldest first.

    What the actor may not read has no tables for them.
    """
    found_forms: list[Form] = []
    found_datasources: list[Datasource] = []
    position: Position | None = None
    reads_forms = {Permission.FORMS_READ, Permission.SUBMISSIONS_READ} <= actor.permissions
    while reads_forms:
        page = await forms.page(tx, actor, Window(MAX_LIMIT, position))
        found_forms += [form for form in page.items if form.published_version_id]
        if (position := page.next) is None:
            break
    while Permission.DATASOURCES_READ in actor.permissions:
        further = await datasources.page(tx, actor, Window(MAX_LIMIT, position))
        found_datasources += further.items
        if (position := further.next) is None:
            break
    return found_forms, found_datasources


def list_fixed_tables(actor: Actor) -> list[ODataTable]:
    """Return the tables that do not depend on forms and data sources, as far as the actor may read them."""
    permissions = {TASKS.name: Permission.TASKS_READ, USERS.name: Permission.PEOPLE_READ}
    return [table for table in (TASKS, USERS) if permissions[table.name] in actor.permissions]


def name_resources(found_forms: Sequence[Form], found_datasources: Sequence[Datasource]) -> list[NamedResource]:
    """Return the resources whose tables need names."""
    return [
        *(NamedResource(form.id, TableSource.SUBMISSIONS, form.name) for form in found_forms),
        *(NamedResource(one.id, TableSource.DATASOURCE, one.name) for one in found_datasources),
    ]


async def load_form_table(tx: ReadTransaction, actor: Actor, form: Form, name: str) -> ODataTable:
    """Return the table of a form's submissions, with the tables of its repeats."""
    key = (form.customer_id, form.id, form.revision, name)
    if cached := _tables.get(key):
        return cached
    published = await versions.get(tx, actor, form_id=form.id, version_id=form.published_version_id or "")
    fields = await answer_fields.list_of_all_versions(tx, actor, published.definition.fields, form_id=form.id)
    kinds: dict[str, set[type[AnyField]]] = {}
    for version_fields in await answer_fields.list_final(tx, actor, form_id=form.id):
        for one in version_fields:
            kinds.setdefault(one.name, set()).add(type(one))
    unchanged = frozenset(name for name, types in kinds.items() if len(types) == 1)
    return _tables.put(key, _form_table(form, name, fields, unchanged, published.definition.settings.language))


def _form_table(
    form: Form, name: str, fields: Sequence[AnyField], unchanged: frozenset[str], language: str
) -> ODataTable:
    source, languages = Submissions(form.id, unchanged), (language,)
    repeats = list(answer_fields.list_repeats(fields))
    plain = [one for one in fields if not isinstance(one, RepeatField)]
    # Properties for $expand have the names of all repeats, also of those inside others.
    columns = [*_BUILT_IN, *answer_columns(plain, languages, [path[-1].name for path in repeats])]
    return ODataTable(
        name,
        ("_id",),
        _by_name(columns),
        source,
        lambda record: iter([SubmissionRow(record)]),
        form.name,
        {path[-1].name: _repeat_table(name, path, source, languages, form.name) for path in repeats},
    )


def _repeat_table(
    name: str, path: Sequence[RepeatField], source: RowSource, languages: Sequence[str], title: str
) -> ODataTable:
    names, repeat = [one.name for one in path], path[-1]
    fields = [one for one in answer_fields.list_answer_fields(repeat.fields) if not isinstance(one, RepeatField)]

    def rows(record: Submission) -> Iterator[RepeatRow]:
        for numbers, row in answer_fields.iter_rows(msgspec.json.decode(record.data), names):
            yield RepeatRow(record.id, numbers, row)

    key = _key_columns(names)
    columns = [*key, *answer_columns(fields, languages)]
    # `to_identifier` never leaves two `_` together, so the two parts of the name are unambiguous.
    return ODataTable(
        f"{name}__{repeat.name}",
        [column.name for column in key],
        _by_name(columns),
        source,
        rows,
        f"{title}: {label_text(repeat.label, languages)}",
        counts_records=False,
    )


def _key_columns(names: Sequence[str]) -> list[Column]:
    """Return the columns with the id of the submission, the numbers of the rows around a row, and its own number."""

    def number_column(name: str, place: int) -> Column:
        return Column(name, ColumnType.INTEGER, lambda row: row.numbers[place])

    numbers = [*(f"_row_{outer}" for outer in names[:-1]), "_row"]
    own = Column("_submission_id", _TEXT, attrgetter("submission_id"))
    return [own, *(number_column(name, place) for place, name in enumerate(numbers))]


def datasource_table(datasource: Datasource, name: str) -> ODataTable:
    """Return the table of a data source's rows."""
    columns: dict[str, Column] = {}
    taken: set[str] = set()

    def reader(column: str) -> Callable[[Any], Any]:
        return lambda row: row.get(column)

    for one in datasource.columns:
        plain = to_identifier(one.name)
        # odata-query reads only names that begin with one of these letters.
        plain = plain if plain[:1].isascii() and plain[:1].isalpha() else f"c_{plain}"
        unique, number = plain[:100], 1
        # Some programs compare names without case.
        while unique.casefold() in taken:
            number += 1
            unique = f"{plain[:100]}_{number}"
        taken.add(unique.casefold())
        kind = _CELL_TYPES.get(one.type, ColumnType.TEXT)
        columns[unique] = Column(unique, kind, reader(one.name), one.name)
    key = next(name for name, column in columns.items() if column.title == datasource.key_column)
    return ODataTable(name, (key,), columns, DatasourceRows(datasource), _one, datasource.name)
