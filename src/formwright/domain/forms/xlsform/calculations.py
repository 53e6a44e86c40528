"""Converts results of calculations to the types of answers."""

from collections.abc import Mapping

from formwright.domain.forms.xlsform import xpath_to_cel
from formwright.domain.forms.xlsform.cel_to_xpath import XPathTranslator
from formwright.domain.forms.xlsform.cel_tree import parse_cel
from formwright.domain.forms.xlsform.survey_sheet import Document
from formwright.domain.forms.xlsform.syntax_tree import (
    ATOM,
    NUMBERS,
    TEXTS,
    Call,
    Code,
    Node,
    Text,
    Untranslatable,
)
from formwright.domain.forms.xlsform.tree_tests import fails_only_if_missing, names_in_tree
from formwright.domain.forms.xlsform.type_coercion import (
    DATES,
    DAYS,
    as_day,
    choose,
    day_number,
    join_words,
    tests_only_presence,
)
from formwright.domain.forms.xlsform.xpath_parser import parse_xpath

RESULT_TYPES = {
    "int": "integer",
    "double": "decimal",
    "bool": "boolean",
    "date": "date",
    "time": "time",
    "datetime": "datetime",
    "place": "location",
}
"""The types of fields that are calculated, by the kind of the result. Others are texts."""


def store_untyped(found: Code, document: Document) -> str:
    """Set the type of a calculation to that of its result."""
    found = day_number(found) if found.kind == DAYS else join_words(found) if found.kind == "choices" else found
    if found.kind not in (*TEXTS, *RESULT_TYPES):
        raise Untranslatable("its result cannot be stored")
    document["type"] = RESULT_TYPES.get(found.kind, "text")
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


def loses_results(code: Code, kind: str) -> bool:
    """Whether a question of this kind has no value, or another one, for some results of an expression."""
    if code.kind in ("date", "datetime"):
        return kind in (*NUMBERS, "choice")
    return code.kind in ("text", "choice") and kind in (*NUMBERS, "date", "time", "datetime")


def convert_to_kind(code: Code, kind: str) -> str:
    if code.kind == "bool" and kind in (*NUMBERS, "text", "choice", "choices") and not (code.needs or code.partial):
        # JavaRosa stores 1 or 0.
        code = choose(code, "1", "0", "int") if kind in NUMBERS else choose(code, "'1'", "'0'")
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
