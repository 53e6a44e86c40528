"""The ASGI application: the API, the pages, and the embedded worker of a process."""

import asyncio
import ssl
from collections.abc import AsyncIterator, Callable, Collection, Coroutine
from contextlib import asynccontextmanager
from random import getrandbits
from typing import Any

import structlog
from litestar import Litestar, Request
from litestar.exceptions import HTTPException
from litestar.plugins import PluginProtocol
from litestar.plugins.core import MsgspecDIPlugin
from litestar.response import Response
from litestar.types import ASGIApp, Receive, Scope, Send

from formwright import logging_config as log_setup
from formwright.api.cors import cors_middleware
from formwright.api.errors import HttpsRequired, problem, status_of, to_domain_error
from formwright.api.file_download import PREFIX as FILES
from formwright.api.file_download import download_routes
from formwright.api.health import PREFIX as HEALTH
from formwright.api.health import health_routes
from formwright.api.router import PREFIX, Api
from formwright.asgi.compression import compression_middleware
from formwright.asgi.middleware import RequestMiddleware
from formwright.asgi.request_errors import RequestError
from formwright.asgi.timeouts import timeout_middleware
from formwright.asgi.validation import MAX_BODY
from formwright.bootstrap import open_context, secret_key
from formwright.context import AppContext
from formwright.core.clock import Clock, SystemClock
from formwright.core.errors import DomainError
from formwright.core.garbage_collection import tune_garbage_collection
from formwright.core.ids import Ids
from formwright.core.work_kinds import WorkKind
from formwright.domain.users.password_hashing import PasswordVerifier
from formwright.odata.routes import PREFIX as ODATA
from formwright.odata.routes import error_response, odata_routes
from formwright.processes import ServingProcess
from formwright.scim.errors import error_response as scim_error_response
from formwright.scim.routes import PREFIX as SCIM
from formwright.scim.routes import scim_routes
from formwright.settings import Settings
from formwright.telemetry import metrics, tracing
from formwright.telemetry.exporter import serve_metrics
from formwright.web.auth_guard import auth_guard
from formwright.web.background_jobs import ExportStore, JobRunner, remove_expired_exports
from formwright.web.errors import render_error, render_refusal
from formwright.web.request import PageRequest
from formwright.web.session import SignInRequired
from formwright.web.urls import csrf_config, web_routes
from formwright.worker.runner import build_loops, write_usage

_PROGRAMS = (PREFIX, FILES, ODATA, SCIM, "/fill/")
"""Programs, not people, read the responses at these paths."""

log = structlog.get_logger()


def from_environment(process: ServingProcess | None = None) -> RequestMiddleware:
    """Return the application configured by the `FORMWRIGHT_…` variables, as the server processes load it."""
    settings = Settings.from_environment()
    log_setup.configure(settings.log_level)
    application = create_app(settings, process=process)
    application.leaving.install()
    tune_garbage_collection()
    return application


def create_app(
    settings: Settings,
    *,
    clock: Clock | None = None,
    passwords: PasswordVerifier | None = None,
    trust: ssl.SSLContext | None = None,
    process: ServingProcess | None = None,
) -> RequestMiddleware:
    """Return the application of one process. Its context and worker live for the ASGI lifespan."""
    clock = clock or SystemClock()
    wakeup, process_metrics, tracer = _WorkerWakeup(), metrics.create_metrics(settings), tracing.create_tracer()
    api = Api()

    @asynccontextmanager
    async def lifespan(app: Litestar) -> AsyncIterator[None]:
        context = open_context(
            settings,
            clock=clock,
            passwords=passwords,
            on_commit=wakeup.notify,
            trust=trust,
            metrics=process_metrics,
            tracer=tracer,
        )
        with log_setup.buffer_entries():
            async with context as ctx:
                app.state.ctx = api.ctx = ctx
                jobs = _background_jobs(ctx, wakeup)
                if process_metrics:
                    jobs.append(serve_metrics(ctx, process_metrics))
                async with _run_in_background(jobs), JobRunner() as app.state.job_runner:
                    if process:
                        process.started()
                    yield

    app = _Pages(
        [*download_routes(), *health_routes(), *odata_routes(), *scim_routes(), *web_routes()],
        lifespan=[lifespan],
        openapi_config=None,
        csrf_config=csrf_config(settings, secret_key(settings)),
        middleware=[compression_middleware, timeout_middleware(settings.request_s)],
        exception_handlers={Exception: _answer_error},
        before_request=_require_https,
        request_max_body_size=MAX_BODY,
        request_class=PageRequest,
        logging_config=None,
    )
    api_app = cors_middleware(api, settings.cors_origins)
    application = RequestMiddleware(
        app, api_app, settings, Ids(clock, getrandbits), auth_guard(app), refuse_request, process_metrics, tracer
    )
    app.state.leaving, app.state.processes = application.leaving, process.board if process else None
    return application


class _Pages(Litestar):
    """Litestar without its pydantic plugins: nothing uses pydantic, and they take as long to load as all pages."""

    @staticmethod
    def _get_default_plugins(plugins: list[PluginProtocol]) -> list[PluginProtocol]:
        return [*plugins, MsgspecDIPlugin()]


class _WorkerWakeup:
    """Wakes the loops of the worker after each commit that made work of their kind due."""

    def __init__(self) -> None:
        self.callback: Callable[[Collection[WorkKind]], None] = lambda _: None

    def notify(self, kinds: Collection[WorkKind]) -> None:
        self.callback(kinds)


def _background_jobs(ctx: AppContext, wakeup: _WorkerWakeup) -> list[Coroutine[Any, Any, None]]:
    jobs = [write_usage(ctx), remove_expired_exports(ExportStore(ctx.settings.exports_folder, ctx.clock))]
    if ctx.settings.embedded_worker:
        loops, wakeup.callback = build_loops(ctx)
        jobs += loops
    return jobs


@asynccontextmanager
async def _run_in_background(jobs: list[Coroutine[Any, Any, None]]) -> AsyncIterator[None]:
    """Run `jobs` while the block lasts, then cancel them and wait for their cleanup."""
    tasks = [asyncio.create_task(job) for job in jobs]
    try:
        yield
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def _require_https(request: Request[Any, Any, Any]) -> Response[bytes] | None:
    if request.scope["path"].startswith(HEALTH) or request.scope["state"]["is_secure"]:
        return None
    return _problem(request.scope, HttpsRequired())


def refuse_request(error: RequestError) -> ASGIApp:
    """Return the response to a request whose host, URL or headers are rejected before anything else is done with it."""

    async def refuse(scope: Scope, receive: Receive, send: Send) -> None:
        request = PageRequest(scope, receive)
        if scope["path"].startswith(_PROGRAMS):
            answer: Response[Any] = _problem(scope, error)
        else:
            answer = render_refusal(request, error)
        await answer.to_asgi_response(None, request)(scope, receive, send)

    return refuse


def _answer_error(request: Request[Any, Any, Any], error: Exception) -> Response[Any]:
    request_id = request.scope["state"]["request_id"]
    expected = isinstance(error, DomainError | SignInRequired) or (
        isinstance(error, HTTPException) and error.status_code < 500
    )
    if not expected:
        log.error("a request failed unexpectedly", request_id=request_id, exc_info=error)
    if request.scope["path"].startswith(_PROGRAMS):
        return _problem(request.scope, error)
    return render_error(request, error)


def _problem(scope: Any, error: Exception) -> Response[bytes]:
    """Return the error response of an interface without pages: problem details, or what its protocol has instead."""
    request_id: str = scope["state"]["request_id"]
    if scope["path"].startswith(ODATA):
        known = to_domain_error(error)
        return error_response(known, status_of(known), request_id)
    if scope["path"].startswith(SCIM):
        known = to_domain_error(error)
        return scim_error_response(known, status_of(known))
    return problem(error, request_id)
