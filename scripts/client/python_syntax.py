"""How Python writes names, types and texts of the OpenAPI document."""

import json
import keyword
import re
from textwrap import indent, wrap

from scripts.client.openapi_document import Json, union_name

WIDTH = 110
NOTICE = "# Generated from docs/openapi.json by `make openapi`. Do not edit."
_PLAIN = {"string": "str", "integer": "int", "number": "float", "boolean": "bool", "null": "None"}


def snake_case(name: str) -> str:
    """Return a name of the API as a name in Python."""
    text = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name).lower()
    return f"{text}_" if keyword.iskeyword(text) else text


def property_type(schema: Json) -> str:
    """Return the type of a property, within the modules of the schemas."""
    return _type(schema, "", argument=False)


def result_type(schema: Json) -> str:
    """Return the type of a result."""
    return _type(schema, "schemas.", argument=False)


def argument_type(schema: Json) -> str:
    """Return the type of an argument: it accepts any sequence and mapping, and times as `datetime`."""
    return _type(schema, "schemas.", argument=True)


def _type(schema: Json, prefix: str, *, argument: bool) -> str:
    if "$ref" in schema:
        return prefix + str(schema["$ref"].rpartition("/")[2])
    if "discriminator" in schema:
        return prefix + union_name(schema)
    if "anyOf" in schema:
        return " | ".join(dict.fromkeys(_type(one, prefix, argument=argument) for one in schema["anyOf"]))
    if "enum" in schema or "const" in schema:
        values = schema.get("enum") or [schema["const"]]
        return f"Literal[{', '.join(json.dumps(value) for value in values)}]"
    if argument and schema.get("format") == "date-time":
        return "Timestamp"
    match schema.get("type"):
        case "array":
            return f"{'Sequence' if argument else 'list'}[{_type(schema['items'], prefix, argument=argument)}]"
        case "object":
            values = schema.get("additionalProperties")
            inner = _type(values, prefix, argument=argument) if isinstance(values, dict) else "Any"
            return f"{'Mapping' if argument else 'dict'}[str, {inner}]"
        case str(name):
            return _PLAIN[name]
    return "Any"


def describe(schema: Json, schemas: Json) -> str:
    """Return the description of a value: its own, or that of what it consists of."""
    if "description" in schema:
        return unwrap(schema["description"])
    for inner in schema.get("anyOf", ()):
        if text := describe(inner, schemas):
            return text
    return describe(schemas[schema["$ref"].rpartition("/")[2]], schemas) if "$ref" in schema else ""


def unwrap(text: str) -> str:
    """Return a text as one line."""
    return " ".join(text.split())


def first_sentence(text: str) -> str:
    """Return the first sentence of a text."""
    return re.split(r"(?<=[.;:])\s", text.strip())[0].rstrip(".;:") + "." if text else ""


def docstring(summary: str, *sections: str) -> str:
    """Return a docstring; sections are separated by empty lines."""
    text = "\n\n".join((summary, *filter(None, sections))).replace("\\", "\\\\")
    return f'"""{text}"""' if "\n" not in text else f'"""{text}\n"""'


def section(title: str, entries: dict[str, str]) -> str:
    """Return a section of a docstring in Google style, or an empty string if there are no entries."""
    lines = [line for name, text in entries.items() for line in _entry(f"{name}: {text}" if name else text)]
    return "\n".join([f"{title}:", *lines]) if lines else ""


def _entry(text: str) -> list[str]:
    first, *others = wrap(text, WIDTH - 8, subsequent_indent="    ", break_long_words=False, break_on_hyphens=False)
    return [f"    {line}" for line in (first, *others)]


def wrapped(text: str) -> str:
    """Return a text with its paragraphs wrapped; lists are left as they are."""
    paragraphs = [re.sub(r"[ \t]+", " ", one) for one in text.strip().split("\n\n")]
    return "\n\n".join(
        one if one.startswith("- ") else "\n".join(wrap(unwrap(one), WIDTH - 8, break_on_hyphens=False))
        for one in paragraphs
    )


def indented(text: str, levels: int = 1) -> str:
    """Return a text indented by so many levels."""
    return indent(text, "    " * levels)
