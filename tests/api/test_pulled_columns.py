"""Columns of rows with computed keys: the server stores what JavaRosa, the implementation of ODK, computes."""

import random
import shutil
from pathlib import Path
from typing import Any

import pytest
from actors import Account
from factories.datasources import datasource
from factories.requests import PREFIX
from factories.row_files import XLSX
from unit.xlsform.test_javarosa import fill_with_javarosa, flatten, same
from unit.xlsform.workbooks import survey

pytestmark = pytest.mark.skipif(shutil.which("javac") is None, reason="needs a Java development kit")

TOWNS: list[dict[str, Any]] = [
    {"name": f"{letter}{n}", "label": f"Town {letter}{n}", "next": f"{'bca'['abc'.index(letter)]}{n + 1}", "people": n}
    for letter in "abc"
    for n in range(3)
]
ROW = "instance('towns')/root/item[name = {}]/{}"
COLUMNS = "type name label calculation relevant"
FORM = [
    ["csv-external", "towns", "", "", ""],
    ["text", "t", "T", "", ""],
    ["integer", "n", "N", "", ""],
    ["calculate", "key", "", "concat(${t}, ${n})", ""],
    ["calculate", "label", "", ROW.format("${key}", "label"), ""],
    ["calculate", "following", "", ROW.format("${key}", "next"), ""],
    ["calculate", "people_there", "", ROW.format("${following}", "people"), ""],
    ["calculate", "called", "", ROW.format("concat(${t}, '1')", "label"), ""],
    ["text", "why", "Why", "", f"{ROW.format('${key}', 'name')} != ''"],
    ["calculate", "longer", "", f"concat('in ', {ROW.format('${key}', 'next')}, '!')", "${why} != ''"],
    ["begin repeat", "stops", "Stops", "", ""],
    ["text", "stop", "Stop", "", ""],
    ["calculate", "of_stop", "", ROW.format("concat(${stop}, ${n})", "label"), ""],
    ["end repeat", "", "", "", ""],
]  # fmt: skip
ASKED = {row[1] for row in FORM}


def draw(chance: random.Random) -> dict[str, Any]:
    some = {"t": chance.choice(["a", "b", "x"]), "n": chance.randint(0, 3), "why": "w"}
    stops = [{"stop": chance.choice("abc")} for _ in range(chance.randint(1, 3))]
    return {name: value for name, value in some.items() if chance.random() < 0.8} | {"stops": stops}


@pytest.mark.slow
async def test_columns_of_rows_are_those_of_javarosa(account: Account, tmp_path: Path) -> None:
    await datasource(account, rows=TOWNS, keyColumn="name", name="towns")
    (tmp_path / "towns.csv").write_text(
        "\n".join(",".join(map(str, row)) for row in [list(TOWNS[0]), *(list(one.values()) for one in TOWNS)])
    )
    content = survey(*FORM, columns=COLUMNS)
    address = f"{PREFIX}/forms/customer/{account.id}/forms/import?publish=true"
    response = await account.api.post(address, content=content, headers={"content-type": XLSX})
    assert response.status_code == 201, response.text
    assert [note for note in response.json()["report"] if note["kind"] != "changed"] == []
    path = f"{PREFIX}/customers/{account.id}/forms/{response.json()['id']}/submissions"
    chance = random.Random(5)
    fillings = [draw(chance) for _ in range(25)]
    for sent, theirs in zip(fillings, fill_with_javarosa(tmp_path, content, list(map(flatten, fillings))), strict=True):
        came = await account.api.post(path, json={"data": sent})
        assert came.status_code == 201, came.text
        ours = flatten(came.json()["data"])
        theirs.pop("meta/instanceID")
        names = {name for name in ours.keys() | theirs.keys() if name.rpartition("/")[2] in ASKED}
        assert {
            name: (ours.get(name), theirs.get(name)) for name in names if not same(ours.get(name), theirs.get(name))
        } == {}
