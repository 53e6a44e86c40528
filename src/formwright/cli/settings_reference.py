"""The documentation of all settings, for docs/reference/settings.md and `formwright settings`."""

from collections.abc import Iterator, Mapping
from typing import Any

from formwright.settings import ALL_SETTINGS
from formwright.settings.setting import Setting


def options_by_variable(command: Any) -> Mapping[str, str]:
    """Return the command line option of each environment variable that has one."""
    return {
        str(parameter.envvar): next(option for option in parameter.opts if option.startswith("--"))
        for parameter in _parameters(command)
        if parameter.envvar
    }


def _parameters(command: Any) -> Iterator[Any]:
    yield from command.params
    for inner in getattr(command, "commands", {}).values():
        yield from _parameters(inner)


def render_table(command: Any) -> str:
    """Return all settings as a Markdown table, as in docs/reference/settings.md."""
    options = options_by_variable(command)
    lines = ["| Variable | Option | Default | Meaning |", "|---|---|---|---|"]
    for setting in SETTINGS:
        option = f" `{options[setting.variable]}`" if setting.variable in options else ""
        lines.append(f"| `{setting.variable}` |{option} | {setting.default} | {setting.meaning} |")
    return "\n".join(lines) + "\n"


SETTINGS = (
    *ALL_SETTINGS,
    Setting(
        "PORT",
        "The port on which `serve` listens.",
        default="8443",
    ),
    Setting(
        "WORKERS",
        "The number of processes that serve requests, 1 to 64.",
        default="1",
    ),
    Setting(
        "TLS_CERT",
        "Your certificate chain (PEM). Requires the key.",
        default="created for localhost",
    ),
    Setting(
        "TLS_KEY",
        "The key of the certificate (PEM), without a password.",
        default="created for localhost",
    ),
    Setting(
        "DRAIN",
        "How many seconds `serve` keeps serving after SIGTERM, while `/health/ready` returns 503, for "
        "[upgrades without rejected requests](../guides/operating.md#upgrade). 0 to 600.",
        default="0",
    ),
    Setting(
        "PASSWORD",
        "The owner's password in `formwright account create`, 10 to 200 characters. Use the variable to keep "
        "it out of the process list.",
        default="asked for",
    ),
)
"""All settings: those of every process, and those of single commands."""
