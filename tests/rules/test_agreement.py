"""Random rules over random answers: the server and the page agree."""

from typing import Any

from hypothesis import HealthCheck, given, settings

from rules import both_engines, cases, expressions

ASKED = both_engines.fields(*cases.FIELDS)


@settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(expressions.rules, expressions.answers)
def test_both_agree(page: both_engines.Page, rule: str, answers: dict[str, Any]) -> None:
    server = both_engines.by_server(ASKED, (rule, answers))
    if server != both_engines.REFUSED:
        found = page.value(ASKED, (rule, answers))
        assert like(found, server) == server
        assert page.steps(ASKED, (rule, answers)) == both_engines.steps_by_server(ASKED, (rule, answers))
        assert isinstance(found, bool) is isinstance(server, bool)


def like(found: Any, server: Any) -> Any:
    """JavaScript writes a great double without a point, in as few digits as it needs."""
    return float(found) if isinstance(server, float) and isinstance(found, int) else found


@settings(max_examples=80, deadline=None)
@given(expressions.rules)
def test_most_random_rules_compile(rule: str) -> None:
    """The test above would agree on nothing if they were refused."""
    assert both_engines.by_server(ASKED, (rule, cases.ANSWERS)) != both_engines.REFUSED
