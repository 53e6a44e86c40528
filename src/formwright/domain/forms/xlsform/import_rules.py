"""Translates the rules of a survey to CEL when all fields are known. Rules that cannot be translated are reported."""

from collections.abc import Collection, Mapping
from contextlib import suppress
from functools import partial

from formwright.domain.forms.fields.properties import MAX_RULE_LENGTH
from formwright.domain.forms.xlsform import xpath_to_cel
from formwright.domain.forms.xlsform.bounds import extract_bounds
from formwright.domain.forms.xlsform.calculations import (
    convert_to_kind,
    loses_results,
    store_untyped,
    translate_boolean,
)
from formwright.domain.forms.xlsform.call_resolver import CallResolver
from formwright.domain.forms.xlsform.choice_labels import ChoiceLabels
from formwright.domain.forms.xlsform.choice_values import column_kind, read_numbers
from formwright.domain.forms.xlsform.choices_sheet import column_name, keep_columns
from formwright.domain.forms.xlsform.first_rows import FirstRows
from formwright.domain.forms.xlsform.function_calls import RowScope
from formwright.domain.forms.xlsform.initial_answers import as_initial_answer, keep_answer
from formwright.domain.forms.xlsform.instance_name import COLUMN as TITLE_COLUMN
from formwright.domain.forms.xlsform.point_columns import shorten
from formwright.domain.forms.xlsform.question_paths import find_question
from formwright.domain.forms.xlsform.repeated_choices import can_repeat, join_rows, repeat_filter, spread_columns
from formwright.domain.forms.xlsform.report import Report
from formwright.domain.forms.xlsform.row_columns import RowColumns
from formwright.domain.forms.xlsform.row_filters import find_equal_columns
from formwright.domain.forms.xlsform.rule_scopes import ROW_BY_ROW, RuleScopes
from formwright.domain.forms.xlsform.survey_sheet import Document, PendingRule, Survey
from formwright.domain.forms.xlsform.syntax_tree import (
    TEXTS,
    TOO_LONG,
    Code,
    Kinds,
    Name,
    Node,
    Untranslatable,
)
from formwright.domain.forms.xlsform.tree_tests import (
    calls_function,
    draws_chance,
    finds_row_by,
    joins_texts,
    names_in_tree,
)
from formwright.domain.forms.xlsform.type_coercion import (
    DATES,
    DAYS,
)
from formwright.domain.forms.xlsform.types import VALUE_KINDS
from formwright.domain.forms.xlsform.xpath_parser import OPTION_PREFIX, names_in_xpath, parse_xpath

_VALUES = ("calculate", "defaultRule")
_COMPARISONS = ("<", "<=", ">", ">=", "==", "!=")


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
        self._survey, self._report = survey, report
        self._documents = index_documents(survey.fields)
        self._scopes = RuleScopes(survey, self._documents)
        labels = ChoiceLabels(survey, report, language)
        self._columns = RowColumns(survey, self._documents, self._translate_key, labels.write)
        self._calls = CallResolver(survey, self._scopes, self._columns, labels)
        self._first_rows = FirstRows(survey, self._columns, report)

    def translate_all(self) -> None:
        pending, names = self._survey.pending, self._survey.untyped
        untyped = [one for one in pending if one.member in _VALUES and one.name in names]
        others = [one for one in pending if one not in untyped]
        # First, because other rules read these fields and need their types.
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
            # In a cycle, none is ready. Then all are tried, because the loop must end.
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
        documents = index_documents(self._survey.fields)
        self._documents = self._columns.documents = self._scopes.documents = documents
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
        if one.member == "defaultRule" and finds_row_by(tree, one.name):
            raise Untranslatable("the answer that it finds a row by is the one that it sets")
        if one.member in _VALUES and self._columns.fill(one, self._calls.resolve_key(tree, one.name)):
            return
        tree = self._first_rows.read(self._calls.resolve(tree, one.name), one)
        if one.column == TITLE_COLUMN and calls_function(tree, "uuid"):
            tree = self._calls.add_unique_id(tree)
        kinds: Kinds = self._scopes.visible_kinds(one.name)
        if one.member == "calculate" and one.column != TITLE_COLUMN and draws_chance(tree):
            one = as_initial_answer(one, document, tree, kinds)
        if joins_texts(tree):
            detail = f"+ adds numbers, so {one.name} has no value in ODK, and here. To join texts, write concat()."
            self._report.add_change(one.sheet, one.row, one.column, "not_a_number", detail)
        if one.member != "defaultRule":
            tree = self._calls.keep_last_answers(tree)
        if one.member in ROW_BY_ROW:  # It sees some of the rows around it only, not all of them as in XPath.
            kinds = {name: kind for name, kind in kinds.items() if name not in self._survey.repeats[one.name]}
        if one.member == "defaultRule":
            kinds = {**kinds, **self._scopes.last_kinds()}
            if calls_function(tree, "once"):
                rows, is_repeated = self._scopes.row_scope(one.name, one.member), self._is_repeated(one.name, document)
                tree, kinds = keep_answer(one.name, tree, kinds, rows, is_repeated=is_repeated)
        if one.member in _VALUES:
            text = self._translate_calculation(tree, document, kinds, one.member)
            document[one.member] = _check_length(shorten(text, self._documents, self._survey.repeats))
            if one.column == "default":
                self._report_late_default(one, tree)
        elif one.member == "countRule":
            if any(one.name in (name, *self._survey.repeats.get(name, ())) for name in names_in_tree(tree)):
                raise Untranslatable("the number of rows depends on answers in these rows")
            found = xpath_to_cel.translate_value(tree, kinds, self._scopes.row_scope(one.name, one.member))
            document["countRule"] = _check_length(convert_to_kind(found, "int"))
        elif one.member == "validIf":
            # The page sets no first answer outside of bounds. ODK does, and then reports the constraint.
            is_computed = any(
                other.name == one.name and other.member == "defaultRule" for other in self._survey.pending
            )
            rest = tree if is_computed or "message" in document else extract_bounds(document, tree)
            _add_condition(document, rest, kinds, self._scopes.row_scope(one.name, one.member))
        else:
            rows = self._scopes.row_scope(one.name, one.member)
            document[one.member] = _check_length(xpath_to_cel.translate_condition(tree, kinds, rows=rows).text)

    def _parse(self, one: PendingRule, columns: Collection[str] = ()) -> Node:
        find = partial(find_question, self._survey)
        me = one.name if columns else self._survey.chosen.get(one.name, one.name)
        return parse_xpath(one.xpath, self._survey.names.resolve, me, columns, find=find)

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
        tree = self._calls.keep_last_answers(self._first_rows.read(self._parse(one, {*written, "name"}), one))
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
        kinds = self._scopes.visible_kinds(one.name) | {
            name: column_kind(document, columns.get(name)) for name in present
        }
        rows = self._scopes.row_scope(one.name, one.member)
        found = xpath_to_cel.translate_condition(read_numbers(tree, kinds), kinds, present, rows=rows)
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

    def _translate_key(self, value: Node, me: str) -> str:
        """Translate the key of a row, which is a text."""
        found = xpath_to_cel.translate_value(
            value,
            self._scopes.visible_kinds(me),
            self._scopes.row_scope(me, "calculate"),
        )
        if found.kind not in (*TEXTS, "int"):
            raise Untranslatable("the key of a row must be a text or a whole number")
        return _check_length(found.text if found.kind in TEXTS else f"string({found.text})")

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
        names = [self._survey.find_row_lookup(name) or name for name in names]
        if names and all(self._documents[name]["type"] == "note" for name in names):
            self._report_idle_trigger(one, "A note never changes, so it triggers nothing")
            return
        names = [name for name in names if self._documents[name]["type"] != "note"]
        if not names or not self._scopes.visible_kinds(one.name).keys() >= set(names):
            raise Untranslatable("an answer that triggers it is not visible from here, or is no answer")
        if computed := [name for name in names if "calculate" in self._documents[name]]:
            detail = (
                f"{computed[0]} is calculated, which triggers nothing in ODK. Here, its changes set {one.name}, too."
            )
            self._report.add_change(one.sheet, one.row, one.column, "trigger_computed", detail)
        names += self._columns.rows_of_triggers(rule["defaultRule"], names) if given else []
        document |= {**rule, "recalculateOn": list(dict.fromkeys(names))}

    def _is_repeated(self, name: str, document: Document) -> bool:
        """Whether the rule of an initial answer is evaluated again."""
        return "recalculateOn" in document or "trigger" in self._pending_columns(name)

    def _pending_columns(self, name: str) -> set[str]:
        return {other.column for other in self._survey.pending if other.name == name}

    def _report_idle_trigger(self, one: PendingRule, reason: str) -> None:
        self._report.add_drop(one.sheet, one.row, one.column, "no_effect", f"{reason}: {one.name}.")

    def _translate_row_filter(self, one: PendingRule, document: Document) -> None:
        """Translate a filter that compares columns with answers. Lookups have no other ones."""
        source = self._survey.sources[one.name]
        columns = {column_name(name): name for name in source.columns}
        tree = self._parse(one, set(source.columns))
        columns["value"] = "name" if "name" in source.columns else source.key_column
        equal = find_equal_columns(tree, columns)
        document["filter"] = {column: self._name_value(value, one.name, column) for column, value in equal.items()}
        if not document["filter"]:
            return
        detail = f"While an answer that filters {one.name} is missing, all rows are offered instead of none."
        self._report.add_change("survey", one.row, one.column, "row_filter", detail)

    def _name_value(self, value: Node, me: str, column: str) -> str:
        """Return the field with a value, which is added before the field `me` if it is no answer."""
        value = self._calls.resolve(value, me)
        if isinstance(value, Name):
            return value.name
        rule = self._translate_key(value, me)
        added = self._columns.add_field(me, f"{me}_{column}", "text", place=0)
        self._documents[added]["calculate"] = rule
        return added

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
        found = xpath_to_cel.translate_result(tree, kinds, self._scopes.row_scope(document["name"], member))
        if document["name"] in self._survey.untyped:
            return store_untyped(found, document)
        if found.kind == "text" and document["type"] == "location":
            return self._read_point(tree, found, document)
        if found.kind == DAYS and document["type"] == "date":
            detail = f"In ODK, {document['name']} would be a number of days. Here, it is the date."
            self._report.add_change("survey", self._survey.rows[document["name"]], None, "day_number", detail)
        if loses_results(found, kind := VALUE_KINDS.get(document["type"], "")):
            detail = (
                f"In ODK, {document['name']} would have the result even if it fits no question of this type. Here, it"
            )
            detail += " has the day then, or its number." if found.kind in DATES else " has no value then."
            self._report.add_change("survey", self._survey.rows[document["name"]], None, "result_type", detail)
        return convert_to_kind(found, kind)


def _check_length(text: str) -> str:
    if len(text) > MAX_RULE_LENGTH:
        raise Untranslatable(f"the translation is longer than {MAX_RULE_LENGTH} characters")
    return text


def _add_condition(document: Document, tree: Node | None, kinds: Mapping[str, str], rows: RowScope) -> None:
    """Add the condition of a constraint that no property of the field expresses, if there is one."""
    if tree is not None:
        found = xpath_to_cel.translate_condition(tree, kinds, frozenset({document["name"]}), rows=rows)
        document["validIf"] = _check_length(found.text)
