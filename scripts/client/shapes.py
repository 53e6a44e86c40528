"""The modules of shapes."""

import keyword
import re
from collections.abc import Iterator
from dataclasses import dataclass

from scripts.client.document import Json, groups, places, unions
from scripts.client.python import MADE, WIDTH, imported, listed, type_of

_TYPING = ["Any", "Literal", "NotRequired", "TypeAlias", "TypedDict"]
_NEXT = ",\n    "
_SEVERAL = "\n    | "
_ABOUT = {
    "shared": "Types used by several modules.",
    "events": "The data of each event type.",
    "fields": "The fields of a form.",
}


@dataclass(frozen=True)
class _Base:
    """A class that says once what many shapes have."""

    name: str
    members: dict[str, str]

    @property
    def words(self) -> str:
        return f"What every {self.name.lower()} has."


def modules(document: Json) -> dict[str, str]:
    """The text of each, by its name; `__init__` has all names."""
    schemas = document["components"]["schemas"]
    bases = _bases(schemas)
    kept = {base.name: _class(base.name, "TypedDict", base.words, base.members) for base in bases.values()}
    kept |= {name: _shape(name, schema, bases.get(name)) for name, schema in schemas.items() if not _is_list(name)}
    kept |= {name: _union(name, among) for name, among in unions(schemas)}
    homes = places(document)
    homes |= {base.name: homes[name] for name, base in bases.items()}
    about = _ABOUT | {module: f"Shapes of {tag}." for tag, module in groups(document).items()}
    where = {name: homes[name] for name in kept}
    texts = {
        module: _module(module, about[module], "\n".join(kept[name] for name in kept if where[name] == module), where)
        for module in sorted(set(where.values()))
    }
    return texts | {"__init__": _face(where)}


def _is_list(name: str) -> bool:
    """A page of something, which calls give item by item; the log has more to say."""
    return name.endswith("List") and name != "EventList"


def _module(module: str, about: str, text: str, where: dict[str, str]) -> str:
    others = sorted({*where.values()} - {module})
    offered = {"typing": _TYPING} | {f"formwright_client.shapes.{other}": _in(other, where) for other in others}
    code = re.sub(r'""".*?"""', "", text, flags=re.DOTALL)
    typing, _, more = imported(code, offered).partition("\n")
    more = f"\n{more}" if more else ""
    gap = "\n" if text.startswith("\nclass ") else ""
    return f'"""{about}\n\n{MADE}\n"""\n\nfrom __future__ import annotations\n\n{typing}\n{more}{gap}{text}'


def _face(where: dict[str, str]) -> str:
    offered = {f"formwright_client.shapes.{module}": _in(module, where) for module in sorted(set(where.values()))}
    lines = imported(" ".join(where), offered)
    names = listed([f'"{name}"' for name in sorted(where)])
    about = "The shapes of the API, as its OpenAPI document has them. Members may be added."
    return f'"""{about}\n\n{MADE}\n"""\n\n{lines}\n__all__ = [\n{names}]\n'


def _in(module: str, where: dict[str, str]) -> list[str]:
    """Its names, as imports are sorted."""
    return sorted((name for name, home in where.items() if home == module), key=str.lower)


def _union(name: str, among: list[str]) -> str:
    line = f"{name}: TypeAlias = {' | '.join(among)}"
    return f"\n{line}\n" if len(line) <= WIDTH else f"\n{name}: TypeAlias = (\n    {_SEVERAL.join(among)}\n)\n"


def _bases(schemas: Json) -> dict[str, _Base]:
    """What all kinds of one thing have in common, where that is several members: by the name of each kind."""
    found: dict[str, _Base] = {}
    for union, among in unions(schemas):
        first, *others = (dict(_members(schemas[one])) for one in among)
        common = {name: text for name, text in first.items() if all(other.get(name) == text for other in others)}
        if len(common) > 1:
            found |= dict.fromkeys(among, _Base(union.removeprefix("Any"), common))
    return found


def _shape(name: str, schema: Json, base: _Base | None) -> str:
    words = _words(schema.get("description", ""))
    if "properties" not in schema:
        alias = _fitted(f"{name}: TypeAlias = {type_of(schema, '')}")
        return f"\n{alias}\n" + (f'"""{words}"""\n' if words else "")
    found = dict(_members(schema))
    if base:
        return _class(name, base.name, words, {one: found[one] for one in found if one not in base.members})
    if any(keyword.iskeyword(one) for one in found):
        lines = [f'    "{one}": "{text.replace(chr(34), chr(39))}",' for one, text in found.items()]
        head = f'{name} = TypedDict(\n    "{name}",\n    {{\n'
        return "\n" + head + "\n".join("    " + line for line in lines) + "\n    },\n)\n" + f'"""{words}"""\n'
    return _class(name, "TypedDict", words, found)


def _class(name: str, base: str, words: str, members: dict[str, str]) -> str:
    body = "\n".join(f"    {one}: {text}" for one, text in members.items())
    return f'\nclass {name}({base}):\n    """{words}"""\n\n{body}\n'


def _members(schema: Json) -> Iterator[tuple[str, str]]:
    for name, member in schema["properties"].items():
        found = type_of(member, "")
        yield name, found if name in schema.get("required", ()) else f"NotRequired[{found}]"


def _fitted(line: str) -> str:
    """A list of values, in lines as the formatter would put them."""
    if len(line) <= WIDTH:
        return line
    head, _, values = line.rstrip("]").partition("[")
    if len(values) <= WIDTH - 4:
        return f"{head}[\n    {values}\n]"
    return f"{head}[\n    {values.replace(', ', _NEXT)},\n]"


def _words(text: str) -> str:
    """The first sentence, which is short."""
    return re.split(r"(?<=[.;:])\s", text.strip())[0].rstrip(".;:") + "." if text else ""
