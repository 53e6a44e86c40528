"""XPath of what reads the rows of repeats, and of the measures of lines and areas."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from formwright.domain.forms.xlsform.syntax_tree import ATOM, TEXTS, Call, Code, ListLiteral, Name, Node, Untranslatable
from formwright.domain.forms.xlsform.tree_tests import optional_items
from formwright.domain.forms.xlsform.type_coercion import needs_of
from formwright.domain.forms.xlsform.xpath_operations import require_complete

PresentFields = frozenset[str]
PLAIN = (*TEXTS, "int")
"""Kinds whose values XPath writes like CEL."""


@dataclass(frozen=True, slots=True)
class RowPaths:
    """What rules know about repeats: the paths to the rows around the field by repeat, and the repeat and the kind of
    each field in other repeats, and of those in other rows of the repeats around it.
    """

    around: Mapping[str, str] = field(default_factory=dict)
    inside: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    own: Mapping[str, tuple[str, str]] = field(default_factory=dict)


class RowTranslator:
    """Translates for one field. `kind` returns the kind of an answer, and `value` translates other expressions."""

    def __init__(
        self, paths: RowPaths, kind: Callable[[str], str], value: Callable[[Node, PresentFields], Code]
    ) -> None:
        self._paths, self._kind, self._value = paths, kind, value

    def translate(self, node: Call, present: PresentFields) -> Code | None:
        """Translate what reads rows or places. None for other expressions."""
        match node:
            case Call("rowCount", (Name(repeat),)) if repeat in self._paths.around:
                return Code(f"count(${{{repeat}}})", "int", ATOM)
            case Call("_filled" | "_deep_count" | "_deep_filled" | "_deep_sum" as name, (Name(repeat), Name(column))):
                return self._count_rows(name, repeat, column)
            case Call("int", (Call("_deep_count" | "_deep_filled", _) as inner,)):
                return self._value(inner, present)
            case Call("position", (Name(repeat),)) if repeat in self._paths.around:
                return Code(f"position({self._paths.around[repeat]})", "int", ATOM)
            case Call("_item" | "_item_text" as called, (Name(name), Name(repeat), index)) if name in {
                **self._paths.inside,
                **self._paths.own,
            }:
                item = self._item(name, repeat, self._value(index, present))
                return item if called == "_item" else Code(item.text, "text", ATOM, item.needs)
            case Call("distance" | "perimeter" | "area" as name, (shape,)):
                return self._measure(name, shape, present)
            case Call("sum" | "min" | "max" | "join" as name, (rows, *rest)):
                return self._over_rows(name, rows, [self._value(one, present) for one in rest], present)
        return None

    def _count_rows(self, name: str, repeat: str, column: str) -> Code:
        """Translate the number of rows or answers, or the sum of answers, also in rows of rows."""
        if self._kind(repeat) != "rows":
            raise Untranslatable(f"{repeat} is not a repeat")
        function = {"_deep_count": "count", "_deep_sum": "sum"}.get(name, "count-non-empty")
        kind = "double" if function == "sum" else "int"
        return Code(f"{function}(${{{column}}})", kind, ATOM, frozenset({repeat}))

    def _measure(self, name: str, shape: Node, present: PresentFields) -> Code:
        """Translate a length or an area. XPath adds the closing side of an area to its length."""
        points = shape.values if isinstance(shape, ListLiteral) else (shape,)
        found = [require_complete(self._value(one, present)) for one in points]
        kinds = {"perimeter": ["area"], "area": ["area", "line"], "distance": ["line"]}[name]
        if isinstance(shape, ListLiteral):
            kinds = ["place"] if name == "distance" and len(found) > 1 else []
        if any(one.kind not in kinds for one in found):
            raise Untranslatable(f"XPath has no equivalent of this {name}")
        args = ", ".join(one.text for one in found)
        return Code(f"{'area' if name == 'area' else 'distance'}({args})", "double", ATOM, needs_of(*found))

    def _over_rows(self, name: str, rows: Node, rest: list[Code], present: PresentFields) -> Code:
        match rows:
            case Call("_rows", _) if name == "join":
                raise Untranslatable("XPath joins missing answers, too")
            case Call("_rows" | "_texts" as list_, (Name(repeat), Name(column))) if self._kind(repeat) == "rows" and (
                list_ == "_texts"
            ) == (name == "join"):
                args = [*(one.text for one in rest), f"${{{column}}}"]
                kind = "text" if name == "join" else "double"
                return Code(f"{name}({', '.join(args)})", kind, ATOM, frozenset({repeat}))
            case ListLiteral(values) if values:
                found = [*rest, *(require_complete(self._value(one, present)) for one in values)]
                kind = "text" if name == "join" else "double"
                return Code(f"{name}({', '.join(one.text for one in found)})", kind, ATOM, needs_of(*found))
        if name in ("min", "max") and (optional := optional_items(rows)):
            # XPath ignores missing answers, too.
            texts = [require_complete(self._value(one, present)).text for one in optional]
            return Code(f"{name}({', '.join(texts)})", "double", ATOM)
        raise Untranslatable(f"XPath has no equivalent of this {name}")

    def _item(self, name: str, repeat: str, index: Code) -> Code:
        around, kind = self._paths.inside.get(name) or self._paths.own[name]
        if around != repeat or kind not in (*PLAIN, "double", "choices"):
            raise Untranslatable("it reads one item of an answer")
        text = f"indexed-repeat(${{{name}}}, ${{{repeat}}}, {index.text})"
        return Code(text, "text" if kind == "choices" else kind, ATOM, index.needs, partial=True)
