"""A name server on loopback (UDP, RFC 1035) whose answers last no second, and may be others the next time."""

import asyncio
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, Self

import dns.flags
import dns.message
import dns.name
import dns.rcode
import dns.rdatatype
import dns.rrset

Turn = Sequence[str]
"""What a name has at a time, such as `A 192.0.2.1`, `AAAA ::1` or `CNAME other.example`."""


class NameServer(asyncio.DatagramProtocol):
    """For an `async with` block. Each name has its turns, one for each time that it is asked for, the last for ever.

    `asked` counts the questions by name and type. A question that is sent again for want of an answer is the same one.
    """

    def __init__(self, zone: Mapping[str, Sequence[Turn]], host: str = "127.0.0.1", port: int = 0) -> None:
        self._zone, self._place = zone, (host, port)
        self._seen: set[object] = set()
        self.asked: Counter[tuple[str, str]] = Counter()

    @property
    def port(self) -> int:
        port: int = self._transport.get_extra_info("sockname")[1]
        return port

    async def __aenter__(self) -> Self:
        loop = asyncio.get_running_loop()
        self._transport, _ = await loop.create_datagram_endpoint(lambda: self, local_addr=self._place)
        return self

    async def __aexit__(self, *_: object) -> None:
        self._transport.close()

    def datagram_received(self, data: bytes, addr: tuple[str | Any, int]) -> None:
        query = dns.message.from_wire(data)
        question = query.question[0]
        name, kind = question.name.to_text(omit_final_dot=True).lower(), dns.rdatatype.to_text(question.rdtype)
        if (addr, query.id, name, kind) not in self._seen:
            self._seen.add((addr, query.id, name, kind))
            self.asked[name, kind] += 1
        answer = dns.message.make_response(query, recursion_available=True)
        answer.flags |= dns.flags.AA
        if name not in self._zone:
            answer.set_rcode(dns.rcode.NXDOMAIN)
        self._fill(answer, name, kind, self.asked[name, kind])
        self._transport.sendto(answer.to_wire(), addr)

    def _fill(self, answer: dns.message.Message, name: str, kind: str, time: int) -> None:
        """The records of this type, and the way to them where the name is another's."""
        turns = self._zone.get(name, [[]])
        for record in turns[min(time, len(turns)) - 1]:
            type_, _, value = record.partition(" ")
            if type_ not in (kind, "CNAME"):
                continue
            value = f"{value}." if type_ == "CNAME" else value
            answer.answer.append(dns.rrset.from_text(dns.name.from_text(name), 0, "IN", type_, value))
            if type_ == "CNAME":
                self._fill(answer, value.rstrip("."), kind, time)
