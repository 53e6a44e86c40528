"""How Python writes what the document says."""

import json
import keyword
import re

from scripts.client.document import Json, union_name

WIDTH = 120
MADE = "Made by `make openapi` from docs/openapi.json: change nothing here."
_PLAIN = {"string": "str", "integer": "int", "number": "float", "boolean": "bool", "null": "None"}


def snake(name: str) -> str:
    """A name of the API, in Python's manner."""
    text = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name).lower()
    return f"{text}_" if keyword.iskeyword(text) else text


def type_of(schema: Json, prefix: str) -> str:
    """Return the Python type of a schema; names of schemas are prefixed with `prefix`."""
    if "$ref" in schema:
        return prefix + str(schema["$ref"].rpartition("/")[2])
    if "discriminator" in schema:
        return prefix + union_name(schema)
    if "anyOf" in schema:
        return " | ".join(dict.fromkeys(type_of(one, prefix) for one in schema["anyOf"]))
    if "enum" in schema or "const" in schema:
        values = schema.get("enum") or [schema["const"]]
        return f"Literal[{', '.join(json.dumps(value) for value in values)}]"
    return _of_type(schema, prefix)


def _of_type(schema: Json, prefix: str) -> str:
    match schema.get("type"):
        case "array":
            return f"list[{type_of(schema['items'], prefix)}]"
        case "object":
            values = schema.get("additionalProperties")
            return f"dict[str, {type_of(values, prefix) if isinstance(values, dict) else 'Any'}]"
        case str(name):
            return _PLAIN[name]
    return "Any"


def imported(text: str, offered: dict[str, list[str]]) -> str:
    """A line for each module of which the text uses a name; of each only those names."""
    used = set(re.findall(r"\w+", text))
    chosen = {module: [name for name in names if name in used] for module, names in offered.items()}
    return "".join(_line(module, names) for module, names in chosen.items() if names)


def _line(module: str, names: list[str]) -> str:
    line = f"from {module} import {', '.join(names)}\n"
    return line if len(line) <= WIDTH + 1 else f"from {module} import (\n{listed(names)})\n"


def listed(lines: list[str]) -> str:
    """One a line, each with its comma."""
    return "".join(f"    {one},\n" for one in lines)
