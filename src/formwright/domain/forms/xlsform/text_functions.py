"""Translates the functions of XPath for parts of texts and their characters."""

from collections.abc import Mapping

from formwright.domain.forms.rules.functions import DIGESTS
from formwright.domain.forms.xlsform.function_calls import (
    Function,
    PresentFields,
    Translator,
    expect,
    translate_position,
)
from formwright.domain.forms.xlsform.syntax_tree import ATOM, SUM, Code, Node, Text, Untranslatable
from formwright.domain.forms.xlsform.type_coercion import needs_of, quote_cel

_CAPITALS, _SMALL = "ABCDEFGHIJKLMNOPQRSTUVWXYZ", "abcdefghijklmnopqrstuvwxyz"


def _substr(translator: Translator, args: tuple[Node, ...], present: PresentFields) -> Code:
    expect(len(args) in (2, 3), "substr() needs two or three arguments")
    on = translator.as_text(args[0], present)
    positions = [translate_position(translator, one, present) for one in args[1:]]
    text = f"{on.parenthesize(ATOM)}.substring({', '.join(_bound(on, one) for one in positions)})"
    return Code(text, "text", ATOM, needs_of(on, *positions), partial=any(one.partial for one in positions))


def _bound(text: Code, position: Code) -> str:
    """Return a position in a text. XPath counts negative ones from its end."""
    if position.text.isdecimal():
        return position.text
    if position.text.removeprefix("-").isdecimal():
        return f"size({text.text}) - {position.text.removeprefix('-')}"
    return f"{position.parenthesize(SUM)} < 0 ? size({text.text}) + {position.parenthesize(SUM + 1)} : {position.text}"


def _substring_before(translator: Translator, args: tuple[Node, ...], present: PresentFields) -> Code:
    """Without the part, its index is -1, and a text that ends there is empty."""
    expect(len(args) == 2, "substring-before() needs two arguments")
    on, part = (translator.as_text(one, present) for one in args)
    text = on.parenthesize(ATOM)
    return Code(f"{text}.substring(0, {text}.indexOf({part.text}))", "text", ATOM, needs_of(on, part))


def _substring_after(translator: Translator, args: tuple[Node, ...], present: PresentFields) -> Code:
    expect(len(args) == 2, "substring-after() needs two arguments")
    on, part = (translator.as_text(one, present) for one in args)
    text, sign = on.parenthesize(ATOM), part.text
    rest = f"{text}.substring({text}.indexOf({sign}) + size({sign}))"
    return Code(f"({text}.contains({sign}) ? {rest} : '')", "text", ATOM, needs_of(on, part))


def _normalize_space(translator: Translator, args: tuple[Node, ...], present: PresentFields) -> Code:
    expect(len(args) == 1, "normalize-space() is only supported with one argument")
    on = translator.as_text(args[0], present)
    return Code(f"{on.parenthesize(ATOM)}.normalizeSpace()", "text", ATOM, on.needs)


def _translate(translator: Translator, args: tuple[Node, ...], present: PresentFields) -> Code:
    expect(len(args) == 3, "translate() needs three arguments")
    on, *letters = (translator.as_text(one, present) for one in args)
    match args[1:]:
        case (Text(before), Text(after)) if (before, after) in ((_CAPITALS, _SMALL), (_SMALL, _CAPITALS)):
            method = f"{'lower' if after == _SMALL else 'upper'}Ascii()"
        case (Text(before), Text(after)) if len(before) == 1 >= len(after):
            method = f"replace({quote_cel(before)}, {quote_cel(after)})"
        case _:
            method = f"translate({', '.join(one.text for one in letters)})"
    return Code(f"{on.parenthesize(ATOM)}.{method}", "text", ATOM, needs_of(on, *letters))


def _digest(translator: Translator, args: tuple[Node, ...], present: PresentFields) -> Code:
    match args:
        case (inner, Text(algorithm), *rest) if algorithm in DIGESTS:
            encoding = rest[0] if rest else Text("base64")
            expect(
                encoding in (Text("base64"), Text("hex")) and len(rest) < 2, "this encoding of digest() is not known"
            )
            on = translator.as_text(inner, present)
            encoded = quote_cel(encoding.value) if isinstance(encoding, Text) else ""
            return Code(f"digest({on.text}, {quote_cel(algorithm)}, {encoded})", "text", ATOM, on.needs)
    raise Untranslatable("digest() needs one of the algorithms MD5, SHA-1, SHA-256, SHA-384 and SHA-512")


TEXT_FUNCTIONS: Mapping[str, Function] = {
    "substr": _substr, "substring-before": _substring_before, "substring-after": _substring_after,
    "normalize-space": _normalize_space, "translate": _translate, "digest": _digest,
}  # fmt: skip
