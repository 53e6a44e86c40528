"""Tables in rules, such as `{'a': 'Kiel', 'b': 'Ulm'}[town]`: the labels of a choice, or else a list of its own in the
sheet `choices`.
"""

from collections.abc import Iterator, Mapping, Sequence, Set

from formwright.domain.forms.fields import AnyField, walk_fields
from formwright.domain.forms.fields.labels import label_template, names_in_text
from formwright.domain.forms.xlsform.syntax_tree import Call, Name, Node

Pairs = tuple[tuple[str, str], ...]
"""The keys of a table with their texts."""


class RuleTables:
    """Writes the look-ups in tables as XPath. `lists` are the tables that need a list, with its name; its
    names are none of those that are `taken`."""

    def __init__(
        self, fields: Sequence[AnyField], language: str, values: Mapping[str, Mapping[str, str]], taken: Set[str]
    ) -> None:
        self._labels = {field.name: _labels(field, language) for field in walk_fields(fields) if field.options}
        self._taken, self._values = taken, values
        self.lists: dict[Pairs, str] = {}

    def write(self, key: Node, xpath: str, pairs: Pairs) -> str:
        """Return the XPath for the text of a key. `xpath` is that of the key."""
        name = _choice_name(key)
        if name and self._labels.get(name) == pairs:
            return f"jr:choice-name({xpath}, '${{{name}}}')"
        renamed = self._values.get(name or "", {})
        table = tuple((renamed.get(value, value), text) for value, text in pairs)
        return f"instance('{self._list_of(table)}')/root/item[key = {xpath}]/text"

    def covers(self, key: Node, pairs: Pairs) -> bool:
        """Whether the table has a text for each answer of a choice."""
        return isinstance(key, Name) and {value for value, _ in self._labels.get(key.name, ())} <= dict(pairs).keys()

    def rows(self) -> Iterator[dict[tuple[str, str], str]]:
        """Yield the rows of all lists for the sheet `choices`."""
        for table, name in self.lists.items():
            for number, (key, text) in enumerate(table, start=1):
                cells = {"list_name": name, "name": str(number), "label": key, "key": key, "text": text}
                yield {(column, ""): cell for column, cell in cells.items() if cell}

    def _list_of(self, table: Pairs) -> str:
        if table not in self.lists:
            name = f"table_{len(self.lists) + 1}"
            while name in self._taken:
                name += "_"
            self.lists[table] = name
        return self.lists[table]


def _labels(field: AnyField, language: str) -> Pairs:
    """Return the labels in a language; none if they contain answers."""
    if any(names_in_text(option.label) for option in field.options):
        return ()
    return tuple((option.value, label_template(option.label, (language,))) for option in field.options)


def _choice_name(key: Node) -> str | None:
    """Return the name of the choice whose answer is the key, or one of its answers."""
    match key:
        case Name(name) | Call("selected-at", (Name(name), _)):
            return name
    return None
