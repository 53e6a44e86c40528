"""Columns of rows and choices in rules: `instance('towns')/root/item[name = ${town}]/region`, and `pulldata()`.

A lookup copies the column into a hidden field, and a choice becomes a table of its options in the rule.
"""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import PurePath
from typing import Any

from formwright.domain.forms.definition import AnyField, LookupField, RepeatField, flatten_sections
from formwright.domain.forms.xlsform.cel_to_xpath import quote_xpath
from formwright.domain.forms.xlsform.choice_files import ChoiceSource, can_name_column, to_file_name
from formwright.domain.forms.xlsform.field_mapping import WITHOUT_DEFAULT
from formwright.domain.forms.xlsform.survey_sheet import PendingRule, Survey
from formwright.domain.forms.xlsform.syntax_tree import Call, Name, Node, Text, Untranslatable
from formwright.domain.forms.xlsform.xpath_functions import CHOICE_LABEL
from formwright.domain.forms.xlsform.xpath_parser import ROW_COLUMN, names_in_xpath

Document = dict[str, Any]
_NOT_FILLABLE = (*WITHOUT_DEFAULT, "location")


class RowColumns:
    """Finds the fields and choices with the columns that rules read. `documents` are the fields by name."""

    def __init__(self, survey: Survey, documents: dict[str, Document]) -> None:
        self._survey, self.documents = survey, documents

    def fill(self, one: PendingRule, tree: Node) -> bool:
        """Let a lookup fill in a field whose value is a column of its row. Returns False for other rules."""
        match tree:
            case Call(name, (Text(of), Text(key), Name(lookup), Text(column))) if name == ROW_COLUMN:
                source = self._find_source(lookup, of, key)
                if source is None or column == source.key_column or not self._is_filled_by(one, lookup):
                    return False
                if column in (mapping := self._mapping(lookup, column, source)):
                    return False
                mapping[column] = one.name
                if one.name in self._survey.untyped:
                    self.documents[one.name]["type"] = source.types.get(column, "text")
                return True
        return False

    def read(self, of: str, key: str, value: Node, column: str) -> Node:
        """Return the expression for a column. Raises `Untranslatable` if the row is not that of a lookup or choice."""
        if isinstance(value, Name) and (source := self._find_source(value.name, of, key)):
            return Name(value.name if column == source.key_column else self._copied(value.name, column, source))
        if isinstance(value, Name) and key == "name" and of in self._survey.lists:
            options = self._survey.lists[of]
            self._survey.columns.add(column)
            texts = [Text(text) for option in options for text in (option["value"], _option_text(option, column))]
            return Call(CHOICE_LABEL, (value, *texts))
        detail = f"columns of {of} can only be read for the row of a question with its choices, by their name"
        raise Untranslatable(detail)

    def _find_source(self, lookup: str, of: str, key: str) -> ChoiceSource | None:
        """Return the data source if the rows `of` a list are those of a lookup, and `key` identifies them."""
        source = self._survey.sources.get(lookup)
        is_same = source is not None and of in (source.name, PurePath(source.name).stem)
        return source if is_same and source is not None and key == source.key_column else None

    def _is_filled_by(self, one: PendingRule, lookup: str) -> bool:
        """Whether a field is calculated once a row is chosen, and not again."""
        document, around = self.documents[one.name], self._survey.repeats
        if document["type"] in _NOT_FILLABLE or around[one.name] != around[lookup]:
            return False
        triggers = [
            rule.xpath for rule in self._survey.pending if (rule.name, rule.member) == (one.name, "recalculateOn")
        ]
        names = {self._survey.names.resolve(name) for text in triggers for name in names_in_xpath(text)}
        return names == {lookup} or (not triggers and one.name in self._survey.untyped)

    def _mapping(self, lookup: str, column: str, source: ChoiceSource) -> dict[str, str]:
        if column not in source.columns:
            raise Untranslatable(f"the data source {source.name} has no column {column}")
        mapping: dict[str, str] = self.documents[lookup].setdefault("mapping", {})
        return mapping

    def _copied(self, lookup: str, column: str, source: ChoiceSource) -> str:
        """Return the name of the field that a lookup copies a column into. It is added if there is none."""
        mapping = self._mapping(lookup, column, source)
        if column not in mapping:
            row = self._survey.rows[lookup]
            name = mapping[column] = self._survey.names.add(f"{lookup}_{column}", row)
            kind = source.types.get(column, "text")
            document = {"type": kind, "name": name, "label": name, "hidden": True}
            _insert_after(self._survey.fields, lookup, document)
            self.documents[name] = document
            self._survey.rows[name], self._survey.repeats[name] = row, self._survey.repeats[lookup]
            self._survey.containers[name] = self._survey.containers[lookup]
        return mapping[column]


def _insert_after(fields: list[Document], name: str, document: Document) -> None:
    for index, one in enumerate(fields):
        if one["name"] == name:
            fields.insert(index + 1, document)
            return
        _insert_after(one.get("fields", []), name, document)


def _option_text(option: Mapping[str, Any], column: str) -> str:
    if column not in ("name", "label"):
        return str(option["columns"].get(column, ""))
    text = option["value" if column == "name" else "label"]
    if not isinstance(text, str):
        raise Untranslatable("the labels of the choices have several languages")
    return text


def columns_of_rows(
    fields: Sequence[AnyField], sources: Mapping[str, ChoiceSource]
) -> Iterator[tuple[str, tuple[LookupField, str]]]:
    """Yield the names of fields that a lookup beside them fills in, with the lookup and the XPath for the column."""
    own = {one.name: one for one in flatten_sections(fields)}
    for one in own.values():
        if isinstance(one, RepeatField):
            yield from columns_of_rows(one.fields, sources)
        source = sources.get(one.datasource_id) if isinstance(one, LookupField) else None
        if not isinstance(one, LookupField) or source is None or not (file_name := to_file_name(one, source)):
            continue
        rows = f"instance({quote_xpath(PurePath(file_name).stem)})/root/item[{source.key_column} = ${{{one.name}}}]"
        for column, name in one.mapping.items():
            if name in own and can_name_column(column):
                yield name, (one, f"{rows}/{column}")
