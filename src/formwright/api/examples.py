"""Example values for JSON Schemas, for documentation."""

from collections.abc import Mapping
from typing import Any


def build_example(schema: Mapping[str, Any], definitions: Mapping[str, Any]) -> Any:
    """Return a value that matches the schema: its example, or the simplest one.

    `definitions` are the schemas that it may refer to, by the last segment of the reference.
    """
    if "$ref" in schema:
        return build_example(definitions[schema["$ref"].rpartition("/")[2]], definitions)
    for keyword in ("examples", "enum"):
        if keyword in schema:
            return schema[keyword][0]
    if "anyOf" in schema:
        return build_example(schema["anyOf"][0], definitions)
    return _of_type(schema, definitions)


def _of_type(schema: Mapping[str, Any], definitions: Mapping[str, Any]) -> Any:
    match schema.get("type"):
        case "object":
            return {name: build_example(member, definitions) for name, member in schema.get("properties", {}).items()}
        case "array":
            return [build_example(schema["items"], definitions)] * schema.get("minItems", 0)
        case "integer" | "number":
            return schema.get("minimum", 1)
        case "boolean":
            return False
        case "string":
            return "text"
    return None
