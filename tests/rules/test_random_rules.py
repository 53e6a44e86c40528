"""The server and the page agree on random rules with random answers."""

from typing import Any

from hypothesis import HealthCheck, given, settings

from rules import both_engines, cases, expressions

ASKED = both_engines.fields(*cases.FIELDS)


@settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(expressions.rules, expressions.answers)
def test_server_and_page_agree(page: both_engines.Page, rule: str, answers: dict[str, Any]) -> None:
    server = both_engines.evaluate_on_server(ASKED, (rule, answers))
    if server != both_engines.REFUSED:
        found = page.value(ASKED, (rule, answers))
        assert normalize_number(found, server) == server
        assert page.steps(ASKED, (rule, answers)) == both_engines.count_server_steps(ASKED, (rule, answers))
        assert isinstance(found, bool) is isinstance(server, bool)


def normalize_number(found: Any, server: Any) -> Any:
    """JavaScript writes a large double without a decimal point, in as few digits as possible."""
    return float(found) if isinstance(server, float) and isinstance(found, int) else found


@settings(max_examples=80, deadline=None)
@given(expressions.rules)
def test_most_random_rules_compile(rule: str) -> None:
    """If most rules were rejected, the test above would compare nothing."""
    assert both_engines.evaluate_on_server(ASKED, (rule, cases.ANSWERS)) != both_engines.REFUSED
