"""Translates the functions of XForms that CEL has no operator for."""

from collections.abc import Mapping

from formwright.domain.forms.xlsform.date_functions import DATE_FUNCTIONS
from formwright.domain.forms.xlsform.function_calls import (
    Function,
    PresentFields,
    Translator,
    call,
    expect,
    translate_position,
)
from formwright.domain.forms.xlsform.row_functions import ROW_FUNCTIONS
from formwright.domain.forms.xlsform.syntax_tree import (
    ATOM,
    PRODUCT,
    SUM,
    TEST_PREFIX,
    TEXTS,
    Code,
    Name,
    Node,
    Number,
    Text,
    Untranslatable,
)
from formwright.domain.forms.xlsform.text_functions import TEXT_FUNCTIONS
from formwright.domain.forms.xlsform.type_coercion import as_double, needs_of, presence, quote_cel, quote_list
from formwright.domain.forms.xlsform.value_functions import VALUE_FUNCTIONS

CHOICE_LABEL = "jr:choice-name of"
"""The name of a call that has the labels of the choices as arguments. It cannot be written in a workbook."""
CHOICE_NUMBER = "number of choice"
"""The name of a call for the value of a choice whose options are all whole numbers."""
CHOICE_POINTS = "points of choice"
"""The name of a call for the points of a field."""
_TENS = {f"-{digits}": 10**digits for digits in range(1, 10)}
_UUID_LENGTH = 32
"""The letters and digits of a UUID."""
MAX_DIGITS = 15
"""The most digits that `roundHalfUp` rounds to."""


def _round(translator: Translator, args: tuple[Node, ...], present: PresentFields) -> Code:
    expect(len(args) in (1, 2), "round() needs one or two arguments")
    if len(args) == 2 and isinstance(args[1], Number) and args[1].text in _TENS:
        return _round_to_tens(translator.number(args[0], present), _TENS[args[1].text])
    number, *digits = _numbers(translator, args, present)
    expect(all(_is_number_of_digits(one) for one in args[1:]), "the digits of round() are no number from 0 to 15")
    return call("roundHalfUp", "double", as_double(number), *digits)


def _round_to_tens(number: Code, ten: int) -> Code:
    """Round as JavaRosa does, which makes negative numbers greater: -297 becomes -200."""
    whole = number.parenthesize(SUM) if number.kind == "int" else f"int({number.text})"
    return Code(f"({whole} + {ten // 2}) / {ten} * {ten}", "int", PRODUCT, number.needs, partial=number.partial)


def _is_number_of_digits(node: Node) -> bool:
    return isinstance(node, Number) and node.text.isdecimal() and int(node.text) <= MAX_DIGITS


def _abs(translator: Translator, args: tuple[Node, ...], present: PresentFields) -> Code:
    [number] = _numbers(translator, args, present, count=1)
    return call("abs", number.kind, number)


def _power_of_ten(translator: Translator, args: tuple[Node, ...], present: PresentFields) -> Code:
    [exponent] = _numbers(translator, args, present, count=1)
    if exponent.kind == "int":
        return call("pow", "double", Code("10.0", "double", ATOM), exponent)
    # The factor is ln 10. `pow` only takes whole exponents, so this calculates a power of e instead.
    text = f"{exponent.parenthesize(PRODUCT)} * 2.302585092994046"
    return call("exp", "double", Code(text, "double", PRODUCT, exponent.needs, partial=exponent.partial))


def _pow(translator: Translator, args: tuple[Node, ...], present: PresentFields) -> Code:
    base, exponent = _numbers(translator, args, present, count=2)
    expect(exponent.kind == "int", "pow() is only supported with whole exponents")
    return call("pow", "double", as_double(base), exponent)


def _sqrt(translator: Translator, args: tuple[Node, ...], present: PresentFields) -> Code:
    [number] = _numbers(translator, args, present, count=1)
    return call("sqrt", "double", as_double(number))


def _computed(name: str, count: int = 1, *, always: bool = True) -> Function:
    """Return a function of numbers. Unless it `always` has a value, it may be no number in XPath."""

    def translate(translator: Translator, args: tuple[Node, ...], present: PresentFields) -> Code:
        found = call(name, "double", *map(as_double, _numbers(translator, args, present, count=count)))
        return found if always else Code(found.text, found.kind, found.level, found.needs, partial=True)

    return translate


def _pi(_: Translator, args: tuple[Node, ...], __: PresentFields) -> Code:
    expect(not args, "pi() has no arguments")
    return Code("3.141592653589793", "double", ATOM)


def _numbers(
    translator: Translator, args: tuple[Node, ...], present: PresentFields, count: int | None = None
) -> list[Code]:
    expect(bool(args) and count in (None, len(args)), "the number of arguments is wrong")
    return [translator.number(arg, present) for arg in args]


def _distance(translator: Translator, args: tuple[Node, ...], present: PresentFields) -> Code:
    """The length of a line, the perimeter of an area, or the distance along several points."""
    found = [translator.value(arg, present) for arg in args]
    if len(found) == 1 and found[0].kind in ("line", "area"):
        return _measure("distance" if found[0].kind == "line" else "perimeter", found[0], present)
    expect(len(found) > 1 and all(one.kind == "place" for one in found), "distance() needs a line, an area or points")
    text = f"[{', '.join(one.text for one in found)}]"
    points = Code(text, "line", ATOM, needs_of(*found), partial=any(one.partial for one in found))
    return _measure("distance", points, present)


def _area(translator: Translator, args: tuple[Node, ...], present: PresentFields) -> Code:
    found = [translator.value(arg, present) for arg in args]
    expect(len(found) == 1 and found[0].kind in ("line", "area"), "area() needs an area or a line")
    return _measure("area", found[0], present)


def _measure(name: str, shape: Code, present: PresentFields) -> Code:
    """Measure a shape. Missing ones have no length and no area."""
    missing = " && ".join(presence(one) for one in sorted(shape.needs - present))
    if not missing:
        return call(name, "double", shape)
    return Code(f"({missing} ? {name}({shape.text}) : 0.0)", "double", ATOM)


_COORDINATES = {
    "0": "{0}.latitude",
    "1": "{0}.longitude",
    "3": "(has({0}.accuracy) ? {0}.accuracy : 0.0)",  # ODK writes 0 for a point without it.
}
"""The parts of a location by their place in its text. Its altitude is not recorded here."""


def _selected_at(translator: Translator, args: tuple[Node, ...], present: PresentFields) -> Code:
    match args:
        case (Name(name), Number(place)) if translator.kind(name) == "place" and place in _COORDINATES:
            return Code(_COORDINATES[place].format(name), "double", ATOM, frozenset({name}))
        case (Name(name), index) if (kind := translator.kind(name)) in ("choices", "text", "choice"):
            words = name if kind == "choices" else f"{name}.words()"
            return _item(words, translate_position(translator, index, present), kind, frozenset({name}))
        case (Text(words), index) if words.split():
            return _item(quote_list(words), translate_position(translator, index, present), "text")
    raise Untranslatable("selected-at() is only supported with a text, or an answer that is a choice or a text")


def _item(items: str, at: Code, kind: str, needs: frozenset[str] = frozenset()) -> Code:
    tests = [] if at.text.isdecimal() else [f"{TEST_PREFIX}{at.text} >= 0"]
    tests.append(f"{TEST_PREFIX}{at.text} < size({items})")
    result = "choice" if kind == "choices" else "text"
    return Code(f"{items}[{at.text}]", result, ATOM, needs | at.needs | {*tests}, partial=at.partial)


_PARTS_OF_POINTS = {
    "x": "{0}.longitude",
    "y": "{0}.latitude",
    "accuracy": "{0}.accuracy",
    "horizontalAccuracy": "{0}.accuracy",
}
"""The properties of a point in ArcGIS Survey123 that are recorded here."""


def _pulldata(translator: Translator, args: tuple[Node, ...], present: PresentFields) -> Code:
    """Translate the parts of points of ArcGIS Survey123. Rows of files are no calls any more."""
    match args:
        case (Text("@geopoint"), Name(name), Text(part)) if translator.kind(name) == "place":
            expect(part in _PARTS_OF_POINTS, f"the {part} of a location is not recorded here")
            needs = [name] if part in ("x", "y") else [name, f"{TEST_PREFIX}has({name}.accuracy)"]
            return Code(_PARTS_OF_POINTS[part].format(name), "double", ATOM, frozenset(needs))
        case (Text(of), *_) if of.startswith("@"):
            raise Untranslatable(f"pulldata({of!r}) is a function of ArcGIS Survey123, which ODK does not have either")
    raise Untranslatable("pulldata() needs the name of a file, two columns and a value")


def _choice_label(translator: Translator, args: tuple[Node, ...], present: PresentFields) -> Code:
    """Look a text up in a table. The arguments are the key, and each key of the table with its text."""
    key, *texts = args
    pairs = ", ".join(
        f"{_table_text(translator, value, present)}: {_table_text(translator, label, present)}"
        for value, label in zip(texts[::2], texts[1::2], strict=True)
    )
    found = translator.value(key, present)
    expect(found.kind in (*TEXTS, "int"), "a key is neither a text nor a whole number")
    text = found.text if found.kind in TEXTS else f"string({found.text})"
    # The options of a choice are all in the table.
    partial = not (isinstance(key, Name) and found.kind == "choice")
    return Code(f"{{{pairs}}}[{text}]", "text", ATOM, found.needs, partial=partial)


def _table_text(translator: Translator, text: Node, present: PresentFields) -> str:
    """Translate a key or text of a table. Texts with answers never fail, because missing ones are empty."""
    if isinstance(text, Text):
        return quote_cel(text.value)
    found = translator.value(text, present)
    expect(found.kind == "text" and not found.partial and found.needs <= present, "a text of a table might be missing")
    return found.text


def _choice_number(translator: Translator, args: tuple[Node, ...], present: PresentFields) -> Code:
    [found] = [translator.value(arg, present) for arg in args]
    return Code(f"int({found.text})", "int", ATOM, found.needs)


def _points(_translator: Translator, args: tuple[Node, ...], _present: PresentFields) -> Code:
    """A missing answer has no points, so nothing is needed."""
    [name] = [arg.name for arg in args if isinstance(arg, Name)]
    return Code(f"points({name})", "double", ATOM)


def _random(translator: Translator, args: tuple[Node, ...], _present: PresentFields) -> Code:
    return _draw(translator, "random", "double", args)


def _uuid(translator: Translator, args: tuple[Node, ...], _present: PresentFields) -> Code:
    """In ODK, a given number of characters are random letters and digits. Here, they are those of a UUID."""
    found = _draw(translator, "uuid", "text", ())
    match args:
        case ():
            return found
        case (Number(length),) if length.isdecimal() and int(length) <= _UUID_LENGTH:
            return Code(f"uuid().replace('-', '').substring(0, {length}).upperAscii()", "text", ATOM)
    raise Untranslatable(f"uuid() needs a number of characters, at most {_UUID_LENGTH}")


def _draw(translator: Translator, name: str, kind: str, args: tuple[Node, ...]) -> Code:
    """Translate a function with another value each time, which rules for initial answers have."""
    expect(not args, f"{name}() is only supported without arguments")
    expect(translator.rows.is_initial, f"{name}() is only supported in a default or in once()")
    return Code(f"{name}()", kind, ATOM)


FUNCTIONS: Mapping[str, Function] = {
    **DATE_FUNCTIONS,
    **ROW_FUNCTIONS,
    **TEXT_FUNCTIONS,
    **VALUE_FUNCTIONS,
    "distance": _distance, "area": _area, "enclosed-area": _area,
    "round": _round, "abs": _abs, "pow": _pow, "sqrt": _sqrt, "exp10": _power_of_ten,
    "sin": _computed("sin"), "cos": _computed("cos"), "tan": _computed("tan"), "atan": _computed("atan"),
    "asin": _computed("asin", always=False), "acos": _computed("acos", always=False), "pi": _pi,
    "atan2": _computed("atan2", 2), "exp": _computed("exp"), "log": _computed("log", always=False),
    "log10": _computed("log10", always=False),
    "selected-at": _selected_at,
    CHOICE_LABEL: _choice_label, CHOICE_NUMBER: _choice_number, CHOICE_POINTS: _points,
    "pulldata": _pulldata, "random": _random, "uuid": _uuid,
}  # fmt: skip
