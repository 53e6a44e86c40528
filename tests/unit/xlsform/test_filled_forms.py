"""Random forms, filled in at random: people see the same as in JavaRosa, or the report says what differs."""

import random
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from fixtures.node import NodeScript, run_script
from unit.xlsform.filled_forms import Comparison, ImportedFilling, draw_actions, read_state, write_actions
from unit.xlsform.odk import find_errors, needs_java, run_java
from unit.xlsform.random_forms import draw_author, to_workbook

from formwright.domain.forms.rules.device_time import device_time_at
from formwright.domain.forms.xlsform.importer import import_xlsform

FORMS = 60
FILLINGS = 3


@pytest.fixture(scope="module")
def page() -> Iterator[NodeScript]:
    """The page's modules for filling in forms."""
    with run_script(Path(__file__).with_name("page_form.mjs")) as script:
        yield script


@pytest.mark.slow
@needs_java
def test_people_see_what_they_see_in_javarosa(tmp_path: Path, page: NodeScript, read_in_this_process: None) -> None:
    authors = {f"f{seed}": draw_author(seed) for seed in range(FORMS)}
    contents = {name: to_workbook(author) for name, author in authors.items()}
    valid = [name for name, errors in find_errors(tmp_path, contents).items() if not errors]
    actions = {
        name: [list(draw_actions(authors[name], random.Random(f"{name}/{at}"))) for at in range(FILLINGS)]
        for name in valid
    }
    lines = [
        write_actions(authors[name], str(tmp_path / f"{name}.xml"), one) for name in valid for one in actions[name]
    ]
    theirs = iter(run_java(tmp_path, "FormState", "\n".join(lines) + "\n"))
    now = device_time_at(int(datetime.now(UTC).timestamp() * 1000))
    silent, compared = {}, 0
    for name in valid:
        found = import_xlsform(contents[name])
        filling = ImportedFilling(found.definition_fields, page, now)
        comparison = Comparison(authors[name], found.report)
        for given in actions[name]:
            line = next(theirs)
            if line.startswith("!failed"):
                continue
            different = comparison.find_silent(filling.fill(given), read_state(line, filling.by_name))
            compared += 1
            if different:
                silent[name] = different
    assert silent == {}
    assert compared > FORMS * FILLINGS / 2
