"""A real PgBouncer before a server of the tests: few connections to it, each given out for one transaction."""

import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from pathlib import Path
from typing import Self

from rig import machine
from rig.postgres import Server, _end_with_parent, _free_port, _owner

START_SECONDS = 30
CONNECTIONS = 3
"""To each database: fewer than ask at once."""


class Bouncer(Server):
    """For a `with` block. Its databases are those of the server behind it."""

    def __init__(self, server: Server) -> None:
        super().__init__(server.programs, _free_port())
        self._server, self._program, self._owner = server, machine.pgbouncer(), _owner()

    def __enter__(self) -> Self:
        self._folder = Path(tempfile.mkdtemp(prefix="formwright-pgbouncer-"))
        if self._owner:
            shutil.chown(self._folder, self._owner.pw_uid, self._owner.pw_gid)
        settings = self._folder / "pgbouncer.ini"
        settings.write_text(
            "[databases]\n"
            f"* = host=127.0.0.1 port={self._server.port} user=postgres\n"
            "[pgbouncer]\n"
            f"listen_addr = 127.0.0.1\nlisten_port = {self.port}\nunix_socket_dir =\n"
            f"auth_type = any\npool_mode = transaction\ndefault_pool_size = {CONNECTIONS}\nmax_client_conn = 200\n"
        )
        self._process = subprocess.Popen(
            [self._program, settings],
            user=self._owner.pw_uid if self._owner else None,
            group=self._owner.pw_gid if self._owner else None,
            extra_groups=[] if self._owner else None,
            cwd=self._folder,
            env={"PATH": os.defpath},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
            preexec_fn=_end_with_parent,
        )
        self._wait_until_ready()
        return self

    def __exit__(self, *_: object) -> None:
        self._process.send_signal(signal.SIGTERM)
        self._process.wait()
        shutil.rmtree(self._folder, ignore_errors=True)

    def _wait_until_ready(self) -> None:
        deadline = time.monotonic() + START_SECONDS
        while True:
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", self.port)) == 0:
                    return
            assert self._process.poll() is None, "PgBouncer did not start"
            assert time.monotonic() < deadline, "PgBouncer does not answer"
            time.sleep(0.02)
