"""An example of what a JSON Schema describes, for documents that people read."""

from collections.abc import Mapping
from typing import Any


def build_example(schema: Mapping[str, Any], definitions: Mapping[str, Any]) -> Any:
    """A value that fits: the example that is named, else the simplest. `definitions` by the name in `#/$defs/…`."""
    if "$ref" in schema:
        return build_example(definitions[schema["$ref"].rpartition("/")[2]], definitions)
    for named in ("examples", "enum"):
        if named in schema:
            return schema[named][0]
    if "anyOf" in schema:
        return build_example(schema["anyOf"][0], definitions)
    return _of_type(schema, definitions)


def _of_type(schema: Mapping[str, Any], definitions: Mapping[str, Any]) -> Any:
    match schema.get("type"):
        case "object":
            return {name: build_example(of, definitions) for name, of in schema.get("properties", {}).items()}
        case "array":
            return [build_example(schema["items"], definitions)] * schema.get("minItems", 0)
        case "integer" | "number":
            return schema.get("minimum", 1)
        case "boolean":
            return False
        case "string":
            return "text"
    return None
