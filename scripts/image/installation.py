"""Calls a server on port 8443 of this machine, as the owner of the demo account."""

import html
import http.client
import json
import re
import ssl
from pathlib import Path
from typing import Any

_PORT = 8443
_ANSWERS = {"site": "Pier 7", "day": "2031-03-14", "kind": "routine"}


class Installation:
    """A running server and its demo account. Its certificate is verified with the authority in its data folder."""

    def __init__(self, data: Path, demo: dict[str, str]) -> None:
        self._data, self._demo = data, demo
        self.fill_path = demo["fillUrl"].partition(f":{_PORT}")[2]

    def create_submission(self) -> Any:
        """Create a submission and return it. Raises `RuntimeError` if it is rejected."""
        path = f"/api/v1.0/customers/{self._demo['customerId']}/forms/{self._demo['formId']}/submissions"
        status, text = self.call("POST", path, {"data": _ANSWERS})
        if status != 201:
            raise RuntimeError(f"POST {path} returned {status}: {text!r}")
        return json.loads(text)

    def submissions(self) -> list[Any]:
        """Return all submissions. Raises `RuntimeError` if they cannot be read."""
        status, text = self.call("GET", "/api/v1.0/submissions")
        if status != 200:
            raise RuntimeError(f"the list of submissions returned {status}: {text!r}")
        return list(json.loads(text)["items"])

    def fetch_assets(self, path: str) -> int:
        """Load a page with its scripts and style sheets, and return their number. Raises `RuntimeError`."""
        assets = re.findall(r'<(?:script|link)\b[^>]*? (?:src|href)="(/[^"]+)"', self._fetch(path))
        for asset in assets:
            self._fetch(html.unescape(asset))
        return len(assets)

    def _fetch(self, path: str) -> str:
        status, text = self.call("GET", path)
        if status != 200:
            raise RuntimeError(f"GET {path} returned {status}")
        return text.decode()

    def call(self, method: str, path: str, body: object = None) -> tuple[int, bytes]:
        """Return the status and the body of the response; the status is 0 if there is none."""
        headers = {"content-type": "application/json", "x-api-key": self._demo["apiKey"]}
        try:
            trust = ssl.create_default_context(cafile=self._data / "tls" / "ca.pem")
            connection = http.client.HTTPSConnection("localhost", _PORT, timeout=30, context=trust)
            connection.request(method, path, None if body is None else json.dumps(body), headers)
            response = connection.getresponse()
            return response.status, response.read()
        except OSError:
            return 0, b""
