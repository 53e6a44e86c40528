"""Translates the functions of XPath that choose, convert and join values."""

from collections.abc import Mapping

from formwright.domain.forms.xlsform.function_calls import Function, PresentFields, Translator
from formwright.domain.forms.xlsform.row_functions import join_rows
from formwright.domain.forms.xlsform.syntax_tree import (
    AND,
    ATOM,
    COMPARISON,
    NOT,
    OR,
    SUM,
    TEST_PREFIX,
    TEXTS,
    Binary,
    Call,
    Code,
    Name,
    Node,
    Number,
    Text,
    Untranslatable,
)
from formwright.domain.forms.xlsform.type_coercion import (
    conditional,
    needs_of,
    presence,
    tests_only_presence,
    write_text,
)

_EMPTY = Text("")
WORDS = ("choices", "choice", "text")
"""Kinds whose values have words, which `selected()` looks for."""


def _if(translator: Translator, args: tuple[Node, ...], present: PresentFields) -> Code:
    if len(args) != 3:
        raise Untranslatable("if() needs three arguments")
    args = merge_outcomes(*args)
    asked = translator.condition(args[0], present, safe=True)
    then = translator.value(args[1], present | asked.proves)
    if args[2] == _EMPTY and tests_only_presence(args[0]) and asked.proves <= then.needs:
        return then  # Without these answers, it has no value anyway.
    if args[2] == _EMPTY and then.kind not in TEXTS:
        return _value_if(asked, then)
    if args[1] == _EMPTY:
        other = translator.value(args[2], present)
        if other.kind not in TEXTS:
            return _value_if(Code(f"!{asked.parenthesize(NOT)}", "bool", NOT), other)
        return conditional(asked, then, other)
    return conditional(asked, then, translator.value(args[2], present))


def _coalesce(translator: Translator, args: tuple[Node, ...], present: PresentFields) -> Code:
    """Translate to the first value if there is one. An empty text and NaN are none in XPath."""
    match args:
        case (Name(name), other):
            asked = Code(presence(name), "bool", ATOM)
            then = translator.value(args[0], present | {name})
            return conditional(asked, then, translator.value(other, present), {name})
        case (Call("if", (asked_for, first, second)), other):
            outcomes = (Call("coalesce", (one, other)) for one in (first, second))
            return _if(translator, (asked_for, *outcomes), present)
        case (Call("coalesce", (first, second)), other):
            return _coalesce(translator, (first, Call("coalesce", (second, other))), present)
        case (Text(""), other):
            return translator.value(other, present)
        case (first, other):
            found = translator.value(first, present)
            if found.kind in ("text", "choice"):
                return _if(translator, (Binary("!=", first, _EMPTY), first, other), present)
            return _value_or(translator, found, other, present)
    raise Untranslatable("coalesce() needs two arguments")


def _value_or(translator: Translator, found: Code, other: Node, present: PresentFields) -> Code:
    """Translate to a value that is no text if it exists, or else to another one."""
    tests = [presence(name) for name in sorted(found.needs - present)]
    if "number(" in found.text:  # NaN does not equal itself.
        tests.append(" == ".join([found.parenthesize(COMPARISON + 1)] * 2))
    if found.partial:
        raise Untranslatable("the first value of coalesce() might be missing")
    if not tests:
        return found
    asked = Code(" && ".join(tests), "bool", AND)
    return conditional(asked, found, translator.value(other, present), found.needs)


def _concat(translator: Translator, args: tuple[Node, ...], present: PresentFields) -> Code:
    match args:
        case (Name(name),) if name in translator.rows.inside:
            return join_rows(translator, name, Code("''", "text", ATOM))
    parts = [translator.as_text(arg, present) for arg in args]
    if not parts:
        raise Untranslatable("concat() has no arguments")
    text = " + ".join(part.parenthesize(SUM + (place > 0)) for place, part in enumerate(parts))
    return Code(text, "text", SUM if len(parts) > 1 else parts[0].level, needs_of(*parts))


def _count_selected(translator: Translator, args: tuple[Node, ...], present: PresentFields) -> Code:
    match args:
        case (Name(name),) if translator.kind(name) == "choice":
            return Code("1" if name in present else f"({presence(name)} ? 1 : 0)", "int", ATOM)
        case (Name(name),) if translator.kind(name) in ("choices", "text"):
            size = Code(f"size({word_list(translator, name)})", "int", ATOM, frozenset({name}))
            return size if name in present else Code(f"({presence(name)} ? {size.text} : 0)", "int", ATOM)
        case (Call() | Text() as inner,):
            return Code(f"size({translator.as_text(inner, present).parenthesize(ATOM)}.words())", "int", ATOM)
    raise Untranslatable("the size of anything but an answer is not supported")


def _text_length(translator: Translator, args: tuple[Node, ...], present: PresentFields) -> Code:
    match args:
        case (Name(name),) if translator.kind(name) in ("text", "choice"):
            size = Code(f"size({name})", "int", ATOM, frozenset({name}))
            return size if name in present else Code(f"({presence(name)} ? size({name}) : 0)", "int", ATOM)
        case (inner,):
            return Code(f"size({translator.as_text(inner, present).text})", "int", ATOM)
    raise Untranslatable("string-length() needs one argument")


def _int(translator: Translator, args: tuple[Node, ...], present: PresentFields) -> Code:
    found = translator.number(_single(args), present)
    if found.kind == "int":
        return found
    if "number(" in found.text:  # NaN is not an integer in CEL.
        text = f"({found.text} < 0.0 ? ceil({found.text}) : floor({found.text}))"
        return Code(text, "double", ATOM, found.needs, partial=found.partial)
    return Code(f"int({found.text})", "int", ATOM, found.needs, partial=found.partial)


def _number(translator: Translator, args: tuple[Node, ...], present: PresentFields) -> Code:
    return translator.number(_single(args), present)


def _string(translator: Translator, args: tuple[Node, ...], present: PresentFields) -> Code:
    found = translator.value(_single(args), present)
    if found.kind == "bool":
        return translator.as_text(_single(args), present)
    return Code(write_text(found), "text", ATOM, found.needs, partial=found.partial)


def word_list(translator: Translator, name: str) -> str:
    """Return the choices in an answer, or the words of a text."""
    if (kind := translator.kind(name)) not in WORDS:
        raise Untranslatable(f"{name} is not a choice")
    return name if kind == "choices" else f"{name}.words()"


def merge_outcomes(asked: Node, then: Node, other: Node) -> tuple[Node, Node, Node]:
    """Join the conditions of consecutive cases with the same literal, because rules cannot nest many cases."""
    while isinstance(then, Text | Number) and isinstance(other, Call) and other.name == "if" and len(other.args) == 3:
        again, same, rest = other.args
        if same != then:
            break
        asked, other = Binary("or", asked, again), rest
    return asked, then, other


def _single(args: tuple[Node, ...]) -> Node:
    if len(args) != 1:
        raise Untranslatable("a conversion needs one argument")
    return args[0]


def _value_if(asked: Code, value: Code) -> Code:
    """Write a value that is missing if a condition is false: the index of a list with one item is then out of range."""
    text = f"[{value.text}][{asked.parenthesize(OR)} ? 0 : 1]"
    needs = value.needs | {f"{TEST_PREFIX}{asked.parenthesize(AND)}"}
    return Code(text, value.kind, ATOM, needs, partial=value.partial)


VALUE_FUNCTIONS: Mapping[str, Function] = {
    "if": _if, "concat": _concat, "coalesce": _coalesce, "string-length": _text_length,
    "count-selected": _count_selected, "int": _int, "number": _number, "string": _string,
}  # fmt: skip
