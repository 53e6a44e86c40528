"""Settings, Sign-in, Provisioning: an owner switches it on, replaces the token, and switches it off."""

import re

from actors import Account
from factories.requests import get
from factories.web_client import visit
from fixtures.scim import ROOT

PATH = "/settings/sign-in/provisioning"


async def test_the_token_is_shown_once_and_ends_with_its_replacement(account: Account) -> None:
    async with visit(account) as owner, account.stage.client() as provider:

        async def status(secret: str) -> int:
            response = await provider.get(f"{ROOT}/Users", headers={"authorization": f"Bearer {secret}"})
            return response.status_code

        async def read_secret() -> str:
            page = await owner.http.get(PATH)
            found = re.search(r'value="(fwp_\w+)"', page.text)
            assert found, page.text
            assert f'value="https://forms.test{ROOT}"' in page.text
            assert found[1] not in (await owner.http.get(PATH)).text, "it is shown once"
            return found[1]

        refused = await owner.post(PATH, {"name": " "})
        assert (refused.status_code, "Enter a name of 1 to 100 characters." in refused.text) == (422, True)
        assert (await owner.post(f"{PATH}/rotate")).status_code == 400
        assert (await owner.post(PATH, {"name": "<b>Entra"})).status_code == 303
        first = await read_secret()
        assert "&lt;b&gt;Entra" in (await owner.http.get(PATH)).text
        assert await status(first) == 200
        assert "never used" not in (await owner.http.get(PATH)).text
        assert (await owner.post(f"{PATH}/rotate")).status_code == 303
        second = await read_secret()
        assert (await status(first), await status(second)) == (401, 200)
        assert "Manage provisioning" in (await owner.http.get("/settings/sign-in")).text
        assert (await owner.post(f"{PATH}/disable")).status_code == 303
        assert await status(second) == 401
        assert "Switch on" in (await owner.http.get(PATH)).text
    entries = (await get(account, f"/customers/{account.id}/audit?resourceType=provisioning"))["items"]
    assert [(one["action"], one["resource"]["name"]) for one in reversed(entries)] == [
        ("provisioning.enabled", "<b>Entra"),
        ("provisioning.rotated", "<b>Entra"),
        ("provisioning.disabled", "<b>Entra"),
    ]
    assert second[-30:] not in str(entries)
