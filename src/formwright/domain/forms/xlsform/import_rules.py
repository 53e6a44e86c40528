"""Rules of a survey into CEL, once all fields are known; those that do not translate are left out by name."""

import re
from collections.abc import Mapping
from typing import Any

from formwright.domain.forms.regex.patterns import pattern_fault
from formwright.domain.forms.xlsform import xpath_to_cel
from formwright.domain.forms.xlsform.cel_parser import read_cel
from formwright.domain.forms.xlsform.cel_to_xpath import ToXPath, is_plain, needed
from formwright.domain.forms.xlsform.report import Report
from formwright.domain.forms.xlsform.survey_sheet import Document, Pending, Survey
from formwright.domain.forms.xlsform.syntax_tree import (
    KIND_OF,
    NUMBERS,
    TEXTS,
    TOO_MUCH,
    Call,
    Code,
    Name,
    Node,
    Number,
    Pair,
    Text,
    Untranslatable,
)
from formwright.domain.forms.xlsform.type_coercion import only_presence
from formwright.domain.forms.xlsform.xpath_parser import names_in_xpath, read_xpath

_MEMBER = {"int": "integer", "double": "decimal", "bool": "boolean"}
_LONGEST = 2000


def carry_rules(survey: Survey, report: Report) -> None:
    """Puts the rules into the documents. A calculation without a kind of its own gets that of what it comes to."""
    _Carrier(survey, report).carry()


def documents(fields: list[Document]) -> dict[str, Document]:
    """All documents by name, also those inside groups."""
    found = {}
    for one in fields:
        found[one["name"]] = one
        found |= documents(one.get("fields", []))
    return found


def remove(fields: list[Document], name: str) -> None:
    """Takes a field out, wherever it is, and groups that are empty then."""
    for one in list(fields):
        if "fields" in one:
            remove(one["fields"], name)
        if one["name"] == name or one.get("fields") == []:
            fields.remove(one)


class _Carrier:
    def __init__(self, survey: Survey, report: Report) -> None:
        self._survey, self._report = survey, report
        self._documents = documents(survey.fields)

    def carry(self) -> None:
        pending, names = self._survey.pending, self._survey.untyped
        untyped = [one for one in pending if one.member == "calculate" and one.name in names]
        others = [one for one in pending if one not in untyped]
        self._in_order(untyped)
        for one in others:
            self._put(one)

    def _in_order(self, waiting: list[Pending]) -> None:
        """Calculations after those that they use, whose kinds they need."""
        names = {one.name for one in waiting}
        while waiting:
            ready = [one for one in waiting if not (self._uses(one) & names) - {one.name}] or waiting
            for one in ready:
                if not self._put(one):
                    self._take_out(one)
                names.discard(one.name)
            waiting = [one for one in waiting if one not in ready]

    def _take_out(self, one: Pending) -> None:
        remove(self._survey.fields, one.name)
        self._documents = documents(self._survey.fields)
        self._survey.names.leave_out(one.name, one.row)

    def _uses(self, one: Pending) -> set[str]:
        found = set()
        for written in names_in_xpath(one.xpath):
            try:
                found.add(self._survey.names.find(written))
            except Untranslatable:
                continue
        return found

    def _put(self, one: Pending) -> bool:
        """Whether the rule could be carried."""
        if one.name not in self._documents:
            return True
        try:
            self._translate(one, self._documents[one.name])
        except (Untranslatable, RecursionError) as error:
            reason = error if isinstance(error, Untranslatable) else TOO_MUCH
            alone = one.member == "calculate" and one.name in self._survey.untyped
            what = one.name if alone else f"The {one.column} of {one.name}"
            detail = f"{what} was left out: {reason}. The {one.column} was: {one.xpath[:300]}"
            self._report.refused("survey", one.row, one.column, "rule_left_out", detail)
            return False
        return True

    def _translate(self, one: Pending, document: Document) -> None:
        tree = read_xpath(one.xpath, self._survey.names.find, one.name)
        kinds = self._kinds(one.name)
        if one.member == "calculate":
            untyped = one.name in self._survey.untyped
            document["calculate"] = _checked(self._calculation(tree, document, kinds, untyped=untyped))
        elif one.member == "validIf":
            _constrain(document, tree, kinds)
        else:
            document["visibleIf"] = _checked(xpath_to_cel.condition(tree, kinds).text)

    def _kinds(self, name: str) -> dict[str, str]:
        """What a rule of this field can see: what stands outside of repeats, and beside it in its own."""
        around = self._survey.within[name]
        return {
            other: KIND_OF[document["type"]]
            for other, document in self._documents.items()
            if document["type"] in KIND_OF and self._survey.within[other] in (None, around)
        }

    def _calculation(self, tree: Node, document: Document, kinds: Mapping[str, str], *, untyped: bool) -> str:
        if document["type"] == "boolean":
            return truth_of(tree, kinds)
        found = xpath_to_cel.value(tree, kinds)
        if untyped:
            if found.kind not in (*TEXTS, *_MEMBER):
                raise Untranslatable("it comes to nothing that could be kept")
            document["type"] = _MEMBER.get(found.kind, "text")
            return found.text
        return _as_kind(found, KIND_OF.get(document["type"], ""))


def truth_of(tree: Node, kinds: Mapping[str, str]) -> str:
    """A condition, which may be written as the words true and false, or neither where answers are missing."""
    match tree:
        case Call("if", (asked, Text("true"), Text("false"))):
            return xpath_to_cel.condition(asked, kinds, sure=True).text
        case Call("if", (there, Call("if", (asked, Text("true"), Text("false"))), Text(""))) if only_presence(there):
            proved = xpath_to_cel.condition(there, kinds).proves
            found = xpath_to_cel.condition(asked, kinds, proved).text
            if is_plain(said := read_cel(found)) and proved <= needed(said):
                return found
        case Call("if", (asked, Text("true"), Call("if", (against, Text("false"), Text(""))))):
            found = xpath_to_cel.condition(asked, kinds).text
            opposite = ToXPath(kinds, None, {}).condition(read_cel(found), turned=True).text
            if read_xpath(opposite, str, "") == against:
                return found
    return xpath_to_cel.condition(tree, kinds, sure=True).text


def _as_kind(found: Code, kind: str) -> str:
    if found.kind == kind or (kind in TEXTS and found.kind in TEXTS) or (kind, found.kind) == ("double", "int"):
        return found.text
    if (kind, found.kind) == ("int", "double"):
        return f"int({found.text})"
    if kind == "text" and found.kind in NUMBERS:
        return f"string({found.text})"
    raise Untranslatable("it comes to another kind than the question's")


def _checked(text: str) -> str:
    if len(text) > _LONGEST:
        raise Untranslatable(f"it is longer than {_LONGEST} characters here")
    return text


def _constrain(document: Document, tree: Node, kinds: Mapping[str, str]) -> None:
    """A constraint; without a message of its own, bounds become the members that say the same."""
    name = document["name"]
    rest = tree if "message" in document else _bounded(document, tree)
    if rest is not None:
        document["validIf"] = _checked(xpath_to_cel.condition(rest, kinds, frozenset({name})).text)


def _bounded(document: Document, tree: Node) -> Node | None:
    """What is left of the tree when its bounds are taken out."""
    if isinstance(tree, Pair) and tree.op == "and":
        left, right = _bounded(document, tree.left), _bounded(document, tree.right)
        return Pair("and", left, right) if left and right else left or right
    member = _bound(document, tree)
    if member is None or member[0] in document:
        return tree
    document |= dict([member])
    return None


def _bound(document: Document, tree: Node) -> tuple[str, Any] | None:
    me = Name(document["name"])
    match document["type"], tree:
        case "integer", Pair(">=" | "<=" as op, left, Number(text)) if left == me and re.fullmatch(r"-?\d{1,15}", text):
            return ("min" if op == ">=" else "max"), int(text)
        case "decimal", Pair(">=" | "<=" as op, left, Number(text)) if left == me:
            return ("min" if op == ">=" else "max"), float(text)
        case "text", Call("regex", (on, Text(pattern))) if on == me and len(pattern) <= 490:
            whole = pattern[4:-3] if pattern.startswith(".*(?:") and pattern.endswith(").*") else None
            found = whole[1:] if whole else f"^(?:{pattern})$"
            return None if pattern_fault(found) else ("pattern", found)
        case "text" | "textarea" as kind, Pair(">=" | "<=" as op, left, Number(text)):
            return _length(kind, op, text) if left == Call("string-length", (me,)) else None
    return None


def _length(kind: str, op: str, text: str) -> tuple[str, int] | None:
    most = 100_000 if kind == "textarea" else 10_000
    if not text.isdecimal() or int(text) > most:
        return None
    if op == "<=":
        return ("maxLength", int(text)) if int(text) else None
    return ("minLength", int(text)) if kind == "text" else None
