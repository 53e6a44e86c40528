"""What each field type can do does not change by accident: `make field-types` writes the tables after a decision."""

import json

import pytest

from scripts import field_types

KINDS = list(field_types.field_classes())


@pytest.mark.parametrize("kind", KINDS)
def test_what_a_field_type_can_do_is_as_recorded(kind: str) -> None:
    assert field_types.describe(kind) == json.loads(field_types.SNAPSHOT.read_text())[kind]


def test_the_page_has_the_current_tables() -> None:
    page, recorded = field_types.PAGE.read_text(), json.loads(field_types.SNAPSHOT.read_text())
    assert list(recorded) == KINDS
    assert page == field_types.with_tables(page, recorded)
