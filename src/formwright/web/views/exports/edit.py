"""The page that creates or changes an export."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from formwright.core.auth.actor import allow
from formwright.core.auth.permissions import Permission
from formwright.core.errors import Conflict, Invalid
from formwright.core.pagination import MAX_LIMIT, Window
from formwright.domain.exports import service as exports
from formwright.domain.exports.models import (
    Destination,
    DestinationType,
    Export,
    ExportFormat,
    ExportInterval,
    ExportSettings,
    NewExport,
    Schedule,
)
from formwright.domain.forms import service as forms
from formwright.domain.saved_views import service as saved_views
from formwright.domain.users import service as users
from formwright.web.http import Redirect, Response, get, post
from formwright.web.page import Page, PublicPage
from formwright.web.session import Visitor
from formwright.web.views.exports.detail import FORMAT_LABELS, PATH, WEEKDAYS
from formwright.web.views.form_input import fault_texts, faults_by_field, read_text

Options = Sequence[tuple[str, str]]
_INTERVALS = [("HOURLY", "Every hour"), ("DAILY", "Every day"), ("WEEKLY", "Every week"), ("MONTHLY", "Every month")]
_MAX_NAME = 200
_FOLDER = "folder:"
"""Precedes the name of a folder in the value of the destination."""
_TEXTS = ("name", "form", "view", "format", "every", "time", "destination", "path", "endpoint", "region", "bucket")


@dataclass(frozen=True, slots=True)
class ExportInput:
    """The submitted values, as text."""

    name: str = ""
    form: str = ""
    view: str = ""
    format: str = "CSV"
    every: str = ""
    time: str = "06:00"
    weekday: str = "1"
    day: str = "1"
    incremental: bool = False
    recipients: Sequence[str] = ()
    destination: str = ""
    path: str = ""
    endpoint: str = ""
    region: str = ""
    bucket: str = ""
    access_key: str = ""
    secret: str = field(default="", repr=False)

    def to_domain(self) -> NewExport:
        """Return the export. Raises `Invalid`."""
        if not self.name:
            raise Invalid.at("/name", "value.required", "Enter a name.")
        settings = ExportSettings(
            ExportFormat(self.format) if self.format in set(ExportFormat) else ExportFormat.CSV,
            self.view or None,
            self._schedule(),
            self.incremental,
            tuple(self.recipients),
            self._destination(),
        )
        return NewExport(self.name, self.form or None, settings, self.secret or None)

    def _destination(self) -> Destination | None:
        if self.destination == DestinationType.S3:
            endpoint = self.endpoint.rstrip("/")
            return Destination(DestinationType.S3, self.path, "", endpoint, self.region, self.bucket, self.access_key)
        folder = self.destination.removeprefix(_FOLDER)
        return Destination(DestinationType.FOLDER, self.path, folder) if folder else None

    def _schedule(self) -> Schedule | None:
        if self.every not in set(ExportInterval):
            return None
        hour, _, minute = self.time.partition(":")
        numbers = [_parse(hour, 0, 23), _parse(minute, 0, 59), _parse(self.weekday, 1, 7), _parse(self.day, 1, 31)]
        for name, number in zip(("time", "time", "weekday", "day"), numbers, strict=True):
            if number is None:
                raise Invalid.at(f"/{name}", "value.format", "Enter a time." if name == "time" else "Enter a day.")
        return Schedule(ExportInterval(self.every), *(number or 0 for number in numbers)).normalize()


def _parse(text: str, low: int, high: int) -> int | None:
    return int(text) if text.isdecimal() and len(text) < 3 and low <= int(text) <= high else None


@dataclass(frozen=True, slots=True)
class ExportFormPage:
    """The page. Without `back_path`, it creates an export."""

    here: str
    back_path: str
    title: str
    typed: ExportInput
    forms: Options
    views: Options
    users: Options
    formats: Options
    intervals: Options
    weekdays: Options
    destinations: Options
    keeps_secret: bool
    may_export_all: bool
    time_zone: str
    faults: Mapping[str, str]


@get(PATH + "/new")
async def new_export_page(page: Page) -> Response:
    """The form for a new export; `form` and `view` in the query are filled in."""
    query = page.query
    return await _render(page, None, ExportInput(form=query.get("form", ""), view=query.get("view", "")), {})


@post(PATH + "/new")
async def create_export(page: Page) -> Response:
    """Create an export and open its page."""
    typed = await _read(page)
    try:
        async with page.writing() as tx:
            created = await exports.create(tx, page.actor, typed.to_domain(), page.ctx.destination_rules)
    except (Invalid, Conflict) as error:
        return await _render(page, None, typed, _faults(error))
    return Redirect(f"{PATH}/{created.id}")


@get(PATH + "/{export_id:str}/edit")
async def edit_export_page(page: Page, export_id: str) -> Response:
    """The form with the values of an export."""
    export = await exports.get(page.tx, page.actor, export_id=export_id)
    return await _render(page, export, _to_input(export), {})


@post(PATH + "/{export_id:str}/edit")
async def change_export(page: Page, export_id: str) -> Response:
    """Change an export, which then runs with the visitor's permissions."""
    typed = await _read(page)
    try:
        async with page.writing() as tx:
            new = typed.to_domain()
            await exports.change(tx, page.actor, new, page.ctx.destination_rules, export_id=export_id)
    except (Invalid, Conflict) as error:
        export = await exports.get(page.tx, page.actor, export_id=export_id)
        return await _render(page, export, typed, _faults(error))
    return Redirect(f"{PATH}/{export_id}")


def _faults(error: Invalid | Conflict) -> Mapping[str, str]:
    """Return the errors by the name of the input."""
    names = {
        "formId": "form",
        "viewId": "view",
        "folder": "destination",
        "accessKeyId": "access_key",
        "secretAccessKey": "secret",
    }
    if isinstance(error, Invalid):
        of_bucket = [replace(fault, pointer=fault.pointer.removeprefix("/destination")) for fault in error.faults]
        error = Invalid(of_bucket)
    return {names.get(name, name): text for name, text in faults_by_field(error).items()}


async def _read(page: PublicPage) -> ExportInput:
    sent = await page.form()
    texts = {name: read_text(sent, name, _MAX_NAME) for name in _TEXTS}
    texts |= {"access_key": read_text(sent, "access_key", 128), "secret": read_text(sent, "secret", 500)}
    days = {name: read_text(sent, name, _MAX_NAME) for name in ("weekday", "day")}
    recipients = [str(one) for one in sent.getall("recipients", [])]
    return ExportInput(**texts, **days, incremental=sent.get("incremental") == "1", recipients=recipients)


def _to_input(export: Export) -> ExportInput:
    settings, schedule = export.settings, export.settings.schedule or Schedule(ExportInterval.DAILY)
    to = settings.destination
    return ExportInput(
        name=export.name,
        form=export.form_id or "",
        view=settings.view_id or "",
        format=settings.format,
        every=schedule.every if settings.schedule else "",
        time=f"{schedule.hour:02}:{schedule.minute:02}",
        weekday=str(schedule.weekday),
        day=str(schedule.day),
        incremental=settings.incremental,
        recipients=settings.recipients,
        destination=(to.type if to.type is DestinationType.S3 else f"{_FOLDER}{to.folder}") if to else "",
        path=to.path if to else "",
        endpoint=to.endpoint if to else "",
        region=to.region if to else "",
        bucket=to.bucket if to else "",
        access_key=to.access_key_id if to else "",
    )


async def _render(page: Page, export: Export | None, typed: ExportInput, faults: Mapping[str, str]) -> Response:
    scope = allow(page.actor, Permission.SUBMISSIONS_EDIT)
    found = (await forms.page(page.tx, page.actor, Window(MAX_LIMIT), newest_first=True)).items
    views = (await saved_views.page(page.tx, page.actor, Window(MAX_LIMIT))).items
    people = (await users.page(page.tx, page.actor, Window(MAX_LIMIT))).items if _may_read_people(page.visitor) else []
    names = {form.id: form.name for form in found if page.visitor.may(Permission.SUBMISSIONS_EDIT, form)}
    view_model = ExportFormPage(
        here=f"{PATH}/{export.id}/edit" if export else f"{PATH}/new",
        back_path=f"{PATH}/{export.id}" if export else PATH,
        title="Edit export" if export else "New export",
        typed=typed,
        forms=sorted(names.items(), key=lambda option: option[1].casefold()),
        views=[
            (view.id, f"{view.name} ({names[view.form_id]})" if view.form_id in names else view.name) for view in views
        ],
        users=sorted(((user.id, user.name) for user in people), key=lambda option: option[1].casefold()),
        formats=list(FORMAT_LABELS.items()),
        intervals=_INTERVALS,
        weekdays=[(str(number), name) for number, name in enumerate(WEEKDAYS, 1)],
        destinations=[
            *((f"{_FOLDER}{name}", f"Folder “{name}”") for name in sorted(page.ctx.destination_rules.folders)),
            (DestinationType.S3, "S3-compatible bucket"),
        ],
        keeps_secret=bool(export and export.secret),
        may_export_all=scope.reach is None,
        time_zone=page.visitor.customer.time_zone,
        faults=fault_texts(faults),
    )
    status = 422 if faults else 200
    return page.render("exports/edit.html", view_model, section="Submissions", status=status)


def _may_read_people(visitor: Visitor) -> bool:
    return Permission.PEOPLE_READ in visitor.actor.permissions
