"""The service document and `$metadata`, which describe the tables (OData 4.0, JSON Format and CSDL XML)."""

from collections.abc import Sequence
from typing import Any
from xml.etree.ElementTree import Element, SubElement, tostring

from formwright.odata.tables import ODataTable

_NAMESPACE = "Formwright"
_EDMX = "http://docs.oasis-open.org/odata/ns/edmx"
_EDM = "http://docs.oasis-open.org/odata/ns/edm"
_VOCABULARIES = "https://oasis-tcs.github.io/odata-vocabularies/vocabularies"
_FUNCTIONS = ("contains", "startswith", "endswith", "year", "month", "day", "hour", "minute", "second", "date")


def service_document(root: str, tables: Sequence[ODataTable]) -> dict[str, Any]:
    """Return the list of tables. `root` is the URL of the feed, which ends in `/`."""
    entries = [{"name": one.name, "title": one.title, "kind": "EntitySet", "url": one.name} for one in tables]
    return {"@odata.context": f"{root}$metadata", "value": entries}


def metadata_document(tables: Sequence[ODataTable]) -> bytes:
    """Return the types of all tables as CSDL XML."""
    document = Element("edmx:Edmx", {"xmlns:edmx": _EDMX, "Version": "4.0"})
    for name in ("Core", "Capabilities"):
        reference = SubElement(document, "edmx:Reference", {"Uri": f"{_VOCABULARIES}/Org.OData.{name}.V1.xml"})
        SubElement(reference, "edmx:Include", {"Namespace": f"Org.OData.{name}.V1"})
    services = SubElement(document, "edmx:DataServices")
    schema = SubElement(services, "Schema", {"xmlns": _EDM, "Namespace": _NAMESPACE})
    for table in tables:
        _add_type(schema, table)
    container = SubElement(schema, "EntityContainer", {"Name": "Feed"})
    for table in tables:
        _add_set(container, table)
    _annotate(container, "Capabilities.FilterFunctions", list(_FUNCTIONS))
    _annotate(container, "Capabilities.BatchSupported", value=False)
    return b'<?xml version="1.0" encoding="UTF-8"?>\n' + tostring(document, encoding="unicode").encode()


def _add_type(schema: Element, table: ODataTable) -> None:
    """Add the type of a table's rows. Its name is that of the table."""
    entity = SubElement(schema, "EntityType", {"Name": table.name})
    key = SubElement(entity, "Key")
    for name in table.key:
        SubElement(key, "PropertyRef", {"Name": name})
    for column in table.columns.values():
        nullable = "false" if column.name in table.key else "true"
        attributes = {"Name": column.name, "Type": column.type.value, "Nullable": nullable}
        if column.type.value in ("Edm.DateTimeOffset", "Edm.TimeOfDay"):
            attributes["Precision"] = "3"
        added = SubElement(entity, "Property", attributes)
        if column.title:
            _annotate(added, "Core.Description", column.title)
    for name, repeat in table.repeats.items():
        SubElement(entity, "NavigationProperty", {"Name": name, "Type": f"Collection({_NAMESPACE}.{repeat.name})"})


def _add_set(container: Element, table: ODataTable) -> None:
    added = SubElement(container, "EntitySet", {"Name": table.name, "EntityType": f"{_NAMESPACE}.{table.name}"})
    for name, repeat in table.repeats.items():
        SubElement(added, "NavigationPropertyBinding", {"Path": name, "Target": repeat.name})
    _annotate(added, "Core.Description", table.title)


def _annotate(element: Element, term: str, text: str | list[str] = "", *, value: bool | None = None) -> None:
    annotation = SubElement(element, "Annotation", {"Term": f"Org.OData.{term.replace('.', '.V1.')}"})
    if value is not None:
        annotation.set("Bool", "true" if value else "false")
    elif isinstance(text, str):
        annotation.set("String", text)
    else:
        collection = SubElement(annotation, "Collection")
        for item in text:
            SubElement(collection, "String").text = item
