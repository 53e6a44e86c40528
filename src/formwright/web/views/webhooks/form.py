"""What is typed into the form of a subscriber: name, address, types of events, forms, headers."""

from collections.abc import Mapping, Sequence
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
_EVENT_GROUPS = {"submission": "Submissions", "form": "Forms", "task": "Tasks", "invite": "Invites", "user": "People"}
_EVENT_GROUPS |= {"datasource": "Data sources", "group": "Groups", "role": "Roles", "subscriber": "Webhooks"}


@dataclass(frozen=True, slots=True)
class WebhookForm:
    """What a person chose. No types and no forms mean all; `some_*` says that she chose to pick."""

    name: str = ""
    url: str = ""
    types: Sequence[str] = ()
    form_ids: Sequence[str] = ()
    some_types: bool = False
    some_forms: bool = False
    header_rows: Sequence[HeaderRow] = ()
    rows_changed: bool = False
    """She only added a row, or took one away."""

    @property
    def headers(self) -> dict[str, str | None]:
        """Those that a subscriber is to have; None keeps a value."""
        return headers_by_name(self.header_rows)

    def changed_headers(self, one: Subscriber) -> dict[str, str | None] | None:
        """The same for one that is there; None where it keeps all that it has."""
        return None if list(self.headers.items()) == [(name, None) for name in one.header_names] else self.headers

    async def check(self, tx: ReadTransaction, visitor: Visitor, kept: Sequence[str] = ()) -> None:
        """`Invalid` with all that is wrong beside the address, which the room itself looks at."""
        found: list[ValidationFault] = []
        if not 1 <= len(self.name) <= _MAX_NAME:
            found.append(ValidationFault("/name", "value.name", f"Enter a name (up to {_MAX_NAME} characters)."))
        if not 1 <= len(self.url) <= _MAX_URL:
            words = f"Enter the URL to which events are delivered (up to {_MAX_URL:,} characters)."
            found.append(ValidationFault("/url", "subscriber.url", words))
        if self.some_types and not self.types:
            found.append(ValidationFault("/types", "value.required", "Select at least one event, or all events."))
        if self.some_forms and not self.form_ids:
            found.append(ValidationFault("/formIds", "value.required", "Select at least one form, or all forms."))
        new = [form_id for form_id in self.form_ids if form_id not in kept]
        if not all([await _form_exists(tx, visitor, form_id) for form_id in new]):
            found.append(ValidationFault("/formIds", FormNotFound.code, FormNotFound.detail))
        if len(self.form_ids) > _MAX_FORMS:
            found.append(ValidationFault("/formIds", "value.too_many", f"Select at most {_MAX_FORMS} forms, or all."))
        found.extend(find_row_faults(self.header_rows))
        if found:
            raise Invalid(found)


async def _form_exists(tx: ReadTransaction, visitor: Visitor, form_id: str) -> bool:
    try:
        await forms.get(tx, visitor.actor, form_id=form_id)
    except FormNotFound:
        return False
    return True


def read_webhook_form(form: Any, types: Mapping[str, object]) -> WebhookForm:
    """What was sent. A type that is none is left out: no checkbox offers it."""
    name, url = (str(form.get(part, "")).strip()[:4000] for part in ("name", "url"))
    some_types, some_forms = form.get("events") == "some", form.get("which") == "some"
    nouns = {type_.partition(".")[0] for type_ in types}
    known = [*(f"{noun}.*" for noun in sorted(nouns)), *types]
    chosen = {str(one) for one in form.getall("type", [])}
    picked = [one for one in known if one in chosen]
    whole = {one[:-1] for one in picked if one.endswith("*")}
    # All of a noun says each of it.
    picked = [one for one in picked if one.endswith("*") or one.partition(".")[0] + "." not in whole]
    form_ids = dict.fromkeys(str(one) for one in form.getall("form", []))
    chosen_forms = [*form_ids][: _MAX_FORMS + 1] if some_forms else ()
    rows, goes_on = apply_row_button(read_header_rows(form), str(form.get("row", "")))
    return WebhookForm(name, url, picked if some_types else (), chosen_forms, some_types, some_forms, rows, goes_on)


def webhook_form_of(one: Subscriber) -> WebhookForm:
    """A subscriber as the form shows it first: of its headers only the names."""
    return WebhookForm(
        one.name, one.url, one.types, one.form_ids, header_rows=[HeaderRow(name) for name in one.header_names]
    )


def fault_texts(error: Invalid, given: WebhookForm, one: Subscriber | None) -> dict[str, str]:
    """What stands beside each field, by its pointer; a value that the address needs anew is told there too."""
    kept, elsewhere = (one.header_names, is_other_server(given.url, one.url)) if one else ((), False)
    return header_fault_texts(error.faults, kept, other_server=elsewhere)


def form_view(
    given: WebhookForm, types: Mapping[str, tuple[str, str]], one: Subscriber | None, faults: Mapping[str, str]
) -> dict[str, Any]:
    """What the form shows: the types by their noun, each with what causes it; the rows of headers; the faults."""
    groups: dict[str, list[dict[str, Any]]] = {}
    for type_, (_, words) in types.items():
        each = {"type": type_, "words": words.replace("`", ""), "chosen": type_ in given.types}
        groups.setdefault(type_.partition(".")[0], []).append(each)
    return header_form(given.header_rows, one.header_names if one else (), faults, rows_changed=given.rows_changed) | {
        "typed": given,
        "one": one,
        "most_headers": MAX_HEADERS,
        "some_types": given.some_types or (bool(given.types) and "*" not in given.types),
        "some_forms": given.some_forms or bool(given.form_ids),
        "groups": [
            {
                "all": f"{noun}.*",
                "name": _EVENT_GROUPS.get(noun, noun.capitalize() + "s"),
                "chosen": f"{noun}.*" in given.types,
                "types": found,
            }
            for noun, found in groups.items()
        ],
    }


async def load_form_options(tx: ReadTransaction, visitor: Visitor, given: WebhookForm) -> list[dict[str, Any]]:
    """The forms that can be chosen, and those that are chosen though she does not see them."""
    sees = Permission.FORMS_READ in visitor.actor.permissions
    found = (await forms.page(tx, visitor.actor, Window(MAX_LIMIT), newest_first=True)).items if sees else []
    names = {form.id: form.name for form in found}
    names |= {form_id: form_id for form_id in given.form_ids if form_id not in names}
    return [{"id": form_id, "name": name, "chosen": form_id in given.form_ids} for form_id, name in names.items()]


def describe_types(types: Sequence[str]) -> str:
    """`All events`, or which."""
    return ", ".join(types) if types and "*" not in types else "All events"
