"""The form that adds and changes a webhook: name, URL, event types, forms and headers."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from formwright.core.auth.permissions import Permission
from formwright.core.db.interface import ReadTransaction
from formwright.core.errors import Invalid, ValidationFault
from formwright.core.pagination import MAX_LIMIT, Window
from formwright.domain.forms import service as forms
from formwright.domain.forms.models import FormNotFound
from formwright.domain.webhooks.custom_headers import MAX_HEADERS
from formwright.domain.webhooks.models import Subscriber
from formwright.web.session import Visitor
from formwright.web.views.header_fields import (
    HeaderField,
    HeaderRow,
    apply_row_button,
    find_row_faults,
    header_fault_texts,
    header_form,
    headers_by_name,
    is_other_server,
    read_header_rows,
)

_MAX_NAME = 200
_MAX_URL = 2048
_MAX_FORMS = 500
_EVENT_GROUPS = {"user": "People", "datasource": "Data sources", "subscriber": "Webhooks"}
"""The names of groups of event types that are not the plural of their resource."""
_SUBMISSIONS_ONLY = "submission.*"


@dataclass(frozen=True, slots=True)
class WebhookForm:
    """The submitted values. No types or forms mean all; `some_types` and `some_forms` are the radio buttons.

    `rows_changed` is set if a button only added or removed a header row.
    """

    name: str = ""
    url: str = ""
    types: Sequence[str] = ()
    form_ids: Sequence[str] = ()
    some_types: bool = False
    some_forms: bool = False
    header_rows: Sequence[HeaderRow] = ()
    rows_changed: bool = False

    @property
    def headers(self) -> dict[str, str | None]:
        """The headers by name. None keeps the stored value."""
        return headers_by_name(self.header_rows)

    def changed_headers(self, subscriber: Subscriber) -> dict[str, str | None] | None:
        """Return the headers; None if those of the webhook stay as they are."""
        unchanged = [(name, None) for name in subscriber.header_names]
        return None if list(self.headers.items()) == unchanged else self.headers

    async def check(self, tx: ReadTransaction, visitor: Visitor, current_form_ids: Sequence[str] = ()) -> None:
        """Raise `Invalid` with all errors, except those of the URL's host and of headers, which the service checks.

        `current_form_ids` are accepted even if the visitor cannot see those forms.
        """
        faults: list[ValidationFault] = []
        if not 1 <= len(self.name) <= _MAX_NAME:
            faults.append(ValidationFault("/name", "value.name", f"Enter a name (up to {_MAX_NAME} characters)."))
        if not 1 <= len(self.url) <= _MAX_URL:
            detail = f"Enter the URL to which events are delivered (up to {_MAX_URL:,} characters)."
            faults.append(ValidationFault("/url", "subscriber.url", detail))
        if self.some_types and not self.types:
            faults.append(ValidationFault("/types", "value.required", "Select at least one event, or all events."))
        if self.some_forms and not self.form_ids:
            faults.append(ValidationFault("/formIds", "value.required", "Select at least one form, or all forms."))
        added = [form_id for form_id in self.form_ids if form_id not in current_form_ids]
        if not all([await _form_exists(tx, visitor, form_id) for form_id in added]):
            faults.append(ValidationFault("/formIds", FormNotFound.code, FormNotFound.detail))
        if len(self.form_ids) > _MAX_FORMS:
            faults.append(ValidationFault("/formIds", "value.too_many", f"Select at most {_MAX_FORMS} forms, or all."))
        faults.extend(find_row_faults(self.header_rows))
        if faults:
            raise Invalid(faults)


@dataclass(frozen=True, slots=True)
class EventOption:
    """An event type to choose."""

    type: str
    description: str
    is_chosen: bool


@dataclass(frozen=True, slots=True)
class EventGroup:
    """The event types of a resource, and the pattern that stands for all of them."""

    pattern: str
    name: str
    is_chosen: bool
    types: Sequence[EventOption]


@dataclass(frozen=True, slots=True)
class FormOption:
    """A form to choose."""

    id: str
    name: str
    is_chosen: bool


@dataclass(frozen=True, slots=True)
class WebhookFormPage:
    """The form that adds a webhook, or changes `webhook`. `focus` is the number of a header row, or 0.

    `events` is `all`, `some`, or the pattern of a preset.
    """

    here: str
    typed: WebhookForm
    webhook: Subscriber | None
    events: str
    some_forms: bool
    groups: Sequence[EventGroup]
    forms: Sequence[FormOption]
    rows: Sequence[HeaderField]
    max_headers: int
    focus: int
    faults: Mapping[str, str]


async def _form_exists(tx: ReadTransaction, visitor: Visitor, form_id: str) -> bool:
    try:
        await forms.get(tx, visitor.actor, form_id=form_id)
    except FormNotFound:
        return False
    return True


def read_webhook_form(form: Any, types: Mapping[str, object]) -> WebhookForm:
    """Read the submitted values. Unknown event types are ignored, because the form does not offer them."""
    name, url = (str(form.get(part, "")).strip()[:4000] for part in ("name", "url"))
    events, some_forms = form.get("events"), form.get("which") == "some"
    some_types = events == "some"
    form_ids = dict.fromkeys(str(form_id) for form_id in form.getall("form", []))
    # One more than allowed, so that a longer list is rejected and not cut.
    chosen_forms = [*form_ids][: _MAX_FORMS + 1] if some_forms else ()
    picked = form.getall("type", []) if some_types else [_SUBMISSIONS_ONLY] if events == _SUBMISSIONS_ONLY else []
    chosen_types = _read_types({str(type_) for type_ in picked}, types)
    rows, rows_changed = apply_row_button(read_header_rows(form), str(form.get("row", "")))
    return WebhookForm(name, url, chosen_types, chosen_forms, some_types, some_forms, rows, rows_changed)


def _read_types(chosen: Collection[str], types: Mapping[str, object]) -> list[str]:
    """Return the known chosen types in a fixed order, without those that a chosen pattern includes."""
    patterns = [f"{resource}.*" for resource in sorted({type_.partition(".")[0] for type_ in types})]
    chosen_patterns = [pattern for pattern in patterns if pattern in chosen]
    return [
        *chosen_patterns,
        *(type_ for type_ in types if type_ in chosen and f"{type_.partition('.')[0]}.*" not in chosen_patterns),
    ]


def webhook_form_of(subscriber: Subscriber) -> WebhookForm:
    """Return the form filled with the values of a webhook, without those of its headers."""
    return WebhookForm(
        subscriber.name,
        subscriber.url,
        subscriber.types,
        subscriber.form_ids,
        header_rows=[HeaderRow(name) for name in subscriber.header_names],
    )


def fault_texts(error: Invalid, form: WebhookForm, subscriber: Subscriber | None) -> dict[str, str]:
    """Return the errors by pointer, including header values that have to be entered again for the URL."""
    stored_names = subscriber.header_names if subscriber else ()
    other_server = subscriber is not None and is_other_server(form.url, subscriber.url)
    return header_fault_texts(error.faults, stored_names, other_server=other_server)


def build_form_page(
    here: str,
    form: WebhookForm,
    types: Mapping[str, tuple[str, str]],
    options: Sequence[FormOption],
    subscriber: Subscriber | None,
    faults: Mapping[str, str],
) -> WebhookFormPage:
    """Return what the form shows. `types` has the description of an event type second."""
    stored_names = subscriber.header_names if subscriber else ()
    headers = header_form(form.header_rows, stored_names, faults, rows_changed=form.rows_changed)
    return WebhookFormPage(
        here=here,
        typed=form,
        webhook=subscriber,
        events=_choose_events(form),
        some_forms=form.some_forms or bool(form.form_ids),
        groups=_group_types(types, form.types),
        forms=options,
        rows=headers.rows,
        max_headers=MAX_HEADERS,
        focus=headers.focus,
        faults=headers.faults,
    )


def _choose_events(form: WebhookForm) -> str:
    if list(form.types) == [_SUBMISSIONS_ONLY] and not form.some_types:
        return _SUBMISSIONS_ONLY
    return "some" if form.some_types or (form.types and "*" not in form.types) else "all"


def _group_types(types: Mapping[str, tuple[str, str]], chosen: Sequence[str]) -> list[EventGroup]:
    groups: dict[str, list[EventOption]] = {}
    for type_, (_, description) in types.items():
        option = EventOption(type_, description.replace("`", ""), type_ in chosen)
        groups.setdefault(type_.partition(".")[0], []).append(option)
    return [
        EventGroup(
            f"{resource}.*",
            _EVENT_GROUPS.get(resource) or resource.replace("_", " ").capitalize() + "s",
            f"{resource}.*" in chosen,
            options,
        )
        for resource, options in groups.items()
    ]


async def load_form_options(tx: ReadTransaction, visitor: Visitor, form: WebhookForm) -> list[FormOption]:
    """Return the forms to choose. Chosen forms that the visitor cannot see are included with their ID."""
    may_read = Permission.FORMS_READ in visitor.actor.permissions
    found = (await forms.page(tx, visitor.actor, Window(MAX_LIMIT), newest_first=True)).items if may_read else []
    names = {option.id: option.name for option in found}
    names |= {form_id: form_id for form_id in form.form_ids if form_id not in names}
    return [FormOption(form_id, name, form_id in form.form_ids) for form_id, name in names.items()]


def describe_types(types: Sequence[str]) -> str:
    """Return the event types separated by commas, or `All events`."""
    return ", ".join(types) if types and "*" not in types else "All events"
