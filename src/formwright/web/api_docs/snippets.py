"""Example API calls with curl, Python (httpx) and JavaScript (fetch).

Ids and the API key come from environment variables, so that a copied example runs unchanged.
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
"""The environment variable that holds an id, by the id's prefix."""


@dataclass(frozen=True, slots=True)
class ApiCall:
    """One call. `path` contains example ids. `file` is sent as the body; the response is saved in `output_file`."""

    method: str
    path: str
    query: Mapping[str, str]
    body: Mapping[str, Any] | None = None
    media_type: str = "application/json"
    file: str = ""
    output_file: str = ""

    @property
    def path_and_query(self) -> str:
        """The path with its query, relative to the base URL of the API."""
        return self.path + (f"?{urlencode(self.query)}" if self.query else "")


def _insert_variables(text: str, variable_format: str) -> str:
    return _ID.sub(lambda match: variable_format.format(VARIABLE_BY_PREFIX.get(match[1], match[1].upper())), text)


def curl_snippet(call: ApiCall) -> str:
    """Return the call as a command for a POSIX shell."""
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
    body = json.dumps(call.body, indent=2, ensure_ascii=False)
    if _ID.search(body):
        # Without quotes around END, the shell expands the variables.
        lines[-1], body = "-d @- <<END", _insert_variables(body, "${}")
    return " \\\n  ".join(lines) + f"\n{body}\nEND"


def python_snippet(call: ApiCall) -> str:
    """Return the call as Python code that uses httpx."""
    address = _insert_variables(call.path_and_query, "{{os.environ['{}']}}")
    arguments = [f"f\"{{os.environ['BASE']}}{address}\"", 'headers={"X-Api-Key": os.environ["KEY"]}']
    setup = ["import os", "import httpx", ""]
    if call.body is not None:
        body = pformat(call.body, sort_dicts=False, width=76)
        setup += ["body = " + re.sub(r"'\$(\w+)'", r'os.environ["\1"]', _insert_variables(body, "${}")), ""]
        arguments.append("json=body")
    if call.file:
        arguments[-1] = f'headers={{"X-Api-Key": os.environ["KEY"], "Content-Type": "{call.media_type}"}}'
        arguments.append(f'content=open("{call.file}", "rb").read()')
    argument_lines = ",\n    ".join(arguments)
    last_line = (
        f'open("{call.output_file}", "wb").write(response.content)' if call.output_file else "print(response.text)"
    )
    lines = [
        *setup,
        f"response = httpx.{call.method.lower()}(\n    {argument_lines},\n)",
        "response.raise_for_status()",
        last_line,
    ]
    return "\n".join(lines)


def javascript_snippet(call: ApiCall) -> str:
    """Return the call as a module for Node.js 20 or newer."""
    address = _insert_variables(call.path_and_query, "${{process.env.{}}}")
    headers = ['"X-Api-Key": process.env.KEY']
    options = [] if call.method == "GET" else [f'method: "{call.method}"']
    setup = ""
    if call.body is not None:
        body = json.dumps(call.body, indent=2, ensure_ascii=False)
        body = re.sub(r'"\$(\w+)"', r"process.env.\1", _insert_variables(body, "${}"))
        setup = f"const body = {body};\n\n"
        headers.append('"Content-Type": "application/json"')
        options.append("body: JSON.stringify(body)")
    if call.file:
        setup = 'import { readFile } from "node:fs/promises";\n\n'
        headers.append(f'"Content-Type": "{call.media_type}"')
        options.append(f'body: await readFile("{call.file}")')
    if call.output_file:
        setup = 'import { writeFile } from "node:fs/promises";\n\n'
    option_lines = ",\n  ".join([f"headers: {{ {', '.join(headers)} }}", *options])
    save_file = f'await writeFile("{call.output_file}", Buffer.from(await response.arrayBuffer()));'
    last_line = save_file if call.output_file else "console.log(await response.text());"
    fetch_call = f"const response = await fetch(`${{process.env.BASE}}{address}`, {{\n  {option_lines},\n}});"
    return f"{setup}{fetch_call}\nif (!response.ok) throw new Error(await response.text());\n{last_line}"
