"""XPath of operations whose operands have been translated."""

from formwright.domain.forms.rules.functions import DIGESTS
from formwright.domain.forms.xlsform.syntax_tree import ATOM, NUMBERS, PRODUCT, SUM, TEXTS, Code, Untranslatable
from formwright.domain.forms.xlsform.type_coercion import needs_of

CONVERSIONS = {"int": "int", "double": "number", "string": "string"}
_TRIGONOMETRY = ("sin", "cos", "tan", "asin", "acos", "atan", "atan2", "exp", "log", "log10")
NUMBER_FUNCTIONS = ("round", "roundHalfUp", "abs", "pow", "sqrt", "daysBetween", "addDays", *_TRIGONOMETRY)
TEXT_FUNCTIONS = {"substring": "substr", "normalizeSpace": "normalize-space"} | {
    name: name for name in ("digest", "translate", "substring-before", "substring-after")
}
_ENCODINGS = ("'base64'", "'hex'")


def calculate(op: str, left: Code, right: Code) -> Code:
    """Translate `+`, `-`, `*`, `/` and `%`."""
    needs = needs_of(require_complete(left), require_complete(right))
    if left.kind in TEXTS and right.kind in TEXTS and op == "+":
        # The sum of several texts is one call of `concat` with all of them.
        first = left.text[7:-1] if left.text.startswith("concat(") else left.text
        return Code(f"concat({first}, {right.text})", "text", ATOM, needs)
    if left.kind not in NUMBERS or right.kind not in NUMBERS:
        raise Untranslatable(f"XPath does not support {op} for these values")
    level = SUM if op in "+-" else PRODUCT
    sign = {"/": "div", "%": "mod"}.get(op, op)
    text = f"{left.parenthesize(level)} {sign} {right.parenthesize(level + 1)}"
    kind = "double" if "double" in (left.kind, right.kind) else "int"
    if op == "/" and kind == "int":
        return Code(f"int({text})", "int", ATOM, needs)
    return Code(text, kind, level, needs)


def convert(name: str, inner: Code) -> Code:
    """Translate `int()`, `double()` and `string()`."""
    inner, kind = require_complete(inner), {"int": "int", "double": "double", "string": "text"}[name]
    if name == "double" and inner.kind in NUMBERS:
        return Code(inner.text, kind, inner.level, inner.needs)  # XPath has only this type of number.
    return Code(f"{CONVERSIONS[name]}({inner.text})", kind, ATOM, inner.needs)


def call_function(name: str, args: list[Code]) -> Code:
    """Translate a function of numbers, texts and dates that XPath has, too, maybe with another name."""
    needs = needs_of(*args)
    if name == "digest" and (args[1].text[1:-1] not in DIGESTS or args[2].text not in _ENCODINGS):
        raise Untranslatable("ODK stops at digests with other algorithms and encodings")
    if name in TEXT_FUNCTIONS:
        text = f"{TEXT_FUNCTIONS[name]}({', '.join(one.text for one in args)})"
        return Code(text, "text", ATOM, needs)
    if name == "daysBetween":
        start, end = (one.text for one in args)
        if "datetime" in (args[0].kind, args[1].kind):
            return Code(f"date({end}) - date({start})", "int", SUM, needs)
        return Code(f"round(decimal-date-time({end}) - decimal-date-time({start}))", "int", ATOM, needs)
    if name == "addDays":
        return Code(f"date({args[0].text} + {args[1].parenthesize(SUM + 1)})", "date", ATOM, needs)
    if name == "round" and not _is_positive(args[0]):
        # XPath rounds halves up.
        number, *digits = (one.text for one in args)
        above, below = (
            f"round({', '.join([one, *digits])})" for one in (number, f"0 - {args[0].parenthesize(SUM + 1)}")
        )
        return Code(f"if({args[0].parenthesize(SUM)} < 0, 0 - {below}, {above})", "double", ATOM, needs)
    kind = args[0].kind if name == "abs" else "double"
    name = "round" if name == "roundHalfUp" else name
    return Code(f"{name}({', '.join(one.text for one in args)})", kind, ATOM, needs)


def _is_positive(code: Code) -> bool:
    return code.text.startswith(("abs(", "distance(", "area(")) or code.text.replace(".", "").isdecimal()


def require_complete(code: Code) -> Code:
    """Return the code. Raises `Untranslatable` if it might have no value although the answers that it needs exist."""
    if code.partial:
        raise Untranslatable("the result of a condition, which may be missing, is used in an expression")
    return code


def require_order(code: Code, other: Code) -> Code:
    """Return an operand of `<` or `>`, which XPath only defines for numbers and dates. Raises `Untranslatable`."""
    if code.kind in NUMBERS or (code.kind in ("date", "time") and other.kind == code.kind):
        return code
    if other.kind == "date" and code.literal is not None:
        return Code(f"date({code.text})", "date", ATOM)
    if code.kind == "date" and other.literal is not None:
        return code
    raise Untranslatable("XPath only orders numbers and dates")
