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
_ASK_WITHIN_S, _LOOK_WITHIN_S = 5.0, 5.0
_HEAD_MAX = 16 * 1024

log = structlog.get_logger()


async def serve_metrics(ctx: AppContext, metrics: PrometheusMetrics) -> None:
    """Serve until cancelled. Several processes may share the port; each reports the metrics of all."""

    async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            async with asyncio.timeout(_ASK_WITHIN_S):
                head = await reader.readuntil(b"\r\n\r\n")
            writer.write(await _answer(ctx, metrics, head.decode("latin-1")))
            await writer.drain()
        except (OSError, TimeoutError, asyncio.IncompleteReadError, asyncio.LimitOverrunError):
            pass
        except Exception:
            log.exception("metrics request failed")
        finally:
            writer.close()

    settings = ctx.settings
    server = await asyncio.start_server(
        talk, settings.metrics_host, settings.metrics_port, limit=_HEAD_MAX, reuse_port=True
    )
    async with server:
        await server.serve_forever()


async def _answer(ctx: AppContext, figures: PrometheusMetrics, head: str) -> bytes:
    method, _, rest = head.partition(" ")
    if rest.partition(" ")[0].partition("?")[0] != _PATH:
        return _reply(HTTPStatus.NOT_FOUND, "text/plain", b"The figures are at /metrics.\n")
    if method != "GET":
        return _reply(HTTPStatus.METHOD_NOT_ALLOWED, "text/plain", b"Ask with GET.\n", "Allow: GET\r\n")
    encode, media_type = choose_encoder(_accept(head))
    registry = _registry([*collect_process_metrics(figures.processes()), *await _of_house(ctx)], figures)
    return _reply(HTTPStatus.OK, media_type, await asyncio.to_thread(encode, registry))


def _accept(head: str) -> str:
    lines = (line.partition(":") for line in head.split("\r\n")[1:])
    return next((value.strip() for name, _, value in lines if name.strip().lower() == "accept"), "")


async def _of_house(ctx: AppContext) -> list[Metric]:
    """Return the metrics from the database, and whether it was available."""
    found: list[Metric] = []
    try:
        async with asyncio.timeout(_LOOK_WITHIN_S):
            found = await collect_database_metrics(ctx)
    except Exception as error:  # noqa: BLE001 - the other metrics are reported whatever the error
        log.warning("database metrics unavailable", detail=str(error) or type(error).__name__)
    return [GaugeMetricFamily("formwright_database_up", "Whether the database could be asked.", bool(found)), *found]


class _Found(Collector):
    def __init__(self, found: Iterable[Metric]) -> None:
        self._found = found

    def collect(self) -> Iterable[Metric]:
        return self._found


def _registry(found: Iterable[Metric], figures: PrometheusMetrics) -> CollectorRegistry:
    registry = CollectorRegistry()
    registry.register(_Found(found))
    registry.register(figures.collector())
    return registry


def _reply(status: HTTPStatus, media_type: str, body: bytes, more: str = "") -> bytes:
    head = f"HTTP/1.1 {status.value} {status.phrase}\r\nContent-Type: {media_type}\r\nContent-Length: {len(body)}\r\n"
    return f"{head}{more}Cache-Control: no-store\r\nConnection: close\r\n\r\n".encode() + body
