"""An interface is declared once: its errors, compression, cookies and log entries follow from the declaration."""

from ipaddress import ip_network
from pathlib import Path
from typing import Any

import httpx
import msgspec
import pytest
import structlog

from formwright import app as app_module
from formwright import migrations
from formwright.app import INTERFACES, create_app
from formwright.asgi.http_response import HttpResponse
from formwright.asgi.interfaces import PAGES, Interface, ProgramRequest, ProgramRoute
from formwright.asgi.middleware import RequestMiddleware
from formwright.domain.customers.service import CustomerNotFound
from formwright.settings import Settings

SECRET = "forms-of-somebody"


async def read(request: ProgramRequest) -> HttpResponse:
    if request.path_params["secret"] == "none":
        raise CustomerNotFound()
    return HttpResponse(200, b"<form/>" * 1000, "text/xml")


async def send(request: ProgramRequest) -> HttpResponse:
    return HttpResponse(201, b"".join([part async for part in request.stream()]))


async def serve_directly(scope: Any, receive: Any, send: Any) -> None:
    del receive
    await HttpResponse(200, scope["method"].encode()).send(send, "")


def render_error(error: Exception, request_id: str) -> HttpResponse:
    return HttpResponse(418, msgspec.json.encode([type(error).__name__, request_id]), "text/xml")


ROUTES = (ProgramRoute("/dummy/{secret:str}", read), ProgramRoute("/dummy/{secret:str}", send, ("POST",)))
DUMMY = Interface("/dummy", ROUTES, render_error=render_error, compress=True, redact=True)
DIRECT = Interface("/direct", app=serve_directly)


def application_with(monkeypatch: pytest.MonkeyPatch, folder: Path, interface: Interface) -> RequestMiddleware:
    monkeypatch.setattr(app_module, "INTERFACES", (*INTERFACES, interface))
    settings = Settings(data_dir=folder, embedded_worker=False, trusted_proxies=(ip_network("127.0.0.0/8"),))
    return create_app(settings)


def client(application: RequestMiddleware) -> httpx.AsyncClient:
    transport = httpx.ASGITransport(application, raise_app_exceptions=False)
    return httpx.AsyncClient(transport=transport, base_url="https://localhost")


async def test_one_declaration_adds_an_interface(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    async with client(application_with(monkeypatch, tmp_path, DUMMY)) as http:
        with structlog.testing.capture_logs() as entries:
            found = await http.get(f"/dummy/{SECRET}", headers={"accept-encoding": "gzip"})
            sent = await http.post(f"/dummy/{SECRET}", content=b"<a/>")
        missing = await http.get("/dummy/none")
        other_path = await http.get("/dummy/a/b")
        other_host = await http.get(f"/dummy/{SECRET}", headers={"host": "elsewhere.test"})
        forwarded = await http.get(f"/dummy/{SECRET}", headers={"x-forwarded-proto": "http"})
    assert (found.text, found.headers["content-encoding"]) == ("<form/>" * 1000, "gzip")
    assert (sent.status_code, sent.text) == (201, "<a/>"), "neither a session nor a CSRF token is needed"
    assert [entry["path"] for entry in entries] == ["/dummy/…"] * 2
    own = {
        "CustomerNotFound": missing,
        "NotFoundException": other_path,
        "HostUnknown": other_host,
        "HttpsRequired": forwarded,
    }
    for name, response in own.items():
        assert (response.status_code, response.json()) == (418, [name, response.headers["x-request-id"]]), name


async def test_without_the_declaration_its_paths_are_those_of_pages(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    application = application_with(monkeypatch, tmp_path, Interface("/dummy", ROUTES, cookies=True))
    await migrations.upgrade(Settings(data_dir=tmp_path))
    async with application.app.lifespan(), client(application) as http:
        with structlog.testing.capture_logs() as entries:
            found = await http.get(f"/dummy/{SECRET}", headers={"accept-encoding": "gzip"})
            sent = await http.post(f"/dummy/{SECRET}", content=b"<a/>")
    assert "content-encoding" not in found.headers
    assert (sent.status_code, sent.headers["content-type"].partition(";")[0]) == (403, "text/html")
    assert [entry["path"] for entry in entries] == [f"/dummy/{SECRET}"] * 2


async def test_an_interface_can_be_an_application_of_its_own(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    async with client(application_with(monkeypatch, tmp_path, DIRECT)) as http:
        assert (await http.delete("/direct/a/b")).text == "DELETE"
        assert (await http.get("/direct")).text == "GET"


@pytest.mark.parametrize("path", ["/", "//direct", "/directly/a", "/a/direct/b", "/DIRECT/a", ""])
def test_other_paths_are_pages(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, path: str) -> None:
    application = application_with(monkeypatch, tmp_path, DIRECT)
    assert application.find_interface(path) is PAGES
    assert application.find_interface("/direct/a") is DIRECT


async def test_head_requests_have_the_same_host_as_others(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    hosts: list[list[bytes]] = []

    async def note_host(scope: Any, receive: Any, send: Any) -> None:
        del receive
        hosts.append([value for name, value in scope["headers"] if name == b"host"])
        await HttpResponse(200).send(send, "")

    async def ignore(_: Any = None) -> None:
        pass

    application = application_with(monkeypatch, tmp_path, Interface("/noted", app=note_host))
    for method in ("GET", "HEAD"):
        about = {"method": method, "path": "/noted", "query_string": b"", "client": ("203.0.113.7", 1)}
        scope = {"type": "http", "http_version": "1.0", "scheme": "https", "headers": [], **about}
        await application(scope, ignore, ignore)
    assert hosts == [[b"localhost"], [b"localhost"]]
