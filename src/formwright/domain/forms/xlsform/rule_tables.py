"""Tables in rules, such as `{'a': 'Kiel', 'b': 'Ulm'}[town]`: the labels of a choice, or else a list of its own in the
sheet `choices`.
"""

from collections.abc import Iterator, Mapping, Sequence, Set

from formwright.domain.forms.fields import AnyField, walk_fields
from formwright.domain.forms.fields.labels import label_template
from formwright.domain.forms.xlsform.syntax_tree import Binary, Call, Name, Node, Text

Pairs = tuple[tuple[str, str], ...]
"""The keys of a table with their texts."""


class RuleTables:
    """Writes the look-ups in tables as XPath. `lists` are the tables that need a list, with its name; its
    names are none of those that are `taken`."""

    def __init__(
        self, fields: Sequence[AnyField], language: str, values: Mapping[str, Mapping[str, str]], taken: Set[str]
    ) -> None:
        self._labels = {
            field.name: {option.value: label_template(option.label, (language,)) for option in field.options}
            for field in walk_fields(fields)
            if field.options
        }
        self._taken, self._values = taken, values
        self.lists: dict[Pairs, str] = {}

    def write_labels(self, key: Node, xpath: str, texts: Mapping[str, Node]) -> str | None:
        """Return the XPath for the label of a choice, if these are the labels of one. `xpath` is that of the key."""
        name = _choice_name(key)
        labels = {value: _label_of(text) for value, text in texts.items()}
        return f"jr:choice-name({xpath}, '${{{name}}}')" if name and self._labels.get(name) == labels else None

    def write(self, key: Node, xpath: str, pairs: Pairs) -> str:
        """Return the XPath for the text of a key in a list of the workbook."""
        table = tuple((self.value_of(key, value), text) for value, text in pairs)
        return f"instance('{self._list_of(table)}')/root/item[key = {xpath}]/text"

    def value_of(self, key: Node, value: str) -> str:
        """Return the value in the workbook for a key of a table, which differs from that of an option with spaces."""
        return self._values.get(_choice_name(key) or "", {}).get(value, value)

    def covers(self, key: Node, values: Set[str]) -> bool:
        """Whether a table with these keys has a text for each answer of a choice."""
        return isinstance(key, Name) and self._labels.get(key.name, {}).keys() <= values

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


def _label_of(text: Node) -> str | None:
    """Return the label that a text of a table shows, with `{{name}}` for answers; None if there is no such label."""
    match text:
        case Text(value):
            return value
        case Binary("+", left, right):
            parts = _label_of(left), _label_of(right)
            return None if None in parts else "".join(part for part in parts if part)
        case Call("if", (Call("answered", (Name(name),)), shown, Text(""))):
            return f"{{{{{name}}}}}" if shown in _as_texts(name) else None
    return None


def _as_texts(name: str) -> tuple[Node, ...]:
    return Name(name), Call("string", (Name(name),)), Call("join", (Name(name), Text(" ")))


def _choice_name(key: Node) -> str | None:
    """Return the name of the choice whose answer is the key, or one of its answers."""
    match key:
        case Name(name) | Call("selected-at", (Name(name), _)):
            return name
    return None
