"""Fields whose answers are rows of a data source, on pages."""

from typing import Any

from formwright.domain.forms.fields import MAX_LOOKUP_ROWS
from formwright.domain.forms.fields.lookups import LookupField, LookupsField, RowsField
from formwright.web.fields.designer_entries import DesignerEntries, DesignerEntry, MenuGroup
from formwright.web.fields.page_elements import PageElements


def _rows_element(kind: str, field: RowsField) -> dict[str, Any]:
    # The library does not copy a property whose members are all empty into the rows of a repeat.
    lookup = {"name": field.name, "mapping": field.mapping, "filter": field.filter}
    return {"type": kind, "lookup": lookup, "choicesLazyLoadEnabled": True, "choicesLazyLoadPageSize": 50}


PAGE_ELEMENTS: PageElements = {
    LookupField: lambda field, _: _rows_element("dropdown", field),
    LookupsField: lambda field, _: _rows_element("tagbox", field) | {"maxSelectedChoices": field.max_items},
}

DESIGNER_ENTRIES: DesignerEntries = {
    LookupField: DesignerEntry(MenuGroup.CHOICE, "Lookup", "M7 2a5 5 0 1 0 0 10A5 5 0 0 0 7 2zM11 11l3 3"),
    LookupsField: DesignerEntry(
        MenuGroup.CHOICE,
        "Multiple lookup",
        "M2 3h4M2 7h2M2 11h3M10 3a3.5 3.5 0 1 0 0 7 3.5 3.5 0 0 0 0-7zM12.5 9l2 2.5",
        labels={"minChoices": "Minimum rows", "maxChoices": "Maximum rows"},
        placeholders={"maxChoices": MAX_LOOKUP_ROWS},
    ),
}
