"""Fields whose answers are rows of a data source, on pages."""

from typing import Any

from formwright.domain.forms.fields import LookupField, LookupsField, RowsField
from formwright.web.fields.page_elements import PageElements


def _rows_element(kind: str, field: RowsField) -> dict[str, Any]:
    # The library does not copy a property whose members are all empty into the rows of a repeat.
    lookup = {"name": field.name, "mapping": field.mapping, "filter": field.filter}
    return {"type": kind, "lookup": lookup, "choicesLazyLoadEnabled": True, "choicesLazyLoadPageSize": 50}


PAGE_ELEMENTS: PageElements = {
    LookupField: lambda field, _: _rows_element("dropdown", field),
    LookupsField: lambda field, _: _rows_element("tagbox", field) | {"maxSelectedChoices": field.most},
}
