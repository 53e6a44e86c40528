"""Whether requests and deliveries are traced: where the standard variables of OpenTelemetry name a receiver.

Nothing of OpenTelemetry is read before that, and it need not be installed.
"""

import importlib
import os
from collections.abc import Mapping

from formwright.core.kernel.tracing import Tracer
from formwright.settings import SettingsError

_RECEIVERS = ("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "OTEL_EXPORTER_OTLP_ENDPOINT")


def tracer(environment: Mapping[str, str] = os.environ) -> Tracer | None:
    """What traces in this process; None where nobody asked for it."""
    asked = [name for name in _RECEIVERS if environment.get(name)]
    off = environment.get("OTEL_SDK_DISABLED", "").lower() == "true"
    if not asked or off or environment.get("OTEL_TRACES_EXPORTER", "otlp") != "otlp":
        return None
    try:
        module = importlib.import_module("formwright.insight.opentelemetry")
    except ModuleNotFoundError as error:
        raise SettingsError(
            f"{asked[0]} is set, but {error.name} is not installed: install formwright[tracing]"
            " (requirements/tracing.txt)."
        ) from None
    made: Tracer = module.OpenTelemetry(environment)
    return made
