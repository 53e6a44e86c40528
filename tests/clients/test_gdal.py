"""GDAL, which QGIS reads files with, reads pages of submissions as GeoJSON."""

import asyncio
import json
import re
import shutil
from pathlib import Path
from typing import Any

import pytest
from actors import Account
from factories.forms import form
from factories.requests import PREFIX
from factories.submissions import submission
from fixtures.client_generators import program, run

READ = """
import json, struct, sys
from pyogrio import read_info
from pyogrio.raw import read
info = read_info(sys.argv[1])
meta, _, geometry, columns = read(sys.argv[1])
points = [one and struct.unpack("<dd", one[5:21]) for one in geometry]
values = {name: [str(one) for one in column] for name, column in zip(meta["fields"], columns)}
print(json.dumps({"driver": info["driver"], "crs": info["crs"], "kind": info["geometry_type"],
    "points": points, "values": values, "types": dict(zip(meta["fields"], map(str, meta["dtypes"])))}))
"""
FIELDS = [
    {"type": "text", "name": "id", "label": "Id"},
    {"type": "integer", "name": "people", "label": "People"},
    {"type": "location", "name": "place", "label": "Place"},
]


async def test_gdal_reads_features_coordinates_and_properties(account: Account, tmp_path: Path) -> None:
    new_form = await form(account, fields=FIELDS)
    spots = [(180.0, 90.0), (-180.0, -90.0), (13.40495, 52.52001)]
    answers: list[dict[str, Any]] = [
        {"id": "ü🎉", "people": n, "place": {"longitude": longitude, "latitude": latitude}}
        for n, (longitude, latitude) in enumerate(spots)
    ]
    ids = [(await submission(account, new_form, data=one))["id"] for one in [*answers, {"people": 3}]]
    page = await account.api.get(f"{PREFIX}/customers/{account.id}/submissions.geojson?formId={new_form['id']}")
    file = tmp_path / "page.geojson"
    file.write_bytes(page.content)
    read = json.loads(await asyncio.to_thread(run, program("python"), "-c", READ, str(file)))
    assert (read["driver"], read["crs"], read["kind"]) == ("GeoJSON", "EPSG:4326", "Point")
    assert read["points"] == [*map(list, spots), None], "a submission without a position is a row without a geometry"
    assert read["values"]["_id"] == ids
    assert read["values"]["id"] == ["ü🎉", "ü🎉", "ü🎉", "None"], "the answer and not the id of the feature"
    assert read["values"]["people"] == ["0", "1", "2", "3"]
    assert (read["types"]["people"], read["types"]["_submitted"]) == ("int32", "datetime64[ms]")


@pytest.mark.skipif(shutil.which("ogrinfo") is None, reason="needs ogrinfo of GDAL: install Debian's gdal-bin")
async def test_ogrinfo_reads_poles_and_both_sides_of_the_date_line(account: Account, tmp_path: Path) -> None:
    new_form = await form(account, fields=FIELDS)
    spots = [(179.9, -17.0), (-179.9, -17.0), (0.0, 90.0), (0.0, -90.0)]
    for longitude, latitude in spots:
        await submission(account, new_form, data={"place": {"longitude": longitude, "latitude": latitude}})
    await submission(account, new_form, data={"people": 3})
    page = await account.api.get(f"{PREFIX}/customers/{account.id}/submissions.geojson?formId={new_form['id']}")
    file = tmp_path / "page.geojson"
    file.write_bytes(page.content)
    read = await asyncio.to_thread(run, "ogrinfo", "-ro", "-al", str(file))
    assert "using driver `GeoJSON' successful." in read
    assert ("Geometry: Point" in read, "Feature Count: 5" in read) == (True, True)
    assert "Extent: (-179.900000, -90.000000) - (179.900000, 90.000000)" in read
    points = re.findall(r"^  POINT \((\S+) (\S+)\)$", read, re.MULTILINE)
    assert [(float(longitude), float(latitude)) for longitude, latitude in points] == spots
