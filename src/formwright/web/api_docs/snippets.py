"""Calls of the API as one runs them: with curl, in Python (httpx) and in JavaScript (fetch).

Ids and the key come from variables of the environment, so that what is copied runs as it is.
"""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pprint import pformat
from typing import Any
from urllib.parse import urlencode

_ID = re.compile(r"\b([a-z]{3,4})_01h455vb4pex5vsknk084sn02q\b")
VARIABLES = {
    "cus": "CUSTOMER",
    "usr": "USER_ID",
    "grp": "GROUP",
    "rol": "ROLE",
    "frm": "FORM",
    "ver": "VERSION",
    "tpl": "TEMPLATE",
    "fol": "FOLDER",
    "sub": "SUBMISSION",
    "fil": "FILE",
    "dat": "DATASOURCE",
    "imp": "IMPORT",
    "tsk": "TASK",
    "ivt": "INVITE",
    "hook": "SUBSCRIBER",
    "inv": "INVOCATION",
    "evt": "EVENT",
    "aud": "AUDIT",
}
"""The variable that holds an id, by its prefix."""


@dataclass(frozen=True, slots=True)
class Request:
    """One call. `path` holds example ids; `file` names what is sent, or what the answer is kept as."""

    method: str
    path: str
    query: Mapping[str, str]
    body: Mapping[str, Any] | None = None
    media_type: str = "application/json"
    file: str = ""
    kept_as: str = ""

    @property
    def address(self) -> str:
        """The path with its query, behind the base of the API."""
        return self.path + (f"?{urlencode(self.query)}" if self.query else "")


def _named(text: str, form: str) -> str:
    return _ID.sub(lambda found: form.format(VARIABLES.get(found[1], found[1].upper())), text)


def curl(call: Request) -> str:
    """For a shell such as bash."""
    lines = [f'curl "$BASE{_named(call.address, "${}")}"', '-H "X-Api-Key: $KEY"']
    if call.method != ("POST" if call.body or call.file else "GET"):
        lines.insert(1, f"-X {call.method}")
    if call.kept_as:
        lines.append(f"-o {call.kept_as}")
    if call.file:
        lines += [f'-H "Content-Type: {call.media_type}"', f"--data-binary @{call.file}"]
    if call.body is None:
        return " \\\n  ".join(lines)
    lines += ['-H "Content-Type: application/json"', "-d @- <<'END'"]
    text = json.dumps(call.body, indent=2, ensure_ascii=False)
    if _ID.search(text):
        # Without quotes around END the shell puts the ids in.
        lines[-1], text = "-d @- <<END", _named(text, "${}")
    return " \\\n  ".join(lines) + f"\n{text}\nEND"


def python(call: Request) -> str:
    """For Python, with httpx."""
    address = _named(call.address, "{{os.environ['{}']}}")
    arguments = [f"f\"{{os.environ['BASE']}}{address}\"", 'headers={"X-Api-Key": os.environ["KEY"]}']
    before = ["import os", "import httpx", ""]
    if call.body is not None:
        text = pformat(call.body, sort_dicts=False, width=76)
        before += ["body = " + re.sub(r"'\$(\w+)'", r'os.environ["\1"]', _named(text, "${}")), ""]
        arguments.append("json=body")
    if call.file:
        arguments[-1] = f'headers={{"X-Api-Key": os.environ["KEY"], "Content-Type": "{call.media_type}"}}'
        arguments.append(f'content=open("{call.file}", "rb").read()')
    joined = ",\n    ".join(arguments)
    after = f'open("{call.kept_as}", "wb").write(answer.content)' if call.kept_as else "print(answer.text)"
    lines = [*before, f"answer = httpx.{call.method.lower()}(\n    {joined},\n)", "answer.raise_for_status()", after]
    return "\n".join(lines)


def javascript(call: Request) -> str:
    """For Node.js 20 and newer, as a module."""
    address = _named(call.address, "${{process.env.{}}}")
    headers = ['"X-Api-Key": process.env.KEY']
    options = [] if call.method == "GET" else [f'method: "{call.method}"']
    before = ""
    if call.body is not None:
        text = json.dumps(call.body, indent=2, ensure_ascii=False)
        text = re.sub(r'"\$(\w+)"', r"process.env.\1", _named(text, "${}"))
        before = f"const body = {text};\n\n"
        headers.append('"Content-Type": "application/json"')
        options.append("body: JSON.stringify(body)")
    if call.file:
        before = 'import { readFile } from "node:fs/promises";\n\n'
        headers.append(f'"Content-Type": "{call.media_type}"')
        options.append(f'body: await readFile("{call.file}")')
    if call.kept_as:
        before = 'import { writeFile } from "node:fs/promises";\n\n'
    joined = ",\n  ".join([f"headers: {{ {', '.join(headers)} }}", *options])
    kept = f'await writeFile("{call.kept_as}", Buffer.from(await answer.arrayBuffer()));'
    after = kept if call.kept_as else "console.log(await answer.text());"
    fetched = f"const answer = await fetch(`${{process.env.BASE}}{address}`, {{\n  {joined},\n}});"
    return f"{before}{fetched}\nif (!answer.ok) throw new Error(await answer.text());\n{after}"
