"""A host name whose address changes between check and connection, with a real name server and real connections."""

import json
from typing import Any

import pytest
from fixtures import dns_rebinding, network_namespace
from fixtures.server_process import run_aside

from formwright.core.net.http_client import UNREACHABLE

REFUSED = f"dns: {UNREACHABLE}"
# Where the system gives no namespaces, the same names are asked for through the client's own seam.
WAYS = ["apart", "seam"] if network_namespace.is_possible() else ["seam"]


@pytest.fixture(scope="module", params=WAYS)
def seen(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    folder = tmp_path_factory.mktemp("rebinding")
    child = run_aside(dns_rebinding.run, request.param, folder)
    child.join(100)
    assert child.exitcode == 0
    seen: dict[str, Any] = json.loads((folder / "seen").read_text(encoding="utf-8"))
    return seen


def test_each_attempt_connects_to_the_checked_address_or_not_at_all(seen: dict[str, Any]) -> None:
    assert seen["outcomes"] == {
        "nowhere": [REFUSED],
        "turns": ["200", REFUSED, "200"],
        "turns6": ["200", REFUSED],
        "turns-to-metadata": ["200", REFUSED],
        "mixed": [REFUSED],
        "mixed-other-way": [REFUSED],
        "mixed6": [REFUSED],
        "mapped": [REFUSED],
        "nat64": [REFUSED],
        "alias": [REFUSED],
        "alias-turns": ["200", REFUSED],
        "inside": [REFUSED],
        "outside": ["200"],
    }


def test_only_the_checked_address_is_connected_to(seen: dict[str, Any]) -> None:
    public, *others = seen["connections"].values()
    assert (public, set(others)) == (6, {0})


def test_there_is_no_lookup_between_check_and_connection(seen: dict[str, Any]) -> None:
    assert seen["asked"] == {name: len(outcomes) for name, outcomes in seen["outcomes"].items()}
