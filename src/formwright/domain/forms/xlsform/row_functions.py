"""Translates the functions of XForms that read the rows of repeats."""

from collections.abc import Mapping

from formwright.domain.forms.xlsform.function_calls import (
    Function,
    PresentFields,
    RowNode,
    Translator,
    expect,
    translate_position,
)
from formwright.domain.forms.xlsform.syntax_tree import (
    ATOM,
    NUMBERS,
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
from formwright.domain.forms.xlsform.type_coercion import as_double, needs_of, presence


def _sum(translator: Translator, args: tuple[Node, ...], present: PresentFields) -> Code:
    match args:
        case (Name(name),) if (node := translator.rows.nodes.get(name)) and len(node.repeats) == 2:
            expect(node.kind in NUMBERS, "the answers in the rows have another type")
            outer, inner = node.repeats
            rows = f"{outer}.filter(r, has(r.{inner})).map(r, sum(r.{inner}.filter(s, has(s.{name})).map(s, s.{name})))"
            return Code(f"(answered.{outer} ? sum({rows}) : 0.0)", "double", ATOM)
        case (Name(name),) if (node := translator.rows.nodes.get(name)) and not node.repeats:
            return translator.value(Call("coalesce", (Call("number", args), Number("0"))), present)
    repeat, rows = _rows(translator, args, NUMBERS)
    return Code(f"(answered.{repeat} ? sum({rows}) : 0.0)", "double", ATOM)


def _extreme(name: str) -> Function:
    def translate(translator: Translator, args: tuple[Node, ...], present: PresentFields) -> Code:
        match args:
            case (Name(one),) if (node := translator.rows.nodes.get(one)) and not node.repeats:
                return as_double(translator.number(args[0], present))
        if len(args) == 1:
            repeat, rows = _rows(translator, args, NUMBERS)
            test = f"{TEST_PREFIX}size({rows.partition('.map(')[0]}) > 0"
            return Code(f"{name}({rows})", "double", ATOM, frozenset({repeat, test}))
        found = [as_double(translator.number(arg, present)) for arg in args]
        expect(not any(one.partial for one in found), "an argument might be missing")
        if not needs_of(*found) - present and not any("number(" in one.text for one in found):
            return Code(f"{name}([{', '.join(one.text for one in found)}])", "double", ATOM, needs_of(*found))
        # Missing answers do not count.
        parts = [_optional_item(one, present) for one in found]
        return Code(f"{name}({' + '.join(parts)})", "double", ATOM, partial=True)

    return translate


def _optional_item(code: Code, present: PresentFields) -> str:
    """Write a list with a value, or without it if it is missing."""
    tests = [presence(name) for name in sorted(code.needs - present)]
    tests += [f"{code.text} == {code.text}"] if "number(" in code.text else []  # NaN does not equal itself.
    return f"({' && '.join(tests)} ? [{code.text}] : [])" if tests else f"[{code.text}]"


def _rows(translator: Translator, args: tuple[Node, ...], kinds: tuple[str, ...]) -> tuple[str, str]:
    """Return the repeat that contains the field in `args`, and the list of the answers in its rows."""
    match args:
        case (Name(name),) if name in translator.rows.inside:
            repeat, kind = translator.rows.inside[name]
            expect(kind in kinds, "the answers in the rows have another type")
            return repeat, f"{repeat}.filter(r, has(r.{name})).map(r, r.{name})"
    raise Untranslatable("it is only supported with a field in a repeat, from outside of it")


def _join(translator: Translator, args: tuple[Node, ...], present: PresentFields) -> Code:
    expect(len(args) > 1, "join() needs at least two arguments")
    between = translator.as_text(args[0], present)
    if len(args) == 2 and isinstance(args[1], Name) and args[1].name in translator.rows.inside:
        return join_rows(translator, args[1].name, between)
    parts = [translator.as_text(arg, present) for arg in args[1:]]
    text = f"[{', '.join(one.text for one in parts)}].join({between.text})"
    return Code(text, "text", ATOM, needs_of(between, *parts))


_PARTS_IN_TEXTS = {"datetime": ".substring(0, 10)", "choices": ".join(' ')"}


def join_rows(translator: Translator, name: str, between: Code) -> Code:
    """Join the answers in the rows of a repeat. Missing ones are empty texts."""
    repeat, kind = translator.rows.inside[name]
    expect(kind in (*TEXTS, "int", "choices"), "the answers in the rows have another type")
    value = f"string(r.{name})" if kind == "int" else f"r.{name}{_PARTS_IN_TEXTS.get(kind, '')}"
    text = f"{repeat}.map(r, has(r.{name}) ? {value} : '').join({between.text})"
    return Code(f"(answered.{repeat} ? {text} : '')", "text", ATOM, between.needs)


def _count(translator: Translator, args: tuple[Node, ...], present: PresentFields) -> Code:
    """Count the questions, groups or repeats with a name that XPath finds from the rule."""
    node, name = _counted(translator, args)
    if node.is_around:
        return Code(f"rowCount({name})", "int", ATOM)
    match node.repeats:
        case ():
            return Code("1", "int", ATOM)
        case (repeat,):
            return Code(f"(answered.{repeat} ? size({repeat}) : 0)", "int", ATOM)
        case (outer, inner):
            sizes = f"{outer}.filter(r, has(r.{inner})).map(r, size(r.{inner}))"
            return Code(f"(answered.{outer} ? int(sum({sizes})) : 0)", "int", ATOM)
    raise Untranslatable("count() is only supported in two levels of repeats")


def _count_non_empty(translator: Translator, args: tuple[Node, ...], present: PresentFields) -> Code:
    node, name = _counted(translator, args)
    if node.kind in ("rows", "") or node.is_around:
        return _count(translator, args, present)
    match node.repeats:
        case ():
            return Code("1" if name in present else f"({presence(name)} ? 1 : 0)", "int", ATOM)
        case (repeat,):
            return Code(f"(answered.{repeat} ? size({repeat}.filter(r, has(r.{name}))) : 0)", "int", ATOM)
        case (outer, inner):
            sizes = f"{outer}.filter(r, has(r.{inner})).map(r, size(r.{inner}.filter(s, has(s.{name}))))"
            return Code(f"(answered.{outer} ? int(sum({sizes})) : 0)", "int", ATOM)
    raise Untranslatable("count-non-empty() is only supported in two levels of repeats")


def _counted(translator: Translator, args: tuple[Node, ...]) -> tuple[RowNode, str]:
    match args:
        case (Name(name),) if name in translator.rows.nodes:
            return translator.rows.nodes[name], name
    raise Untranslatable("only questions, groups and repeats can be counted")


def _position(_translator: Translator, args: tuple[Node, ...], _present: PresentFields) -> Code:
    match args:
        case (Text(repeat),):
            return Code(f"position({repeat})", "int", ATOM)
    raise Untranslatable("position() is only supported for rows of a repeat around it")


_CASTS = {"int": "int", "double": "double", "bool": "bool", "choices": ""} | dict.fromkeys(TEXTS, "string")


def _indexed_repeat(translator: Translator, args: tuple[Node, ...], present: PresentFields) -> Code:
    """Read an answer in the row with a number. There is none if there are not that many rows."""
    match args:
        case (Name(name), Name(repeat), index):
            found = translator.rows.inside.get(name) or translator.rows.own.get(name)
            expect(found is not None and found[0] == repeat, "indexed-repeat() does not refer to a field of the repeat")
            kind = found[1] if found else ""
            expect(kind in _CASTS, "indexed-repeat() needs one answer")
            at = _row_index(translate_position(translator, index, present))
            answer = f"{repeat}[{at}].{name}"
            has_answer = f"[{repeat}[{at}]].exists(r, has(r.{name}))"  # Rules have no `has` of an item.
            text = f"{_CASTS[kind]}({answer})"
            if kind == "choices" and name in translator.rows.inside:
                text, kind = f"{answer}.join(' ')", "text"
            if name in translator.rows.inside:
                needs = {repeat, *(f"{TEST_PREFIX}{one}" for one in (f"{at} < size({repeat})", has_answer))}
                return Code(text, kind, ATOM, frozenset(needs))
            is_seen = _is_first_or_before(index, repeat) or not translator.rows.is_row_by_row
            expect(is_seen, "it reads a row that may come after its own")
            expect(kind != "choices", "indexed-repeat() needs one answer")
            # In the first row, the row before it is the same one.
            test = f"{TEST_PREFIX}(position({repeat}) > 1 ? {has_answer} : {presence(name)})"
            return Code(f"(position({repeat}) > 1 ? {text} : {name})", kind, ATOM, frozenset({test}))
    raise Untranslatable("indexed-repeat() is only supported with one repeat")


def _row_index(position: Code) -> str:
    """Return the index of a row, which is the first one for numbers below 1, as in JavaRosa."""
    if position.text.isdecimal() or position.text.startswith("position("):
        return f"{position.text} - 1"
    return f"({position.text} > 1 ? {position.parenthesize(SUM)} - 1 : 0)"


def _is_first_or_before(index: Node, repeat: str) -> bool:
    """Whether a number is that of the first row, or of the row before the current one."""
    return index in (Number("1"), Binary("-", Call("position", (Text(repeat),)), Number("1")))


ROW_FUNCTIONS: Mapping[str, Function] = {
    "sum": _sum, "min": _extreme("min"), "max": _extreme("max"), "join": _join, "count": _count,
    "count-non-empty": _count_non_empty, "position": _position, "indexed-repeat": _indexed_repeat,
}  # fmt: skip
