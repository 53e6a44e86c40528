"""The ASGI application: the API, the pages, and the embedded worker of a process."""

import asyncio
import ssl
from collections.abc import AsyncIterator, Callable, Collection, Coroutine
from contextlib import asynccontextmanager
from random import getrandbits
from typing import Any

import structlog

from formwright import logging_config as log_setup
from formwright.api.cors import cors_middleware
from formwright.api.errors import HttpsRequired, problem, status_of, to_domain_error
from formwright.api.file_download import download_routes
from formwright.api.health import health_routes
from formwright.api.router import Api
from formwright.asgi.compression import compression_middleware
from formwright.asgi.http_response import HttpResponse
from formwright.asgi.interfaces import Interface, RenderError
from formwright.asgi.middleware import RequestMiddleware
from formwright.asgi.request_errors import RequestError
from formwright.asgi.timeouts import timeout_middleware
from formwright.asgi.types import ASGIApp, Receive, Scope, Send
from formwright.asgi.validation import MAX_BODY
from formwright.bootstrap import open_context, secret_key
from formwright.context import AppContext
from formwright.core.clock import Clock, SystemClock
from formwright.core.errors import DomainError
from formwright.core.garbage_collection import tune_garbage_collection
from formwright.core.ids import Ids
from formwright.core.work_kinds import WorkKind
from formwright.domain.users.password_hashing import PasswordVerifier
from formwright.odata.routes import error_response as odata_error_response
from formwright.odata.routes import odata_routes
from formwright.processes import ServingProcess
from formwright.scim.errors import error_response as scim_error_response
from formwright.scim.routes import scim_routes
from formwright.settings import Settings
from formwright.telemetry import metrics, tracing
from formwright.telemetry.exporter import serve_metrics
from formwright.web.auth_guard import auth_guard
from formwright.web.background_tasks import TaskRunner
from formwright.web.errors import render_error, render_refusal
from formwright.web.http import HTTPException, PageApp, Request, to_page_response
from formwright.web.session import SignInRequired
from formwright.web.urls import FILL_ROUTES, PAGE_GROUPS, csrf_config, page_routes
from formwright.worker.runner import build_loops, write_usage

log = structlog.get_logger()


def _in_protocol(render: Callable[[DomainError, int, str], HttpResponse]) -> RenderError:
    """Return the function that renders any exception in the format of a protocol, with the status that the API has."""

    def render_error(error: Exception, request_id: str) -> HttpResponse:
        known = to_domain_error(error)
        return render(known, status_of(known), request_id)

    return render_error


INTERFACES = (
    Interface("/files", download_routes(), render_error=problem),
    Interface("/health", health_routes(), any_address=True),
    Interface("/odata", odata_routes(), render_error=_in_protocol(odata_error_response), compress=True),
    Interface("/scim", scim_routes(), render_error=_in_protocol(scim_error_response), compress=True),
    Interface("/fill", FILL_ROUTES, render_error=problem, redact=True),
    *PAGE_GROUPS,
)
"""All interfaces apart from the API, whose application each server process creates for itself."""


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
    async def lifespan(app: PageApp) -> AsyncIterator[None]:
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
                async with _run_in_background(jobs), TaskRunner() as app.state.task_runner:
                    if process:
                        process.started()
                    yield

    api_app = cors_middleware(api, settings.cors_origins)
    interfaces = [Interface("/api", app=api_app, render_error=problem), *INTERFACES]
    app = PageApp(
        [*page_routes(), *(route for interface in interfaces for route in interface.routes)],
        lifespan=lifespan,
        csrf=csrf_config(settings, secret_key(settings), interfaces),
        middleware=[compression_middleware, timeout_middleware(settings.request_s)],
        check=_require_https,
        render_error=_answer_error,
        max_body=MAX_BODY,
    )
    ids = Ids(clock, getrandbits)
    application = RequestMiddleware(
        app, interfaces, settings, ids, auth_guard(app), refuse_request, process_metrics, tracer
    )
    app.state.leaving, app.state.processes = application.leaving, process.board if process else None
    return application


class _WorkerWakeup:
    """Wakes the loops of the worker after each commit that made work of their kind due."""

    def __init__(self) -> None:
        self.callback: Callable[[Collection[WorkKind]], None] = lambda _: None

    def notify(self, kinds: Collection[WorkKind]) -> None:
        self.callback(kinds)


def _background_jobs(ctx: AppContext, wakeup: _WorkerWakeup) -> list[Coroutine[Any, Any, None]]:
    jobs = [write_usage(ctx)]
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


async def _require_https(request: Request) -> Any:
    state = request.scope["state"]
    if state["interface"].any_address or state["is_secure"]:
        return None
    render = state["interface"].render_error or problem
    return to_page_response(render(HttpsRequired(), state["request_id"]))


def refuse_request(error: RequestError) -> ASGIApp:
    """Return the response to a request whose host, URL or headers are rejected before anything else is done with it."""

    async def refuse(scope: Scope, receive: Receive, send: Send) -> None:
        request, state = Request(scope, receive), scope["state"]
        render = state["interface"].render_error
        response = to_page_response(render(error, state["request_id"])) if render else render_refusal(request, error)
        await response.to_asgi_response(None, request)(scope, receive, send)

    return refuse


def _answer_error(request: Request, error: Exception) -> Any:
    state = request.scope["state"]
    expected = isinstance(error, DomainError | SignInRequired) or (
        isinstance(error, HTTPException) and error.status_code < 500
    )
    if not expected:
        log.error("a request failed unexpectedly", request_id=state["request_id"], exc_info=error)
    render: RenderError | None = state["interface"].render_error
    return to_page_response(render(error, state["request_id"])) if render else render_error(request, error)
