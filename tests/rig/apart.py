"""A process apart (Linux): a network of its own, in which nothing is but itself, and a name server of its own.

What it does there is done by the system as anywhere: `getaddrinfo` asks over UDP, sockets connect. Public addresses
are given to its loopback, so that nothing ever leaves it.
"""

import ctypes
import fcntl
import os
import socket
import struct
import subprocess
from collections.abc import Iterable
from pathlib import Path

_USER, _MOUNTS, _NETWORK = 0x10000000, 0x20000, 0x40000000
_BIND, _PRIVATE, _WHOLE = 0x1000, 0x40000, 0x4000
_SET_FLAGS, _SET_ADDRESS, _UP = 0x8914, 0x8916, 0x1
NAME_SERVER = "127.0.0.53"


def is_possible() -> bool:
    """Whether this system lets us. Root may; others where it gives them namespaces."""
    try:
        done = subprocess.run(["unshare", "-rmn", "true"], capture_output=True, check=False)
    except OSError:
        return False
    return done.returncode == 0


def leave(folder: Path, addresses: Iterable[str]) -> None:
    """From here on this process is apart; these IPv4 addresses are its own. It must have one thread."""
    user, group, root = os.getuid(), os.getgid(), os.geteuid() == 0
    _call("unshare", _MOUNTS | _NETWORK | (0 if root else _USER))
    if not root:
        Path("/proc/self/setgroups").write_text("deny")
        Path("/proc/self/uid_map").write_text(f"0 {user} 1")
        Path("/proc/self/gid_map").write_text(f"0 {group} 1")
    _name_server(folder)
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as control:
        fcntl.ioctl(control, _SET_FLAGS, struct.pack("16sh14x", b"lo", _UP))
        for number, address in enumerate(addresses, 1):
            place = struct.pack("16sHH4s16x", f"lo:{number}".encode(), socket.AF_INET, 0, socket.inet_aton(address))
            fcntl.ioctl(control, _SET_ADDRESS, place)


def _name_server(folder: Path) -> None:
    # A question is asked once, and waited for: a slow machine does not make a second of it.
    _call("mount", b"none", b"/", None, _WHOLE | _PRIVATE, None)
    _instead(Path("/etc/resolv.conf"), folder, f"nameserver {NAME_SERVER}\noptions timeout:30 attempts:1\n")
    _instead(Path("/etc/nsswitch.conf"), folder, "hosts: files dns\n")


def _instead(file: Path, folder: Path, text: str) -> None:
    if file.exists():
        (folder / file.name).write_text(text, encoding="utf-8")
        _call("mount", bytes(folder / file.name), bytes(file), None, _BIND, None)


def _call(name: str, *arguments: object) -> None:
    library = ctypes.CDLL(None, use_errno=True)
    if getattr(library, name)(*arguments):
        raise OSError(ctypes.get_errno(), f"{name}: {os.strerror(ctypes.get_errno())}")
