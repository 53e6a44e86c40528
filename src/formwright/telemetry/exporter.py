"""The HTTP endpoint for Prometheus. It serves a single path, with one request per connection."""

import asyncio
from collections.abc import Iterable
from http import HTTPStatus

import structlog
from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.exposition import choose_encoder
from prometheus_client.registry import Collector, CollectorRegistry

from formwright.context import AppContext
from formwright.telemetry.collectors import collect_database_metrics, collect_process_metrics
from formwright.telemetry.metrics import PrometheusMetrics

_PATH = "/metrics"
_REQUEST_TIMEOUT_S, _DATABASE_TIMEOUT_S = 5.0, 5.0
_MAX_HEAD_BYTES = 16 * 1024

log = structlog.get_logger()


async def serve_metrics(ctx: AppContext, metrics: PrometheusMetrics) -> None:
    """Serve until cancelled. Several processes may share the port; each reports the metrics of all."""

    async def handle(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            async with asyncio.timeout(_REQUEST_TIMEOUT_S):
                head = await reader.readuntil(b"\r\n\r\n")
            writer.write(await _respond(ctx, metrics, head.decode("latin-1")))
            await writer.drain()
        except (OSError, TimeoutError, asyncio.IncompleteReadError, asyncio.LimitOverrunError):
            pass
        except Exception:
            log.exception("metrics request failed")
        finally:
            writer.close()

    settings = ctx.settings
    server = await asyncio.start_server(
        handle, settings.metrics_host, settings.metrics_port, limit=_MAX_HEAD_BYTES, reuse_port=True
    )
    async with server:
        await server.serve_forever()


async def _respond(ctx: AppContext, metrics: PrometheusMetrics, head: str) -> bytes:
    method, _, rest = head.partition(" ")
    if rest.partition(" ")[0].partition("?")[0] != _PATH:
        return _reply(HTTPStatus.NOT_FOUND, "text/plain", b"The metrics are at /metrics.\n")
    if method != "GET":
        return _reply(HTTPStatus.METHOD_NOT_ALLOWED, "text/plain", b"Use GET.\n", "Allow: GET\r\n")
    encode, media_type = choose_encoder(_accept(head))
    registry = _registry([*collect_process_metrics(metrics.processes()), *await _database_metrics(ctx)], metrics)
    return _reply(HTTPStatus.OK, media_type, await asyncio.to_thread(encode, registry))


def _accept(head: str) -> str:
    lines = (line.partition(":") for line in head.split("\r\n")[1:])
    return next((value.strip() for name, _, value in lines if name.strip().lower() == "accept"), "")


async def _database_metrics(ctx: AppContext) -> list[Metric]:
    """Return the metrics from the database, and whether it was available."""
    found: list[Metric] = []
    try:
        async with asyncio.timeout(_DATABASE_TIMEOUT_S):
            found = await collect_database_metrics(ctx)
    except Exception as error:  # noqa: BLE001 - the other metrics are reported whatever the error
        log.warning("database metrics unavailable", detail=str(error) or type(error).__name__)
    return [GaugeMetricFamily("formwright_database_up", "Whether the database could be queried.", bool(found)), *found]


class _StaticCollector(Collector):
    def __init__(self, metrics: Iterable[Metric]) -> None:
        self._metrics = metrics

    def collect(self) -> Iterable[Metric]:
        return self._metrics


def _registry(collected: Iterable[Metric], metrics: PrometheusMetrics) -> CollectorRegistry:
    registry = CollectorRegistry()
    registry.register(_StaticCollector(collected))
    registry.register(metrics.collector())
    return registry


def _reply(status: HTTPStatus, media_type: str, body: bytes, more: str = "") -> bytes:
    head = f"HTTP/1.1 {status.value} {status.phrase}\r\nContent-Type: {media_type}\r\nContent-Length: {len(body)}\r\n"
    return f"{head}{more}Cache-Control: no-store\r\nConnection: close\r\n\r\n".encode() + body
