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
VARIABLE_BY_PREFIX = {
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
class ApiCall:
    """One call. `path` holds example ids; `file` names what is sent, or what the answer is kept as."""

    method: str
    path: str
    query: Mapping[str, str]
    body: Mapping[str, Any] | None = None
    media_type: str = "application/json"
    file: str = ""
    output_file: str = ""

    @property
    def path_and_query(self) -> str:
        """The path with its query, behind the base of the API."""
        return self.path + (f"?{urlencode(self.query)}" if self.query else "")


def _insert_variables(text: str, form: str) -> str:
    return _ID.sub(lambda found: form.format(VARIABLE_BY_PREFIX.get(found[1], found[1].upper())), text)


def curl_snippet(call: ApiCall) -> str:
    """For a shell such as bash."""
    lines = [f'curl "$BASE{_insert_variables(call.path_and_query, "${}")}"', '-H "X-Api-Key: $KEY"']
    if call.method != ("POST" if call.body or call.file else "GET"):
        lines.insert(1, f"-X {call.method}")
    if call.output_file:
        lines.append(f"-o {call.output_file}")
    if call.file:
        lines += [f'-H "Content-Type: {call.media_type}"', f"--data-binary @{call.file}"]
    if call.body is None:
        return " \\\n  ".join(lines)
    lines += ['-H "Content-Type: application/json"', "-d @- <<'END'"]
    text = json.dumps(call.body, indent=2, ensure_ascii=False)
    if _ID.search(text):
        # Without quotes around END the shell puts the ids in.
        lines[-1], text = "-d @- <<END", _insert_variables(text, "${}")
    return " \\\n  ".join(lines) + f"\n{text}\nEND"


def python_snippet(call: ApiCall) -> str:
    """For Python, with httpx."""
    address = _insert_variables(call.path_and_query, "{{os.environ['{}']}}")
    arguments = [f"f\"{{os.environ['BASE']}}{address}\"", 'headers={"X-Api-Key": os.environ["KEY"]}']
    before = ["import os", "import httpx", ""]
    if call.body is not None:
        text = pformat(call.body, sort_dicts=False, width=76)
        before += ["body = " + re.sub(r"'\$(\w+)'", r'os.environ["\1"]', _insert_variables(text, "${}")), ""]
        arguments.append("json=body")
    if call.file:
        arguments[-1] = f'headers={{"X-Api-Key": os.environ["KEY"], "Content-Type": "{call.media_type}"}}'
        arguments.append(f'content=open("{call.file}", "rb").read()')
    joined = ",\n    ".join(arguments)
    after = f'open("{call.output_file}", "wb").write(answer.content)' if call.output_file else "print(answer.text)"
    lines = [*before, f"answer = httpx.{call.method.lower()}(\n    {joined},\n)", "answer.raise_for_status()", after]
    return "\n".join(lines)


def javascript_snippet(call: ApiCall) -> str:
    """For Node.js 20 and newer, as a module."""
    address = _insert_variables(call.path_and_query, "${{process.env.{}}}")
    headers = ['"X-Api-Key": process.env.KEY']
    options = [] if call.method == "GET" else [f'method: "{call.method}"']
    before = ""
    if call.body is not None:
        text = json.dumps(call.body, indent=2, ensure_ascii=False)
        text = re.sub(r'"\$(\w+)"', r"process.env.\1", _insert_variables(text, "${}"))
        before = f"const body = {text};\n\n"
        headers.append('"Content-Type": "application/json"')
        options.append("body: JSON.stringify(body)")
    if call.file:
        before = 'import { readFile } from "node:fs/promises";\n\n'
        headers.append(f'"Content-Type": "{call.media_type}"')
        options.append(f'body: await readFile("{call.file}")')
    if call.output_file:
        before = 'import { writeFile } from "node:fs/promises";\n\n'
    joined = ",\n  ".join([f"headers: {{ {', '.join(headers)} }}", *options])
    kept = f'await writeFile("{call.output_file}", Buffer.from(await answer.arrayBuffer()));'
    after = kept if call.output_file else "console.log(await answer.text());"
    fetched = f"const answer = await fetch(`${{process.env.BASE}}{address}`, {{\n  {joined},\n}});"
    return f"{before}{fetched}\nif (!answer.ok) throw new Error(await answer.text());\n{after}"
