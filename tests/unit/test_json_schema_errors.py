"""Messages for JSON Schema errors."""

from typing import Any

import jsonschema_rs
import pytest

from formwright.core.json_schema_errors import validation_errors


def faults(schema: dict[str, Any], instance: Any) -> list[tuple[str, str, str]]:
    validator = jsonschema_rs.Draft202012Validator(schema, validate_formats=True)
    return [(f.pointer, f.code, f.detail) for f in validation_errors(validator, instance, ("data",))]


@pytest.mark.parametrize(
    ("schema", "instance", "code", "detail"),
    [
        ({"type": "integer"}, "1", "value.type", "This must be integer."),
        ({"type": "integer"}, 1.5, "value.type", "This must be integer."),
        ({"type": "integer"}, True, "value.type", "This must be integer."),
        ({"enum": ["a", "b"]}, "c", "value.choice", "This must be one of a, b."),
        ({"const": "a"}, "c", "value.choice", "This must be a."),
        ({"minLength": 2}, "🎉", "value.too_short", "This must have at least 2 characters."),
        ({"maxLength": 1}, "🎉🎉", "value.too_long", "This may have at most 1 characters."),
        ({"minimum": 2}, 1, "value.too_small", "This must be at least 2."),
        ({"maximum": 2}, 2**70, "value.too_great", "This must be at most 2."),
        ({"exclusiveMinimum": 2}, 2, "value.too_small", "This must be more than 2."),
        ({"exclusiveMaximum": 2}, 2, "value.too_great", "This must be less than 2."),
        ({"minItems": 1}, [], "value.too_few", "This must have at least 1 items."),
        ({"maxItems": 0}, [1], "value.too_many", "This may have at most 0 items."),
        ({"minProperties": 1}, {}, "value.too_few", "This must have at least 1 properties."),
        ({"maxProperties": 0}, {"a": 1}, "value.too_many", "This may have at most 0 properties."),
        ({"uniqueItems": True}, [1, 1], "value.repeated", "Items must not be repeated."),
        ({"format": "date"}, "2026-02-30", "value.format", "This is not a valid date."),
        ({"format": "email"}, "nobody", "value.format", "This is not a valid email."),
        ({"pattern": "^a$"}, "b", "value.pattern", "This must match ^a$."),
        ({"multipleOf": 2}, 3, "value.invalid", "This value is not valid."),
    ],
)
def test_each_error_has_its_code_and_message(schema: dict[str, Any], instance: Any, code: str, detail: str) -> None:
    assert faults(schema, instance) == [("/data", code, detail)]


def test_missing_and_unknown_properties_have_their_own_pointers() -> None:
    schema = {"properties": {"a": {}}, "required": ["a"], "additionalProperties": False}
    found = faults(schema, {"b/c": 1, "d~": 2})
    assert {(where, code) for where, code, _ in found} == {
        ("/data/a", "value.required"),
        ("/data/b~1c", "value.unknown"),
        ("/data/d~0", "value.unknown"),
    }


def test_an_invalid_property_name_is_reported() -> None:
    [(where, code, _)] = faults({"propertyNames": {"minLength": 1}}, {"": 1})
    assert (where, code) == ("/data", "value.name")


def test_of_several_alternatives_the_one_with_the_right_type_is_explained() -> None:
    schema = {"anyOf": [{"type": "null"}, {"type": "object", "properties": {"a": {"type": "integer"}}}]}
    assert faults(schema, {"a": "x"}) == [("/data/a", "value.type", "This must be integer.")]
    assert faults(schema, 5) == [("/data", "value.type", "This must be null or object.")]


def test_a_long_list_of_options_is_truncated() -> None:
    [(_, _, detail)] = faults({"enum": [str(n) for n in range(30)]}, "x")
    assert detail.endswith("18, 19 or 10 more.")


@pytest.mark.parametrize("depth", [254, 300, 900])
def test_excessive_nesting_is_one_error(depth: int) -> None:
    nested: Any = 1
    for _ in range(depth):
        nested = [nested]
    assert len(faults({"type": "object"}, nested)) == 1


def test_a_valid_value_has_no_errors() -> None:
    assert faults({"type": "object"}, {"a": [1]}) == []
