"""Columns of rows and choices in rules: `instance('towns')/root/item[name = ${town}]/region`, and `pulldata()`.

A lookup copies the column into a hidden field, and a choice becomes a table of its options in the rule. Rows of a file
whose key is an expression become a hidden lookup that calculates it.
"""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from pathlib import PurePath
from typing import Any

from msgspec import UNSET

from formwright.domain.forms.fields import FIELD_CLASSES, AnyField, RepeatField, flatten_sections
from formwright.domain.forms.fields.labels import Label
from formwright.domain.forms.rules.compiler import referenced_names
from formwright.domain.forms.xlsform.choice_files import (
    ChoiceSource,
    ChoiceSources,
    can_name_column,
    name_by_key,
    to_file_name,
)
from formwright.domain.forms.xlsform.survey_sheet import PendingRule, Survey
from formwright.domain.forms.xlsform.syntax_tree import Call, Name, Node, Text, Untranslatable
from formwright.domain.forms.xlsform.xpath_functions import CHOICE_LABEL
from formwright.domain.forms.xlsform.xpath_literals import quote_xpath
from formwright.domain.forms.xlsform.xpath_parser import ROW_COLUMN, names_in_xpath

Document = dict[str, Any]
Lookup = tuple[str, ChoiceSource]
"""The name of a lookup, and its data source."""


class RowColumns:
    """Finds the fields and choices with the columns that rules read. `documents` are the fields by name.

    `translate_key` translates the expression for a key in a rule of a field to CEL, and `label_text` returns a label of
    a choice for such a rule.
    """

    def __init__(
        self,
        survey: Survey,
        documents: dict[str, Document],
        translate_key: Callable[[Node, str], str],
        label_text: Callable[[Label, str], str],
    ) -> None:
        self._survey, self.documents = survey, documents
        self._translate_key, self._label_text = translate_key, label_text
        self._calculated: dict[tuple[str, str, tuple[str, ...]], str] = {}

    def fill(self, one: PendingRule, tree: Node) -> bool:
        """Let a lookup fill in a field whose value is a column of its row. Returns False for other rules."""
        match tree:
            case Call(name, (Text(of), Text(key), value, Text(column))) if name == ROW_COLUMN:
                found = self._find_lookup(one.name, of, key, value)
                if found is None or not self._is_filled_by(one, *found, column):
                    return False
                lookup, source = found
                mapping = self._mapping(lookup, column, source)
                if column in mapping:
                    return False
                mapping[column] = one.name
                if one.name in self._survey.untyped:
                    self.documents[one.name]["type"] = source.types.get(column, "text")
                return True
        return False

    def read(self, me: str, of: str, key: str, value: Node, column: str) -> Node:
        """Return the expression for a column in a rule of `me`. Raises `Untranslatable` if there are no such rows."""
        if found := self._find_lookup(me, of, key, value):
            lookup, source = found
            is_key = column == source.key_column and not self._is_calculated(lookup)
            return Name(lookup if is_key else self._copied(lookup, column, source))
        if of in self._survey.lists:
            self._survey.columns.update({key, column} - {"name", "label"})
            texts: dict[str, str] = {}
            for option in self._survey.lists[of]:
                texts.setdefault(self._option_text(option, key, me), self._option_text(option, column, me))
            if texts.get("") == "":
                del texts[""]  # A missing answer has no text either.
            if "" in texts:
                raise Untranslatable(f"the column {key} of {of} is empty for a choice, which missing answers equal")
            asked = self.documents.get(value.name, {}) if isinstance(value, Name) else {}
            for option in asked.get("options", ()):  # The options of a choice are all in the table.
                texts.setdefault(option["value"], "")
            return Call(CHOICE_LABEL, (value, *(Text(text) for pair in texts.items() for text in pair)))
        raise Untranslatable(f"there is no list of choices and no data source named {of}")

    def rows_of_triggers(self, rule: str, triggers: Collection[str]) -> list[str]:
        """Return the columns in a rule that arrive after its triggers have changed, with the rows of their keys.

        Raises `Untranslatable` if such a row also depends on other answers.
        """
        late = [name for name in dict.fromkeys(referenced_names(rule)) if self._lookup_of(name)]
        if any(not self._asked(name) <= set(triggers) for name in late):
            raise Untranslatable("the row that it reads depends on other answers than those that trigger it")
        return late

    def _lookup_of(self, name: str) -> str | None:
        """Return the lookup with a computed key that fills in a field."""
        found = (one for one in self._calculated.values() if name in self.documents[one].get("mapping", {}).values())
        return next(found, None)

    def _asked(self, name: str) -> set[str]:
        """Return the names of the questions that the value of a field depends on."""
        lookup = self._lookup_of(name)
        names = {lookup} if lookup else set(referenced_names(self.documents[name].get("calculate", "")))
        names &= self.documents.keys() - {name}
        return set().union(*map(self._asked, names)) if names else {name}

    def _find_lookup(self, me: str, of: str, key: str, value: Node) -> Lookup | None:
        """Return the lookup of this row: a question with these rows, or a hidden lookup, which may be a new one."""
        if isinstance(value, Name) and (source := self._find_source(value.name, of, key)):
            return value.name, source
        if of in self._survey.lists or not (found := self._files_of(of, key)):
            return None
        if source := next((one for one in found.values() if one.key_column == key), None):
            return self._calculate_key(me, source, value), source
        [(file, source), *_] = found.items()
        detail = f"rows of {of} are identified by {source.key_column}, not by {key}: create the data source"
        raise Untranslatable(f"{detail} {name_by_key(file, key)} from the file, with {key} as the key column")

    def _files_of(self, of: str, key: str) -> ChoiceSources:
        """Return the data sources that may have these rows. Files come before lists, which expressions cannot read."""
        files = self._survey.files
        named = sorted((file for file, one in files.items() if of in _names(file, one)), key=lambda file: file == of)
        others = (name_by_key(file, key) for file in named)
        return {file: files[file] for file in (*named, *others) if file in files}

    def _calculate_key(self, me: str, source: ChoiceSource, value: Node) -> str:
        """Return the hidden lookup with this key, which is added if there is none."""
        rule, around = self._translate_key(value, me), self._survey.repeats[me]
        name = self._calculated.get((source.id, rule, around))
        if name is None and isinstance(value, Name) and self._becomes_lookup(value.name):
            name = value.name
            self.documents[name] |= {"type": "lookup", "datasourceId": source.id}
        elif name is None:
            name = self.add_field(me, f"{PurePath(source.name).stem}_row", "lookup", place=0)
            self.documents[name] |= {"datasourceId": source.id, "calculate": rule}
        self._calculated[source.id, rule, around] = name
        self._survey.sources = {**self._survey.sources, name: source}
        return name

    def _becomes_lookup(self, name: str) -> bool:
        """Whether a calculation has a text that can be a key, and is not one of other rows yet."""
        document = self.documents[name]
        return name in self._survey.untyped and document["type"] == "text" and "calculate" in document

    def _is_calculated(self, name: str) -> bool:
        return "calculate" in self.documents[name]

    def _option_text(self, option: Mapping[str, Any], column: str, me: str) -> str:
        if column == "label":
            return self._label_text(option["label"], me)
        return str(option["value"] if column == "name" else option["columns"].get(column, ""))

    def _names_of(self, source: ChoiceSource) -> set[str]:
        """Return what expressions may call the rows of a data source, whose name may differ from that of the file."""
        files = [file for file, one in self._survey.files.items() if one.id == source.id]
        return _names(source.name, source).union(*(_names(file, source) for file in files))

    def _find_source(self, lookup: str, of: str, key: str) -> ChoiceSource | None:
        """Return the data source if the rows `of` a list are those of a lookup, and `key` identifies them."""
        is_single = self.documents.get(lookup, {}).get("type") == "lookup"
        source = self._survey.sources.get(lookup) if is_single else None
        is_same = source is not None and of in self._names_of(source)
        return source if is_same and source is not None and key == source.key_column else None

    def _is_filled_by(self, one: PendingRule, lookup: str, source: ChoiceSource, column: str) -> bool:
        """Whether a field is calculated once a row is chosen, and not again."""
        document, around = self.documents[one.name], self._survey.repeats
        if not FIELD_CLASSES[document["type"]].fits_in_cell or around[one.name] != around[lookup]:
            return False
        if self._is_calculated(lookup):
            return one.name in self._survey.untyped and one.member == "calculate"
        if column == source.key_column:
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
            mapping[column] = self.add_field(lookup, f"{lookup}_{column}", source.types.get(column, "text"), place=1)
        return mapping[column]

    def add_field(self, beside: str, written: str, kind: str, *, place: int) -> str:
        """Add a hidden field before (0) or after (1) another one, and return its name."""
        row = self._survey.rows[beside]
        name = self._survey.names.add_generated(written)
        document = {"type": kind, "name": name, "label": name, "hidden": True}
        _insert(self._survey.fields, beside, document, place)
        self.documents[name] = document
        self._survey.rows[name], self._survey.repeats[name] = row, self._survey.repeats[beside]
        self._survey.containers[name] = self._survey.containers[beside]
        return name


def _insert(fields: list[Document], name: str, document: Document, place: int) -> None:
    for index, one in enumerate(fields):
        if one["name"] == name:
            fields.insert(index + place, document)
            return
        _insert(one.get("fields", []), name, document, place)


def _names(file_name: str, source: ChoiceSource) -> set[str]:
    """Return what expressions may call the rows of a file."""
    return {file_name, source.name, PurePath(file_name).stem, PurePath(source.name).stem}


def columns_of_rows(
    fields: Sequence[AnyField], sources: Mapping[str, ChoiceSource]
) -> Iterator[tuple[str, tuple[AnyField, str]]]:
    """Yield the names of fields that a lookup beside them fills in, with the lookup and the XPath for the column."""
    own = {one.name: one for one in flatten_sections(fields)}
    for one in own.values():
        if isinstance(one, RepeatField):
            yield from columns_of_rows(one.fields, sources)
        source = sources.get(one.datasource_id)
        if source is None or not (file_name := to_file_name(one, source)):
            continue
        for column, name in one.mapping.items():
            if name in own and can_name_column(column):
                yield name, (one, _column_of_row(one, source, file_name, column))


def _column_of_row(lookup: AnyField, source: ChoiceSource, file_name: str, column: str) -> str:
    """Return the XPath for a column. `pulldata` reads files that no question has choices from."""
    rows = quote_xpath(PurePath(file_name).stem)
    if lookup.calculate is not UNSET and PurePath(file_name).suffix == ".csv":
        return f"pulldata({rows}, '{column}', '{source.key_column}', ${{{lookup.name}}})"
    return f"instance({rows})/root/item[{source.key_column} = ${{{lookup.name}}}]/{column}"
