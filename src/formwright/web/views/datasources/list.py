"""Data sources: the list, and adding one."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from formwright.core.auth.actor import allow
from formwright.core.auth.permissions import Permission
from formwright.domain.datasources import service as datasources
from formwright.domain.datasources.models import Datasource, DatasourceNotFound
from formwright.domain.datasources.staged_files import service as uploads
from formwright.domain.datasources.staged_files.models import MAX_FILE
from formwright.web.curl_example import curl_command
from formwright.web.http import Response, get
from formwright.web.page import Page
from formwright.web.session import Visitor
from formwright.web.views.datasources.labels import ImportView, import_view
from formwright.web.views.list_pages import ListPage, read_list_request

SCHEDULE_LABELS = {
    "PT15M": "Every 15 minutes",
    "PT1H": "Every hour",
    "PT6H": "Every 6 hours",
    "PT12H": "Every 12 hours",
    "P1D": "Every day",
    "P7D": "Every week",
}
_PAGE_SIZE = 100
PATH = "/datasources"


class DatasourcePage(Page):
    """A page for visitors who may view data sources. For others, none exists."""

    async def prepare(self) -> None:
        await super().prepare()
        if Permission.DATASOURCES_READ not in self.actor.permissions:
            raise DatasourceNotFound()


class DatasourceEditorPage(DatasourcePage):
    """A page for visitors who may change data sources."""

    async def prepare(self) -> None:
        await super().prepare()
        allow(self.actor, Permission.DATASOURCES_EDIT)


def may_edit(visitor: Visitor) -> bool:
    """Whether the visitor may change data sources."""
    return Permission.DATASOURCES_EDIT in visitor.actor.permissions


@dataclass(frozen=True, slots=True)
class DatasourceListPage:
    """The view model of the list: each data source with its last import. Running imports have a URL and a name."""

    datasources: ListPage[tuple[Datasource, ImportView | None]]
    running_imports: Sequence[tuple[str, str]]
    may_edit: bool


@get(PATH)
async def datasources_page(page: DatasourcePage) -> Response:
    """The account's data sources, each with its last import."""
    request = read_list_request(page, PATH, size=_PAGE_SIZE)
    found = await datasources.page(page.tx, page.actor, request.window)
    records = await datasources.find_latest_imports(page.tx, page.actor, [source.id for source in found.items])
    imports = {source_id: await import_view(page.tx, page.visitor, record) for source_id, record in records.items()}
    running = await uploads.list_importing(page.tx, page.actor, page.ctx.clock.now())
    rows = [(source, imports.get(source.id)) for source in found.items]
    view_model = DatasourceListPage(
        datasources=request.build(rows, found.next),
        running_imports=[
            (f"{PATH}/uploads/{upload.id}", upload.choices.name or upload.file_name)
            for upload in running
            if upload.user_id == page.visitor.user.id
        ],
        may_edit=may_edit(page.visitor),
    )
    return page.render("datasources/list.html", view_model, section="Data sources")


@dataclass(frozen=True, slots=True)
class ScheduledInput:
    """The rejected input for a data source from a URL, and its error."""

    name: str = ""
    key: str = ""
    url: str = ""
    fault: str = ""


@dataclass(frozen=True, slots=True)
class NewDatasourcePage:
    """The view model of the page that adds a data source. `file_fault` says why a file was rejected."""

    file_fault: str
    max_file: int
    scheduled: ScheduledInput
    schedules: Mapping[str, str]
    curl: str


@get(PATH + "/new")
async def new_datasource_page(page: DatasourceEditorPage) -> Response:
    """The page that adds a data source: from a file, from a URL or with the API."""
    return render_new_datasource(page)


def render_new_datasource(
    page: Page, status: int = 200, file_fault: str = "", scheduled: ScheduledInput = ScheduledInput()
) -> Response:
    """Render the page, with the rejected input and its errors."""
    arguments = '-H "Content-Type: text/csv" --data-binary @customers.csv '
    path = f"/customers/{page.visitor.customer.id}/datasources?name=Customers"
    view_model = NewDatasourcePage(
        file_fault=file_fault,
        max_file=MAX_FILE,
        scheduled=scheduled,
        schedules=SCHEDULE_LABELS,
        curl=curl_command(page, "YOUR_KEY", path, arguments),
    )
    return page.render("datasources/new.html", view_model, section="Data sources", status=status)
