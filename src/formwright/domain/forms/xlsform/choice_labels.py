"""Labels of choices in rules, as `jr:choice-name()` and columns of choices read them."""

from formwright.domain.forms.fields.labels import Label, label_template
from formwright.domain.forms.xlsform.answers_in_texts import split_references
from formwright.domain.forms.xlsform.report import Report
from formwright.domain.forms.xlsform.survey_sheet import Document, Survey
from formwright.domain.forms.xlsform.syntax_tree import Binary, Call, Name, Node, Number, Text, Untranslatable
from formwright.domain.forms.xlsform.xpath_functions import CHOICE_LABEL

_WITH_CHOICES = ("choice", "choices", "ranking", "lookup", "lookups")


class ChoiceLabels:
    """Labels in the language of the form, as rules do not depend on that of the page."""

    def __init__(self, survey: Survey, report: Report, language: str) -> None:
        self._survey, self._report, self._language = survey, report, language

    def look_up(self, value: Node, name: str, document: Document, me: str) -> Node:
        """Return a table of the labels of a question, with the label of a value, for a rule of the field `me`."""
        if document.get("type") not in _WITH_CHOICES:
            return Text("")
        texts = list[Node]()
        for option in document.get("options", ()):
            texts += (Text(option["value"]), self._as_node(option["label"], me))
        if not texts:
            raise Untranslatable("jr:choice-name() is only supported with a question with choices")
        if document["type"] == "choices" and value == Name(name):
            # Several choices together have no label.
            is_one = Binary("==", Call("count-selected", (value,)), Number("1"))
            first = Call(CHOICE_LABEL, (Call("selected-at", (value, Number("0"))), *texts))
            return Call("if", (is_one, first, Text("")))
        return Call(CHOICE_LABEL, (value, *texts))

    def write(self, label: Label, me: str) -> str:
        """Return a label, which must not contain answers."""
        text = self._choose_language(label, me)
        if "${" in text:
            raise Untranslatable("the label of a choice contains an answer")
        return text

    def _as_node(self, label: Label, me: str) -> Node:
        """Return the expression for a label, which may contain answers outside of repeats."""
        text = self._choose_language(label, me)
        if "${" not in text:
            return Text(text)
        parts = split_references(text)
        nodes = tuple(self._answer(name, me) if name else Text(part) for part, name in parts)
        if any(isinstance(node, Name) and self._survey.repeats[node.name] for node in nodes):
            raise Untranslatable("the label of a choice contains an answer in a repeat")
        return Call("concat", nodes)

    def _answer(self, written: str, me: str) -> Node:
        """Return the answer in a label. It is empty in a rule that calculates this answer, as in ODK at first."""
        if (name := self._survey.names.resolve(written)) != me:
            return Name(name)
        detail = f"The label of a choice contains {me}, which is calculated from it, and is empty there. In ODK, it"
        detail += " has the value that it had before."
        self._report.add_change("survey", self._survey.rows[me], None, "choice_label", detail)
        return Text("")

    def _choose_language(self, label: Label, me: str) -> str:
        if isinstance(label, dict):
            detail = f"The label of a choice in {me} is that in the language of the form, whatever that of the page."
            self._report.add_change("survey", self._survey.rows[me], None, "choice_label", detail)
        return label_template(label, (self._language,))
