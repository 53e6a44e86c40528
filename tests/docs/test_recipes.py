"""The files of the recipes fit together, fit the API, and their functions do what the guide says."""

import base64
import hashlib
import hmac
import json
import subprocess
import time
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from fixtures.node import node

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "clients" / "examples"
FLOW = {one["id"]: one for one in json.loads((EXAMPLES / "node-red.json").read_text())}
WORKFLOW = json.loads((EXAMPLES / "n8n.json").read_text())
# Node-RED calls a function node like this, with its modules, the environment and the context of its flow.
RUN = """
const [code, messages, variables] = JSON.parse(require("fs").readFileSync(0, "utf-8"));
const stored = new Map(), errors = [];
const flow = { get: (name) => stored.get(name), set: (name, value) => stored.set(name, value) };
const run = new Function("msg", "env", "flow", "node", "crypto", code);
const results = messages.map((msg) => {
    if (msg.raw !== undefined) msg.payload = Buffer.from(msg.raw);
    const env = { get: (name) => variables[name] }, log = { error: (text) => errors.push(text) };
    return run(msg, env, flow, log, require("crypto"));
});
console.log(JSON.stringify({ results, errors }));
"""


def run_function(name: str, *messages: Any, **variables: str) -> Any:
    given = json.dumps([FLOW[name]["func"], messages, variables])
    done = subprocess.run([node(), "-e", RUN], input=given, capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


def test_the_nodes_are_connected_to_existing_nodes() -> None:
    wired = {target for one in FLOW.values() for output in one.get("wires", []) for target in output}
    assert wired < set(FLOW)
    steps = {one["name"] for one in WORKFLOW["nodes"]}
    targets = {to["node"] for one in WORKFLOW["connections"].values() for output in one["main"] for to in output}
    assert set(WORKFLOW["connections"]) | targets == steps


def test_the_requests_are_operations_with_these_parameters() -> None:
    document = json.loads((ROOT / "docs" / "openapi.json").read_text())
    operation = document["paths"]["/api/v1.0/submissions"]["get"]
    known = {parameter["name"] for parameter in operation["parameters"]}
    [step] = [one for one in WORKFLOW["nodes"] if one["type"] == "n8n-nodes-base.httpRequest"]
    first = run_function("first", {}, BASE="https://forms.example.org/api/v1.0", KEY="fwk_a")["results"][0]
    assert first["headers"] == {"X-Api-Key": "fwk_a"}
    for url in (first["url"], step["parameters"]["url"].removeprefix("=")):
        assert urlsplit(url).path == "/api/v1.0/submissions"
        assert set(parse_qs(urlsplit(url).query)) == {"order", "limit", "updatedFrom"} <= known


def test_each_change_is_passed_on_once_and_all_pages_are_read() -> None:
    def page(*items: tuple[str, int, str], next_: str | None = None) -> dict[str, Any]:
        listed = [{"id": id_, "revision": revision, "updated": updated} for id_, revision, updated in items]
        return {"statusCode": 200, "payload": {"items": listed, "next": next_}}

    url = "https://forms.example.org/api/v1.0/submissions?cursor=a"
    problem = {"statusCode": 401, "payload": {"code": "key.unknown", "detail": "The key is unknown."}}
    pages = page(("a", 1, "10:00"), ("b", 1, "11:00"), next_=url), page(("c", 1, "12:00"))
    done = run_function("items", *pages, page(("c", 1, "12:00"), ("c", 2, "13:00")), problem, KEY="fwk_a")
    first, second, later, rejected = done["results"]
    assert [(one["payload"]["id"], one["payload"]["revision"]) for one in first[0]] == [("a", 1), ("b", 1)]
    assert first[1] == {"url": url, "headers": {"X-Api-Key": "fwk_a"}}
    assert ([one["payload"]["id"] for one in second[0]], second[1]) == (["c"], None)
    assert [one["payload"]["revision"] for one in later[0]] == [2]
    assert rejected is None
    assert done["errors"] == ["401 key.unknown: The key is unknown."]


@pytest.mark.parametrize(("change", "status"), [({}, 204), ({"raw": '{"id": "other"}'}, 401), ({"age": 301}, 401)])
def test_only_signed_events_are_passed_on_and_each_once(change: dict[str, Any], status: int) -> None:
    secret, raw, sent = b"a secret of bytes \xff", '{"id": "evt_1"}', str(int(time.time()) - change.get("age", 0))
    signature = base64.b64encode(hmac.digest(secret, f"evt_1.{sent}.{raw}".encode(), hashlib.sha256)).decode()
    headers = {"webhook-id": "evt_1", "webhook-timestamp": sent, "webhook-signature": f"v1,AAAA v1,{signature}"}
    message = {"req": {"headers": headers}, "raw": change.get("raw", raw)}
    variables = {"SECRET": f"whsec_{base64.b64encode(secret).decode()}"}
    done = run_function("verify", message, message, **variables)["results"]
    assert [response["statusCode"] for response, _ in done] == [status, status]
    assert [event for _, event in done] == [{"payload": {"id": "evt_1"}} if status == 204 else None, None]
