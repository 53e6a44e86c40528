"""Names that lead to a public address when they are judged and to a private one when they are connected to.

A name server on loopback says so over UDP; receivers listen on each address and count who connects. What is run is the
client with which webhooks are sent, in a process of its own.
"""

import asyncio
import json
from collections.abc import Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from ipaddress import ip_network
from pathlib import Path
from typing import Any

import dns.asyncresolver
import dns.resolver

from formwright.core.outbound.http import Outbound, PostFailed
from formwright.core.outbound.names import Lookup
from formwright.core.outbound.wall import Wall
from rig import apart
from rig.certificates import Certificates, made_in
from rig.names import NameServer, Turn
from rig.server import free_port
from rig.sinks import OK, Receiver, answers

ROOT = "receiver.example"
METADATA = "169.254.169.254"
_CLOSE = OK.replace(b"OK\r\n", b"OK\r\nConnection: close\r\n")


def zone(public: str) -> dict[str, Sequence[Turn]]:
    """Each name with its turns, and what is behind those that are another's."""
    good, bad = f"A {public}", "A 127.0.0.1"
    turns: dict[str, Sequence[Turn]] = {
        "turns": [[good], [bad], [good]],
        "turns6": [[good], ["AAAA ::1"]],
        "turns-to-metadata": [[good], [f"A {METADATA}"]],
        "mixed": [[good, bad]],
        "mixed-other-way": [[bad, good]],
        "mixed6": [[good, "AAAA ::1"]],
        "mapped": [["AAAA ::ffff:127.0.0.1"]],
        "nat64": [["AAAA 64:ff9b::7f00:1"]],
        "alias": [[f"CNAME inside.{ROOT}"]],
        "alias-turns": [[f"CNAME outside.{ROOT}"], [f"CNAME inside.{ROOT}"]],
        "inside": [[bad]],
        "outside": [[good]],
    }
    return {f"{name}.{ROOT}": of for name, of in turns.items()}


@dataclass
class Seen:
    """What came of the posts to each name, who was connected to, and how often a name was asked for."""

    outcomes: dict[str, list[str]] = field(default_factory=dict)
    connections: dict[str, int] = field(default_factory=dict)
    asked: dict[str, int] = field(default_factory=dict)


def run(way: str, folder: Path) -> None:
    """`apart`: with the system's own lookup and no range lifted. `seam`: with a lookup of its own, and 127.0.0.2 stands
    for a public address. What was seen is written into the folder."""
    certificates = made_in(folder)
    if way == "apart":
        apart.leave(folder, ["8.8.8.8", METADATA])
        seen = asyncio.run(_apart(certificates))
    else:
        seen = asyncio.run(_seam(certificates))
    (folder / "seen").write_text(json.dumps(vars(seen)), encoding="utf-8")


async def _apart(certificates: Certificates) -> Seen:
    async with NameServer(zone("8.8.8.8"), apart.NAME_SERVER, 53) as server:
        client = Outbound(Wall(), ssl_context=certificates.trusting)
        return await _posts(client, server, certificates, ["8.8.8.8", "127.0.0.1", METADATA, "::1"])


async def _seam(certificates: Certificates) -> Seen:
    async with NameServer(zone("127.0.0.2")) as server:
        wall = Wall([ip_network("127.0.0.2/32")])
        client = Outbound(wall, lookup=_asks(server.port), ssl_context=certificates.trusting)
        return await _posts(client, server, certificates, ["127.0.0.2", "127.0.0.1"])


def _asks(port: int) -> Lookup:
    """Asks a name server as the system does: for both kinds of addresses, and nothing remembered."""
    resolver = dns.asyncresolver.Resolver(configure=False)
    resolver.nameservers, resolver.port, resolver.timeout, resolver.lifetime = ["127.0.0.1"], port, 30, 30

    async def lookup(host: str) -> Sequence[str]:
        try:
            found = [await resolver.resolve(host, kind, raise_on_no_answer=False) for kind in ("A", "AAAA")]
        except dns.resolver.NXDOMAIN:
            raise OSError(-2, "Name or service not known") from None
        return [record.address for answer in found for record in (answer.rrset or ())]

    return lookup


async def _posts(client: Outbound, server: NameServer, certificates: Certificates, places: list[str]) -> Seen:
    seen, port = Seen(), free_port()
    async with AsyncExitStack() as stack:
        stack.push_async_callback(client.close)
        open_ = [Receiver(answers(_CLOSE), certificates.server, place, port) for place in places]
        there: dict[str, Receiver] = {
            place: await stack.enter_async_context(it) for place, it in zip(places, open_, strict=True)
        }
        for name, turns in [*zone("").items(), (f"nowhere.{ROOT}", [[]])]:
            url = f"https://{name}:{port}/"
            seen.outcomes[name.partition(".")[0]] = [await _post(client, url) for _ in turns]
        seen.connections = {place: it.connections for place, it in there.items()}
    seen.asked = {name.partition(".")[0]: count for (name, kind), count in server.asked.items() if kind == "A"}
    return seen


async def _post(client: Outbound, url: str) -> str:
    try:
        answer: Any = await client.post(url, headers={}, body=b"{}", deadline_s=60, connect_s=60)
    except PostFailed as error:
        return str(error)
    return str(answer.status)
