"""The table of settings is generated from the code, and its defaults are the real ones."""

from pathlib import Path
from typing import Any

import pytest
import typer
from docs.test_docs import parameters, variables

from formwright.cli.main import app
from formwright.cli.settings_reference import SETTINGS, render_table
from formwright.domain.webhooks.retry_policy import SCHEDULE_S, parse_schedule
from formwright.settings import Settings
from formwright.settings.setting import Setting

PAGE = Path(__file__).resolve().parents[2] / "docs" / "reference" / "settings.md"
PLAIN = [one for one in SETTINGS if " " not in one.default and one.default not in ("none", "off", "detected")]


def test_the_page_has_the_generated_table() -> None:
    assert render_table(typer.main.get_command(app)) in PAGE.read_text(encoding="utf-8"), "run `make settings`"


def test_every_setting_appears_once() -> None:
    assert sorted(one.variable for one in SETTINGS) == sorted(variables())


@pytest.mark.parametrize("one", PLAIN, ids=lambda one: one.name)
def test_the_documented_default_is_the_real_one(one: Setting) -> None:
    documented = one.default.strip("`")
    options: dict[str, Any] = {str(p.envvar): p.default for p in parameters() if p.envvar and p.default is not None}
    if options.get(one.variable) is not None:
        assert str(options[one.variable]) == documented
    elif one.name == "WEBHOOK_RETRY":
        assert parse_schedule(documented) == SCHEDULE_S
    else:
        assert Settings.from_environment({one.variable: documented}) == Settings.from_environment({}), one.variable
