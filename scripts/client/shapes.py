"""The modules of shapes."""

import keyword
import re
from collections.abc import Iterator

from scripts.client.document import Json, groups, places, unions
from scripts.client.python import MADE, WIDTH, imported, listed, type_of

_TYPING = ["Any", "Literal", "NotRequired", "TypeAlias", "TypedDict"]
_NEXT = ",\n    "
_SEVERAL = "\n    | "
_ABOUT = {
    "shared": "Shapes that several groups need.",
    "events": "What events tell of: the data of each kind.",
    "fields": "The fields of a form.",
}


def modules(document: Json) -> dict[str, str]:
    """The text of each, by its name; `__init__` has all names."""
    schemas = document["components"]["schemas"]
    kept = {name: _shape(name, schema) for name, schema in schemas.items() if not _is_list(name)}
    kept |= {name: _union(name, among) for name, among in unions(schemas)}
    homes = places(document)
    about = _ABOUT | {module: f"Shapes of {tag}." for tag, module in groups(document).items()}
    where = {name: homes[name] for name in kept}
    texts = {
        module: _module(about[module], "\n".join(text for name, text in kept.items() if where[name] == module), where)
        for module in sorted(set(where.values()))
    }
    return texts | {"__init__": _face(where)}


def _is_list(name: str) -> bool:
    """A page of something, which calls give item by item; the log has more to say."""
    return name.endswith("List") and name != "EventList"


def _module(about: str, text: str, where: dict[str, str]) -> str:
    own = set(re.findall(r"^(?:class )?(\w+)(?=\(TypedDict|: TypeAlias| = TypedDict)", text, re.MULTILINE))
    offered = {"typing": _TYPING}
    for module in sorted(set(where.values())):
        offered[f"formwright_client.shapes.{module}"] = [name for name in _in(module, where) if name not in own]
    code = re.sub(r'""".*?"""', "", text, flags=re.DOTALL)
    typing, _, others = imported(code, offered).partition("\n")
    others = f"\n{others}" if others else ""
    gap = "\n" if text.startswith("\nclass ") else ""
    return f'"""{about}\n\n{MADE}\n"""\n\nfrom __future__ import annotations\n\n{typing}\n{others}{gap}{text}'


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


def _shape(name: str, schema: Json) -> str:
    words = _words(schema.get("description", ""))
    if "properties" not in schema:
        alias = _fitted(f"{name}: TypeAlias = {type_of(schema, '')}")
        return f"\n{alias}\n" + (f'"""{words}"""\n' if words else "")
    found = list(_members(schema))
    if any(keyword.iskeyword(one) for one, _ in found):
        lines = [f'    "{one}": "{text.replace(chr(34), chr(39))}",' for one, text in found]
        head = f'{name} = TypedDict(\n    "{name}",\n    {{\n'
        return "\n" + head + "\n".join("    " + line for line in lines) + "\n    },\n)\n" + f'"""{words}"""\n'
    body = "\n".join(f"    {one}: {text}" for one, text in found)
    return f'\nclass {name}(TypedDict):\n    """{words}"""\n\n{body}\n'


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
