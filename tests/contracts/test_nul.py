"""A NUL character, which no database accepts, in everything that pages receive. Generated from the router."""

from typing import Any

from actors import Account
from contracts.test_audit import PAGES, ids_of
from contracts.test_page_permissions import NEVER
from factories.sample_account import world
from factories.web_client import visit

MEMBERS = (
    "q=a%00&form=%00&status=%00&who=%00&thing=%00&before=1.%00&after=1.%00&key=%00b&folder=%00&group=%%0000&version=%00"
)


def _with_nul(value: Any) -> Any:
    return f"{value}\0" if isinstance(value, str) else [_with_nul(one) for one in value]


async def test_no_page_fails(account: Account) -> None:
    ids = await ids_of(account, await world(account)) | NEVER
    async with visit(account) as site:
        for route in account.stage.entrance.app.routes:
            path, methods = route.path_format, set(getattr(route, "methods", ()))
            if path.startswith(("/api/", "/static/")) or path == "/sign-out":
                continue
            if "GET" in methods:
                nul = path.format(**dict.fromkeys(_names(path), "%00"))
                for address in (nul, f"{path.format(**ids | dict.fromkeys(_names(path) - ids.keys(), 'x'))}?{MEMBERS}"):
                    response = await site.http.get(address)
                    assert response.status_code < 500, f"{address}: {response.status_code}"
            if path in PAGES and not PAGES[path].json:
                sent = {"a\0": "\0"} | {name: _with_nul(value) for name, value in PAGES[path].form(ids).items()}
                for address in (path.format(**ids), path.format(**dict.fromkeys(_names(path), "%00"))):
                    response = await site.post(address, sent)
                    assert response.status_code < 500, f"POST {address}: {response.status_code}"


def _names(path: str) -> set[str]:
    return {part.partition("}")[0] for part in path.split("{")[1:]}
