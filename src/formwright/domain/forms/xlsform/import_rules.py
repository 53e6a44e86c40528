"""Translates the rules of a survey to CEL when all fields are known. Rules that cannot be translated are reported."""

import re
from collections.abc import Collection, Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from functools import partial, reduce

from formwright.domain.forms.fields import FIELD_CLASSES
from formwright.domain.forms.fields.labels import Label, label_template
from formwright.domain.forms.xlsform import xpath_to_cel
from formwright.domain.forms.xlsform.bounds import extract_bounds
from formwright.domain.forms.xlsform.cel_to_xpath import XPathTranslator
from formwright.domain.forms.xlsform.cel_tree import parse_cel
from formwright.domain.forms.xlsform.choices_sheet import column_name, keep_columns
from formwright.domain.forms.xlsform.first_rows import FirstRows
from formwright.domain.forms.xlsform.instance_name import COLUMN as TITLE_COLUMN
from formwright.domain.forms.xlsform.point_columns import find_points, shorten
from formwright.domain.forms.xlsform.question_paths import find_question
from formwright.domain.forms.xlsform.repeated_choices import can_repeat, join_rows, repeat_filter, spread_columns
from formwright.domain.forms.xlsform.report import Report
from formwright.domain.forms.xlsform.row_columns import RowColumns
from formwright.domain.forms.xlsform.survey_sheet import Document, PendingRule, Survey
from formwright.domain.forms.xlsform.syntax_tree import (
    ATOM,
    LAST_SAVED_PREFIX,
    NUMBERS,
    TEXTS,
    TOO_LONG,
    Binary,
    Boolean,
    Call,
    Code,
    Name,
    Node,
    Number,
    Text,
    Untranslatable,
)
from formwright.domain.forms.xlsform.tree_tests import draws_chance, fails_only_if_missing, names_in_tree
from formwright.domain.forms.xlsform.type_coercion import (
    DATES,
    DAYS,
    as_day,
    day_number,
    is_number,
    join_words,
    tests_only_presence,
)
from formwright.domain.forms.xlsform.types import VALUE_KINDS
from formwright.domain.forms.xlsform.xpath_functions import (
    CHOICE_LABEL,
    CHOICE_NUMBER,
    CHOICE_POINTS,
    RowNode,
    RowScope,
)
from formwright.domain.forms.xlsform.xpath_parser import OPTION_PREFIX, ROW_COLUMN, names_in_xpath, parse_xpath

_FIELD_TYPES = {
    "int": "integer",
    "double": "decimal",
    "bool": "boolean",
    "date": "date",
    "time": "time",
    "datetime": "datetime",
}
_VALUES = ("calculate", "defaultRule")
_ROW_BY_ROW = ("visibleIf", "calculate", "countRule")
"""Rules that are evaluated for one row of a repeat after the other. Others see all rows."""
_ARITHMETIC = ("+", "-", "*", "/", "%")
_COMPARISONS = ("<", "<=", ">", ">=", "==", "!=")
_WHOLE = re.compile(r"0|-?[1-9]\d{0,8}")
_NUMERIC = re.compile(r"\s*-?[\d.]+\s*")
_MAX_RULE_LENGTH = 2000


def translate_rules(survey: Survey, report: Report, language: str) -> None:
    """Add the rules to the fields. A calculation without a type of its own gets the type of its result.

    `language` is that of the form.
    """
    _RuleImporter(survey, report, language).translate_all()


def index_documents(fields: list[Document]) -> dict[str, Document]:
    """Return the definitions of all fields by name, including those inside groups."""
    found = {}
    for one in fields:
        found[one["name"]] = one
        found |= index_documents(one.get("fields", []))
    return found


def remove_field(fields: list[Document], name: str) -> None:
    """Remove a field, and groups that are empty without it."""
    for one in list(fields):
        if "fields" in one:
            remove_field(one["fields"], name)
        if one["name"] == name or one.get("fields") == []:
            fields.remove(one)


class _RuleImporter:
    def __init__(self, survey: Survey, report: Report, language: str) -> None:
        self._survey, self._report, self._language = survey, report, language
        self._documents = index_documents(survey.fields)
        self._columns = RowColumns(survey, self._documents, self._translate_key, self._label_text)
        self._first_rows = FirstRows(survey, self._columns, report)

    def translate_all(self) -> None:
        pending, names = self._survey.pending, self._survey.untyped
        untyped = [one for one in pending if one.member in _VALUES and one.name in names]
        others = [one for one in pending if one not in untyped]
        self._translate_in_order(untyped)
        for one in others:
            self._try_translate(one)
        for document in self._documents.values():
            if "options" in document and "optionFilter" not in document:
                document["options"] = keep_columns(document["options"], ())

    def _translate_in_order(self, waiting: list[PendingRule]) -> None:
        """Translate calculations in the order of their dependencies, whose types they need."""
        names = {one.name for one in waiting}
        while waiting:
            ready = [one for one in waiting if not (self._references(one) & names) - {one.name}] or waiting
            for one in ready:
                if self._try_translate(one):
                    pass
                elif one.name in self._survey.notes:
                    self._documents[one.name]["type"] = "note"
                else:
                    self._remove_field(one)
                names.discard(one.name)
            waiting = [one for one in waiting if one not in ready]

    def _remove_field(self, one: PendingRule) -> None:
        remove_field(self._survey.fields, one.name)
        self._documents = self._columns.documents = index_documents(self._survey.fields)
        self._survey.names.leave_out(one.name, one.row)

    def _references(self, one: PendingRule) -> set[str]:
        """Return the fields that a rule names, also in paths if it can be parsed."""
        found = set[str]()
        with suppress(Untranslatable, RecursionError):
            found |= names_in_tree(self._parse(one))
        for written in names_in_xpath(one.xpath):
            try:
                found.add(self._survey.names.resolve(written))
            except Untranslatable:
                continue
        return found

    def _try_translate(self, one: PendingRule) -> bool:
        """Translate a rule. Returns False, and reports it, if that is not possible."""
        if one.name not in self._documents:
            return True
        try:
            self._translate(one, self._documents[one.name])
        except (Untranslatable, RecursionError) as error:
            reason = error if isinstance(error, Untranslatable) else TOO_LONG
            alone = one.member in _VALUES and one.name in self._survey.untyped
            what = one.name if alone else f"The {one.column} of {one.name}"
            detail = f"{what} was left out: {reason}. The {one.column} was: {one.xpath[:300]}"
            self._report.add_refusal(one.sheet, one.row, one.column, "rule_left_out", detail)
            return False
        return True

    def _translate(self, one: PendingRule, document: Document) -> None:
        if one.member == "optionFilter" and document["type"] in ("lookup", "lookups"):
            self._translate_row_filter(one, document)
            return
        if one.member == "optionFilter":
            self._translate_filter(one, document)
            return
        if one.member == "recalculateOn":
            self._add_triggers(one, document)
            return
        tree = self._parse(one)
        if one.member == "defaultRule" and _finds_row_by(tree, one.name):
            raise Untranslatable("the answer that it finds a row by is the one that it sets")
        if one.member in _VALUES and self._columns.fill(one, self._resolve_key(tree, one.name)):
            return
        tree = self._first_rows.read(self._resolve_calls(tree, one.name), one)
        if one.column == TITLE_COLUMN and _calls_uuid(tree):
            tree = self._with_unique_id(tree)
        if one.member == "calculate" and draws_chance(tree):
            one = self._as_initial_answer(one, document, tree)
        if one.member != "defaultRule":
            tree = self._keep_last_answers(tree)
        kinds = self._visible_kinds(one.name)
        if one.member in _ROW_BY_ROW:  # It sees some of the rows around it only, not all of them as in XPath.
            kinds = {name: kind for name, kind in kinds.items() if name not in self._survey.repeats[one.name]}
        if one.member == "defaultRule":
            kinds |= self._last_kinds()
        if one.member in _VALUES:
            text = self._translate_calculation(tree, document, kinds, one.member)
            document[one.member] = _check_length(shorten(text, self._documents, self._survey.repeats))
            if one.column == "default":
                self._report_late_default(one, tree)
        elif one.member == "countRule":
            found = xpath_to_cel.translate_value(tree, kinds, self._row_scope(one.name, one.member))
            document["countRule"] = _check_length(_convert_to_kind(found, "int"))
        elif one.member == "validIf":
            # The page sets no first answer outside of bounds. ODK does, and then reports the constraint.
            is_computed = not self._pending_columns(one.name).isdisjoint(("calculation", "default"))
            rest = tree if is_computed or "message" in document else extract_bounds(document, tree)
            _add_condition(document, rest, kinds, self._row_scope(one.name, one.member))
        else:
            rows = self._row_scope(one.name, one.member)
            document[one.member] = _check_length(xpath_to_cel.translate_condition(tree, kinds, rows=rows).text)

    def _parse(self, one: PendingRule, columns: Collection[str] = ()) -> Node:
        find = partial(find_question, self._survey, one.name)
        return parse_xpath(one.xpath, self._survey.names.resolve, one.name, columns, find=find)

    def _report_late_default(self, one: PendingRule, tree: Node) -> None:
        """Report a default that depends on other answers, which people give after the form has been opened."""
        if names_in_tree(tree) & self._documents.keys():
            detail = (
                f"In ODK, the default of {one.name} is computed when the form or row is opened, from the answers that"
            )
            detail += " there are by then. Here, it is computed as soon as it has a value."
            self._report.add_change(one.sheet, one.row, one.column, "default_later", detail)

    def _translate_filter(self, one: PendingRule, document: Document) -> None:
        """Translate a filter, and keep the columns that it uses in the options."""
        options, count = spread_columns(document["options"])
        written = {name for option in options for name in option["columns"]}
        tree = self._keep_last_answers(self._first_rows.read(self._parse(one, {*written, "name"}), one))
        if can_repeat(tree, count):
            tree, document["options"] = repeat_filter(tree, count), options
        elif count > 1 and (joined := join_rows(tree, document["options"])):
            self._survey.columns.update(
                name for name in written if f"{OPTION_PREFIX}{column_name(name)}" in names_in_tree(tree)
            )
            tree, document["options"] = joined
            written = {name for option in document["options"] for name in option["columns"]}
        elif count > 1:
            detail = f"Choices of {one.name} occur several times. The filter only uses their first rows."
            self._report.add_refusal("survey", one.row, one.column, "choice_twice", detail)
        columns = {f"{OPTION_PREFIX}{column_name(name)}": name for name in written}
        present = frozenset({*columns, f"{OPTION_PREFIX}value"})
        kinds = self._visible_kinds(one.name) | {name: _column_kind(document, columns.get(name)) for name in present}
        found = xpath_to_cel.translate_condition(tree, kinds, present, rows=self._row_scope(one.name, one.member))
        document["optionFilter"] = _check_length(found.text)
        if "default" in document and names_in_tree(tree) & self._documents.keys():
            detail = (
                f"In ODK, the default of {one.name} remains until the question is shown. Here, it is removed as soon as"
            )
            detail += " the choice_filter does not offer it."
            self._report.add_change(one.sheet, one.row, "default", "default_later", detail)
        used = [columns[name] for name in sorted(names_in_tree(tree) & columns.keys())]
        self._survey.columns.update(used)
        document["options"] = keep_columns(document["options"], used)

    def _resolve_calls(self, node: Node, me: str) -> Node:
        """Return the tree with the labels, columns and repeats that the XPath looks up."""
        match found := find_points(node, self._documents, self._survey.lists):
            case Call(called, _) if called == CHOICE_POINTS:
                return found
            case Call("jr:choice-name", (value, of)):
                return self._choice_label(self._resolve_calls(value, me), of, me)
            case Call(called, (Text(of), Text(key), value, Text(column))) if called == ROW_COLUMN:
                return self._columns.read(me, of, key, self._resolve_calls(value, me), column)
            case Call("position", (Number(levels),)):
                return Call("position", (Text(self._repeat_above(me, int(levels))),))
            case Call(called, args):
                return Call(called, tuple(self._resolve_calls(arg, me) for arg in args))
            case Binary("==" | "!=" as op, left, right) if equal := self._equal_options(op, left, right):
                return equal
            case Binary(op, left, right):
                sides = [self._resolve_calls(side, me) for side in (left, right)]
                if op in _ARITHMETIC or (op in _COMPARISONS and any(map(_is_number, sides))):
                    sides = [self._number(side) for side in sides]
                return Binary(op, *sides)
        return node

    def _resolve_key(self, tree: Node, me: str) -> Node:
        """Return a column of a row with what the XPath of its key looks up, and other expressions as they are."""
        match tree:
            case Call(called, (of, key, value, column)) if called == ROW_COLUMN:
                return Call(called, (of, key, self._resolve_calls(value, me), column))
        return tree

    def _translate_key(self, value: Node, me: str) -> str:
        """Translate the key of a row, which is a text."""
        found = xpath_to_cel.translate_value(value, self._visible_kinds(me), self._row_scope(me, "calculate"))
        if found.kind not in (*TEXTS, "int"):
            raise Untranslatable("the key of a row must be a text or a whole number")
        return _check_length(found.text if found.kind in TEXTS else f"string({found.text})")

    def _as_initial_answer(self, one: PendingRule, document: Document, tree: Node) -> PendingRule:
        """Return a calculation with `random()` or `uuid()` as a rule for an initial answer.

        JavaRosa evaluates it when the form is opened, and again only if an answer that it reads changes.
        """
        names = sorted(names_in_tree(tree))
        if any("calculate" in self._documents.get(name, {}) or name == one.name for name in names):
            raise Untranslatable("random() and uuid() are not supported with calculated answers")
        if names:
            document["recalculateOn"] = names
        return replace(one, member="defaultRule")

    def _last_kinds(self) -> dict[str, str]:
        """Return the value kinds of the answers of the last response, which are those outside of repeats."""
        return {
            f"{LAST_SAVED_PREFIX}{name}": VALUE_KINDS[document["type"]]
            for name, document in self._documents.items()
            if not self._repeats_of(name)
            and document["type"] in VALUE_KINDS
            and FIELD_CLASSES[document["type"]].is_remembered
        }

    def _keep_last_answers(self, node: Node) -> Node:
        """Return the tree with hidden fields instead of answers of the last response, for rules other than defaults."""
        match node:
            case Name(name) if name.startswith(LAST_SAVED_PREFIX):
                return Name(self._last_answer(name))
            case Call(called, args):
                return Call(called, tuple(map(self._keep_last_answers, args)))
            case Binary(op, left, right):
                return Binary(op, self._keep_last_answers(left), self._keep_last_answers(right))
        return node

    def _last_answer(self, rule: str) -> str:
        """Return the hidden field with an answer of the last response, which is added if there is none."""
        kind, name = self._last_kinds().get(rule), rule.removeprefix(LAST_SAVED_PREFIX)
        if kind not in (*TEXTS, *_FIELD_TYPES):
            raise Untranslatable(f"the last answer to {name} cannot be read here")
        for other, document in self._documents.items():
            if document.get("defaultRule") == rule and document.get("hidden"):
                return other
        added = self._columns.add_field(name, f"last_{name}", _FIELD_TYPES.get(kind, "text"), place=0)
        self._documents[added]["defaultRule"] = rule
        return added

    def _with_unique_id(self, tree: Node) -> Node:
        """Return the title with a hidden field instead of `uuid()`, because it must stay the same."""
        added = self._columns.add_field(TITLE_COLUMN, "unique_id", "text", place=0)
        self._documents[added]["defaultRule"] = "uuid()"
        return _replace_uuid(tree, Name(added))

    def _choice_label(self, value: Node, of: Node, me: str) -> Node:
        """Return the label of a choice: from a table, or from the row of a lookup. `of` names the question."""
        written = names_in_xpath(of.value) if isinstance(of, Text) else []
        name = of.name if isinstance(of, Name) else self._survey.names.resolve(written[0]) if written else ""
        document = self._documents.get(name, {})
        if value == Name(name) and (source := self._survey.sources.get(name)) and document.get("display"):
            return self._columns.read(me, source.name, source.key_column, value, document["display"][0])
        labels = [(option["value"], self._label_text(option["label"], me)) for option in document.get("options", ())]
        if not labels:
            raise Untranslatable("jr:choice-name() is only supported with a question with choices")
        texts = [Text(text) for pair in labels for text in pair]
        if document["type"] == "choices" and value == Name(name):
            # Several choices together have no label.
            is_one = Binary("==", Call("count-selected", (value,)), Number("1"))
            first = Call(CHOICE_LABEL, (Call("selected-at", (value, Number("0"))), *texts))
            return Call("if", (is_one, first, Text("")))
        return Call(CHOICE_LABEL, (value, *texts))

    def _label_text(self, label: Label, me: str) -> str:
        """Return a label in the language of the form, as rules do not depend on that of the page."""
        if isinstance(label, dict):
            detail = f"The label of a choice in {me} is that in the language of the form, whatever that of the page."
            self._report.add_change("survey", self._survey.rows[me], None, "choice_label", detail)
        text = label_template(label, (self._language,))
        if "${" in text:
            raise Untranslatable("the label of a choice contains an answer")
        return text

    def _number(self, node: Node) -> Node:
        """Return the value of a choice as a number, if all of its options are whole numbers, and others as they are."""
        options = self._documents.get(node.name, {}).get("options", []) if isinstance(node, Name) else []
        is_choice = isinstance(node, Name) and options and self._documents[node.name]["type"] == "choice"
        is_number = is_choice and all(_WHOLE.fullmatch(option["value"]) for option in options)
        return Call(CHOICE_NUMBER, (node,)) if is_number else node

    def _equal_options(self, op: str, left: Node, right: Node) -> Node | None:
        """Compare a choice with the options that are the same number, such as `02` for 2. None for other operands."""
        name, number = (left, right) if isinstance(left, Name) else (right, left)
        document = self._documents.get(name.name, {}) if isinstance(name, Name) else {}
        if document.get("type") != "choice" or not isinstance(number, Number):
            return None
        values = [option["value"] for option in document["options"]]
        if all(_WHOLE.fullmatch(value) or not _NUMERIC.fullmatch(value) for value in values):
            return None
        same = [Text(value) for value in values if is_number(value) and float(value) == float(number.text)]
        tests: list[Node] = [Binary(op, name, value) for value in same] or [Boolean(op == "!=")]
        return reduce(lambda one, other: Binary("or" if op == "==" else "and", one, other), tests)

    def _repeat_above(self, name: str, levels: int) -> str:
        """Return the repeat that `..`, or `../..` and so on, is for this field."""
        around = self._survey.containers[name]
        if levels <= len(around) and (found := around[-levels]) in (*self._survey.repeats[name],):
            return found
        raise Untranslatable("position() is only supported for rows of a repeat around it")

    def _add_triggers(self, one: PendingRule, document: Document) -> None:
        """Add the fields whose changes set an answer, or remove it. Without them, a rule applies at another time."""
        if document["type"] == "note" and "calculation" not in self._pending_columns(one.name):
            self._report_idle_trigger(one, "A note has no answer that the trigger could remove")
            return
        given = "calculation" in self._pending_columns(one.name)
        if given and "defaultRule" not in document:
            return  # The report says why.
        if document["type"] not in VALUE_KINDS or document["type"] == "repeat":
            raise Untranslatable("there is no answer to remove")
        rule = {"defaultRule": document.pop("defaultRule")} if given else {}
        names = [self._survey.names.resolve(written) for written in names_in_xpath(one.xpath)]
        if names and all(self._documents[name]["type"] == "note" for name in names):
            self._report_idle_trigger(one, "A note never changes, so it triggers nothing")
            return
        names = [name for name in names if self._documents[name]["type"] != "note"]
        if not names or not self._visible_kinds(one.name).keys() >= set(names):
            raise Untranslatable("an answer that triggers it is not visible from here, or is no answer")
        names += self._columns.rows_of_triggers(rule["defaultRule"], names) if given else []
        document |= {**rule, "recalculateOn": list(dict.fromkeys(names))}

    def _pending_columns(self, name: str) -> set[str]:
        return {other.column for other in self._survey.pending if other.name == name}

    def _report_idle_trigger(self, one: PendingRule, reason: str) -> None:
        self._report.add_drop(one.sheet, one.row, one.column, "no_effect", f"{reason}: {one.name}.")

    def _translate_row_filter(self, one: PendingRule, document: Document) -> None:
        """Translate a filter that compares columns with answers. Lookups have no other ones."""
        source = self._survey.sources[one.name]
        columns = {column_name(name): name for name in source.columns}
        tree = self._parse(one, set(source.columns))
        columns["value"] = source.key_column
        document["filter"] = dict(_equal_columns(tree, columns))
        if not document["filter"]:
            return
        detail = f"While an answer that filters {one.name} is missing, all rows are offered instead of none."
        self._report.add_change("survey", one.row, one.column, "row_filter", detail)

    def _visible_kinds(self, name: str) -> dict[str, str]:
        """Return the value kinds of the fields that its rules can see: outside of repeats, and in its own."""
        around = self._survey.repeats[name]
        return {
            other: VALUE_KINDS[document["type"]]
            for other, document in self._documents.items()
            if document["type"] in VALUE_KINDS and self._repeats_of(other) == around[: len(self._repeats_of(other))]
        }

    def _row_scope(self, name: str, member: str) -> RowScope:
        """Return the fields in repeats that a rule of this field can read."""
        around = self._survey.repeats[name]
        inside: dict[str, tuple[str, str]] = {}
        own: dict[str, tuple[str, str]] = {}
        for other, document in self._documents.items():
            repeats = self._repeats_of(other)
            if not repeats or document["type"] not in VALUE_KINDS or repeats[:-1] != around[: len(repeats) - 1]:
                continue
            place = own if repeats == around[: len(repeats)] else inside
            place[other] = repeats[-1], VALUE_KINDS[document["type"]]
        nodes = {other: self._row_node(other, around) for other in self._documents}
        return RowScope(inside, own, member in _ROW_BY_ROW, nodes, member == "defaultRule")

    def _row_node(self, name: str, around: tuple[str, ...]) -> RowNode:
        """Return a question, group or repeat as a rule inside the repeats `around` it can count it."""
        kind = self._documents[name]["type"]
        repeats = (*self._repeats_of(name), *((name,) if kind == "repeat" else ()))
        shared = 0
        while shared < min(len(repeats), len(around)) and repeats[shared] == around[shared]:
            shared += 1
        return RowNode(repeats[shared:], VALUE_KINDS.get(kind, ""), name in around)

    def _repeats_of(self, name: str) -> tuple[str, ...]:
        return self._survey.repeats[name]

    def _read_point(self, tree: Node, found: Code, document: Document) -> str:
        """Return the rule for a location whose coordinates are a text, which a hidden field calculates."""
        name = tree.name if isinstance(tree, Name) else ""
        if not name:
            name = self._columns.add_field(document["name"], f"{document['name']}_text", "text", place=0)
            self._documents[name]["calculate"] = _check_length(found.text)
        return f"{{'latitude': number({name}.words()[0]), 'longitude': number({name}.words()[1])}}"

    def _translate_calculation(self, tree: Node, document: Document, kinds: Mapping[str, str], member: str) -> str:
        if document["type"] == "boolean":
            return translate_boolean(tree, kinds)
        found = xpath_to_cel.translate_result(tree, kinds, self._row_scope(document["name"], member))
        if document["name"] in self._survey.untyped:
            return _store_untyped(found, document)
        if found.kind == "text" and document["type"] == "location":
            return self._read_point(tree, found, document)
        if found.kind == DAYS and document["type"] == "date":
            detail = f"In ODK, {document['name']} would be a number of days. Here, it is the date."
            self._report.add_change("survey", self._survey.rows[document["name"]], None, "day_number", detail)
        if _loses_results(found, kind := VALUE_KINDS.get(document["type"], "")):
            detail = (
                f"In ODK, {document['name']} would have the result even if it fits no question of this type. Here, it"
            )
            detail += " has the number of days then." if found.kind in DATES else " has no value then."
            self._report.add_change("survey", self._survey.rows[document["name"]], None, "result_type", detail)
        return _convert_to_kind(found, kind)


def _store_untyped(found: Code, document: Document) -> str:
    """Set the type of a calculation to that of its result."""
    found = day_number(found) if found.kind == DAYS else join_words(found) if found.kind == "choices" else found
    if found.kind not in (*TEXTS, *_FIELD_TYPES):
        raise Untranslatable("its result cannot be stored")
    document["type"] = _FIELD_TYPES.get(found.kind, "text")
    return found.text


def translate_boolean(tree: Node, kinds: Mapping[str, str]) -> str:
    """Translate a calculation of `true` and `false`, which may also be empty if answers are missing."""
    match tree:
        case Call("if", (asked, Text("true"), Text("false"))):
            return xpath_to_cel.translate_condition(asked, kinds, safe=True).text
        case Call("if", (there, Call("if", (asked, Text("true"), Text("false"))), Text(""))) if tests_only_presence(
            there
        ):
            proved = xpath_to_cel.translate_condition(there, kinds).proves
            found = xpath_to_cel.translate_condition(asked, kinds, proved).text
            if fails_only_if_missing(said := parse_cel(found)) and proved <= names_in_tree(said):
                return found
        case Call("if", (asked, Text("true"), Call("if", (against, Text("false"), Text(""))))):
            found = xpath_to_cel.translate_condition(asked, kinds).text
            opposite = XPathTranslator(kinds, None, {}).condition(parse_cel(found), negated=True).text
            if parse_xpath(opposite, str, "") == against:
                return found
    if xpath_to_cel.translate_value(tree, kinds).kind in TEXTS:
        raise Untranslatable("its result has another type than the question")
    return xpath_to_cel.translate_condition(tree, kinds, safe=True).text


def _loses_results(code: Code, kind: str) -> bool:
    """Whether a question of this kind has no value, or another one, for some results of an expression."""
    if code.kind in ("date", "datetime"):
        return kind in NUMBERS
    return code.kind in ("text", "choice") and kind in (*NUMBERS, "date", "time", "datetime")


def _convert_to_kind(code: Code, kind: str) -> str:
    if (code.kind, kind) == ("datetime", "time"):
        return f"{code.parenthesize(ATOM)}.substring(11, 19)"
    if kind == "date" and code.kind in DATES:
        return as_day(code).text
    if kind in NUMBERS and code.kind in DATES:
        code = day_number(code)
    if kind == "text" and code.kind == DAYS:
        code = day_number(code)
    if code.kind == kind or (kind in TEXTS and code.kind in TEXTS) or (kind, code.kind) == ("double", "int"):
        return code.text
    if (kind, code.kind) == ("int", "double"):
        return f"int({code.text})"
    if kind == "text" and code.kind in NUMBERS and "number(" in code.text:
        return f"[string({code.text})][{code.text} == {code.text} ? 0 : 1]"  # NaN, which is no answer, equals nothing.
    if kind == "text" and code.kind in NUMBERS:
        return f"string({code.text})"
    if kind == "text" and code.kind == "choices":
        return join_words(code).text
    if kind == "choices" and code.kind in ("text", "choice"):
        return f"{code.parenthesize(ATOM)}.words()"
    if kind in NUMBERS and code.kind in ("text", "choice"):
        number = f"number({code.text})"
        return number if kind == "double" else f"int({number})"
    raise Untranslatable("its result has another type than the question")


def _column_kind(document: Document, column: str | None) -> str:
    """Return `choice` if the cells equal numbers whenever their texts do, so that literal numbers can be texts."""
    cells = [option["columns"].get(column, "") if column else option["value"] for option in document["options"]]
    return "choice" if all(_WHOLE.fullmatch(cell) or not _NUMERIC.fullmatch(cell) for cell in cells) else "text"


def _finds_row_by(node: Node, name: str) -> bool:
    """Whether an expression reads a column of the row that the answer of a field identifies."""
    match node:
        case Call(called, (_, _, value, _)) if called == ROW_COLUMN:
            return name in names_in_tree(value)
        case Call(_, args):
            return any(_finds_row_by(arg, name) for arg in args)
        case Binary(_, left, right):
            return _finds_row_by(left, name) or _finds_row_by(right, name)
    return False


def _calls_uuid(node: Node) -> bool:
    return _replace_uuid(node, Text("")) != node


def _replace_uuid(node: Node, by: Node) -> Node:
    match node:
        case Call("uuid", ()):
            return by
        case Call(called, args):
            return Call(called, tuple(_replace_uuid(arg, by) for arg in args))
        case Binary(op, left, right):
            return Binary(op, _replace_uuid(left, by), _replace_uuid(right, by))
    return node


def _is_number(node: Node) -> bool:
    return isinstance(node, Number) or (isinstance(node, Binary) and node.op in _ARITHMETIC)


def _check_length(text: str) -> str:
    if len(text) > _MAX_RULE_LENGTH:
        raise Untranslatable(f"the translation is longer than {_MAX_RULE_LENGTH} characters")
    return text


def _add_condition(document: Document, tree: Node | None, kinds: Mapping[str, str], rows: RowScope) -> None:
    """Add the condition of a constraint that no property of the field expresses, if there is one."""
    if tree is not None:
        found = xpath_to_cel.translate_condition(tree, kinds, frozenset({document["name"]}), rows=rows)
        document["validIf"] = _check_length(found.text)


def _equal_columns(tree: Node, columns: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Yield each column with the name of the answer that it must equal."""
    match tree:
        case Binary("and", left, right):
            yield from _equal_columns(left, columns)
            yield from _equal_columns(right, columns)
        case Binary("==", Name(one), Name(other)) if one.startswith(OPTION_PREFIX) != other.startswith(OPTION_PREFIX):
            column, name = (one, other) if one.startswith(OPTION_PREFIX) else (other, one)
            yield columns[column.removeprefix(OPTION_PREFIX)], name
        case Boolean(True):
            return  # Some forms have it so that others make the rows available to expressions.
        case _:
            raise Untranslatable("rows of a data source are filtered by columns that equal answers, joined by and")
