"""JSON Schema (2020-12) of the answers to a form."""

from typing import Any

from formwright.domain.forms.definition import Definition
from formwright.domain.forms.fields.structure import object_schema


def answers_schema(definition: Definition) -> dict[str, Any]:
    """Return the schema of an object with the answers by field name. Other properties are not allowed.

    Fields that a rule can hide are never `required` in the schema: they are required only while they are visible, which
    a schema cannot express.
    """
    return {"$schema": "https://json-schema.org/draft/2020-12/schema"} | object_schema(definition.fields)
