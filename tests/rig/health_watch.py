"""Watches `/health/live` of a server from outside, in processor time, which a busy machine does not stretch."""

import http.client
import os
import ssl
import time
from pathlib import Path

_TICKS = os.sysconf("SC_CLK_TCK")


def watch(port: int, authority: str, pids: list[int], out: str) -> None:
    """Ask again and again until killed; a line for each answer: when it was asked for, and what it cost.

    The cost is the seconds of processor time that the server spent until it answered, its own few milliseconds
    included. A server whose event loop does not turn spends all of its time on something else.
    """
    trust = ssl.create_default_context(cafile=authority)
    connection = http.client.HTTPSConnection("localhost", port, context=trust, timeout=120)
    with Path(out).open("a", buffering=1) as lines:
        while True:
            begun, spent = time.time(), _spent(pids)
            connection.request("GET", "/health/live")
            connection.getresponse().read()
            lines.write(f"{begun} {_spent(pids) - spent}\n")
            time.sleep(0.005)


def _spent(pids: list[int]) -> float:
    ticks = 0
    for pid in pids:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        ticks += int(fields[11]) + int(fields[12])
    return ticks / _TICKS


def family(group: int) -> list[int]:
    """The processes of a process group."""
    found = []
    for one in Path("/proc").iterdir():
        if one.name.isdigit():
            try:
                if os.getpgid(int(one.name)) == group:
                    found.append(int(one.name))
            except ProcessLookupError:
                continue
    return found
