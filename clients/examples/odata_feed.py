"""Read tables of a feed with python-odata, in an environment of its own: prints their rows as JSON."""

import json
import os
from datetime import datetime

import requests
from odata import ODataService

session = requests.Session()
session.auth = ("any", os.environ["KEY"])
service = ODataService(os.environ["ROOT"], session=session, reflect_entities=True, quiet_progress=True)
table = service.entities[os.environ["TABLE"]]
query = service.query(table)
names = os.environ["COLUMNS"].split(",")


def show(value: object) -> object:
    return value.isoformat() if isinstance(value, datetime) else float(value) if hasattr(value, "is_nan") else value


print(json.dumps([[show(getattr(row, name)) for name in names] for row in query.all()]))
print(json.dumps([show(row.people) for row in query.filter(table.people > 1).order_by(table.people.desc()).limit(2)]))
