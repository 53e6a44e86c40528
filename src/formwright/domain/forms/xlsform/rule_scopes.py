"""Which answers the rules of an imported survey can read."""

from collections.abc import Mapping

from formwright.domain.forms.fields import FIELD_CLASSES
from formwright.domain.forms.xlsform.function_calls import RowNode, RowScope
from formwright.domain.forms.xlsform.survey_sheet import Document, Survey
from formwright.domain.forms.xlsform.syntax_tree import LAST_SAVED_PREFIX, Untranslatable
from formwright.domain.forms.xlsform.types import VALUE_KINDS

Documents = Mapping[str, Document]
ROW_BY_ROW = ("visibleIf", "calculate", "countRule")
"""Rules that are evaluated for one row of a repeat after the other. Others see all rows."""


class RuleScopes:
    """Answers for rules of each field. `documents` are the definitions of all fields by name."""

    def __init__(self, survey: Survey, documents: Documents) -> None:
        self._survey, self.documents = survey, documents

    def last_kinds(self) -> dict[str, str]:
        """Return the value kinds of the answers of the last response, which are those outside of repeats."""
        return {
            f"{LAST_SAVED_PREFIX}{name}": VALUE_KINDS[document["type"]]
            for name, document in self.documents.items()
            if not self._survey.repeats[name]
            and document["type"] in VALUE_KINDS
            and FIELD_CLASSES[document["type"]].is_remembered
        }

    def repeat_above(self, name: str, levels: int) -> str:
        """Return the repeat that `..`, or `../..` and so on, is for this field. An empty text if it is a group."""
        around = self._survey.containers[name]
        if levels > len(around) + 1:
            raise Untranslatable("position() leads out of the form")
        found = around[-levels] if levels <= len(around) else ""
        return found if found in self._survey.repeats[name] else ""

    def visible_kinds(self, name: str) -> dict[str, str]:
        """Return the value kinds of the fields that its rules can see: outside of repeats, and in its own."""
        around = self._survey.repeats[name]
        return {
            other: VALUE_KINDS[document["type"]]
            for other, document in self.documents.items()
            if document["type"] in VALUE_KINDS
            and self._survey.repeats[other] == around[: len(self._survey.repeats[other])]
        }

    def row_scope(self, name: str, member: str) -> RowScope:
        """Return the fields in repeats that a rule of this field can read."""
        around = self._survey.repeats[name]
        inside: dict[str, tuple[str, str]] = {}
        own: dict[str, tuple[str, str]] = {}
        for other, document in self.documents.items():
            repeats = self._survey.repeats[other]
            if not repeats or document["type"] not in VALUE_KINDS or repeats[:-1] != around[: len(repeats) - 1]:
                continue
            place = own if repeats == around[: len(repeats)] else inside
            place[other] = repeats[-1], VALUE_KINDS[document["type"]]
        nodes = {other: self._row_node(other, around) for other in self.documents}
        return RowScope(inside, own, member in ROW_BY_ROW, nodes, member == "defaultRule")

    def _row_node(self, name: str, around: tuple[str, ...]) -> RowNode:
        """Return a question, group or repeat as a rule inside the repeats `around` it can count it."""
        kind = self.documents[name]["type"]
        repeats = (*self._survey.repeats[name], *((name,) if kind == "repeat" else ()))
        shared = 0
        while shared < min(len(repeats), len(around)) and repeats[shared] == around[shared]:
            shared += 1
        return RowNode(repeats[shared:], VALUE_KINDS.get(kind, ""), name in around)
