"""Runs commands in a root as a container would: read-only, as the image's user, without capabilities."""

import contextlib
import subprocess
from collections.abc import Sequence
from pathlib import Path

from scripts.image.dockerfile import Stage


class Container:
    """A root that is mounted read-only, with a volume for the data and an empty /tmp."""

    def __init__(self, stage: Stage, root: Path, volume: Path, folder: Path) -> None:
        self._stage, self._root = stage, folder
        folder.mkdir()
        # Docker provides this file too.
        (root / "etc" / "hosts").write_text("127.0.0.1 localhost\n::1 localhost\n", encoding="utf-8")
        self._mount("--bind", str(root), to="/")
        self._mount("-o", "remount,ro,bind", to="/")
        self._mount("--bind", "/proc", to="/proc")
        self._mount("--rbind", "/dev", to="/dev")
        self._mount("-t", "tmpfs", "tmpfs", to="/tmp")  # noqa: S108
        [path] = stage.command("VOLUME")
        self._mount("--bind", str(volume), to=path)

    def _mount(self, *words: str, to: str) -> None:
        subprocess.run(["mount", *words, str(self._root / to.removeprefix("/"))], check=True)

    def start(self, *command: str, output: Path) -> "subprocess.Popen[bytes]":
        """Start a command in it. The process returned is the command itself."""
        with output.open("wb") as file:
            return subprocess.Popen(self._words(command), stdin=subprocess.DEVNULL, stdout=file, stderr=file)

    def run(self, *command: str) -> "subprocess.CompletedProcess[str]":
        """Run a command in it until it ends, like `docker exec`."""
        return subprocess.run(
            self._words(command), stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False, timeout=120
        )

    def _words(self, command: Sequence[str]) -> list[str]:
        user, _, group = self._stage.last("USER").partition(":")
        limits = ["--clear-groups", "--bounding-set=-all", "--inh-caps=-all", "--no-new-privs"]
        variables = [f"{name}={value}" for name, value in self._stage.environment().items()]
        shell = ["sh", "-c", 'cd "$0" && exec "$@"', self._stage.last("WORKDIR")]
        enter = ["chroot", str(self._root), "setpriv", f"--reuid={user}", f"--regid={group}", *limits]
        return [*enter, "env", "-i", *variables, *shell, *command]


def owner(stage: Stage) -> tuple[int, int]:
    """Return the user and the group of the image."""
    user, _, group = stage.last("USER").partition(":")
    return int(user), int(group)


def status(process: int) -> dict[str, str]:
    """Return the fields of /proc/PID/status."""
    with contextlib.suppress(OSError):
        lines = Path(f"/proc/{process}/status").read_text(encoding="utf-8").splitlines()
        return {name: value.strip() for name, _, value in (line.partition(":") for line in lines)}
    return {}
