"""Tracing of requests and deliveries. It is on if the standard variables of OpenTelemetry set a receiver.

Otherwise OpenTelemetry is not imported, and does not have to be installed.
"""

import importlib
import os
from collections.abc import Mapping

from formwright.core.tracing import Tracer
from formwright.settings import SettingsError

_RECEIVERS = ("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "OTEL_EXPORTER_OTLP_ENDPOINT")


def create_tracer(environment: Mapping[str, str] = os.environ) -> Tracer | None:
    """Return the tracer of this process, or None if tracing is off. Raises `SettingsError`."""
    configured = [name for name in _RECEIVERS if environment.get(name)]
    off = environment.get("OTEL_SDK_DISABLED", "").lower() == "true"
    if not configured or off or environment.get("OTEL_TRACES_EXPORTER", "otlp") != "otlp":
        return None
    try:
        module = importlib.import_module("formwright.telemetry.opentelemetry")
    except ModuleNotFoundError as error:
        raise SettingsError(
            f"{configured[0]} is set, but {error.name} is not installed: install formwright[tracing]"
            " (requirements/tracing.txt)."
        ) from None
    tracer: Tracer = module.OpenTelemetryTracer(environment)
    return tracer
