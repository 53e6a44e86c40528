"""Proves what deploy/Dockerfile installs, without Docker: `make image-check`.

Builds the image in minimal Debian roots, and runs it as a container would: as its user, with a read-only root, without
capabilities, and in a network of its own. Needs root and mmdebstrap, and is skipped without them.
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from scripts.image.build import ROOT, BuildError, build
from scripts.image.container import Container, owner, status
from scripts.image.dockerfile import Stage, read
from scripts.image.installation import Installation

_START_SECONDS, _STOP_SECONDS = 60, 30
_MIGRATIONS = "src/formwright/migrations/versions"


class Failed(Exception):
    """The image does not do what it should. The text says what."""


def main() -> int:
    """Check the image in namespaces of its own, whose mounts and processes end with it. Return the exit status."""
    if reason := _missing():
        print(f"image-check: skipped, because {reason}")
        return 0
    with tempfile.TemporaryDirectory(prefix="image-check-", dir="/var/tmp") as folder:
        # The mounts exist in the namespace of the children only. This process may therefore delete the folder.
        isolated = ["unshare", "--mount", "--pid", "--fork", "--kill-child", "--mount-proc"]
        itself = [sys.executable, "-m", "scripts.image"]
        for network, step in (([], "build"), (["--net"], "check")):
            if code := subprocess.run([*isolated, *network, *itself, step, folder], cwd=ROOT, check=False).returncode:
                return code
    return 0


def _missing() -> str:
    """Return why the check is impossible on this machine, or an empty string."""
    if os.geteuid() != 0:
        return "it needs root"
    if gone := [name for name in ("mmdebstrap", "git", "unshare", "setpriv") if not shutil.which(name)]:
        return f"{' and '.join(gone)} cannot be found (on Debian and Ubuntu: apt-get install mmdebstrap git util-linux)"
    if subprocess.run(["unshare", "--mount", "--net", "--pid", "--fork", "true"], check=False).returncode:
        return "this machine allows no namespaces"
    return ""


def _build(folder: Path) -> None:
    stages = read(ROOT / "deploy" / "Dockerfile")
    (folder / "image").symlink_to(build(stages, folder))
    revision = subprocess.run(
        ["git", "log", "-1", "--diff-filter=A", "--format=%H", "--", _MIGRATIONS],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    ).stdout.strip()
    if revision:
        (folder / "older").mkdir()
        archive = subprocess.run(["git", "archive", f"{revision}^", "src"], cwd=ROOT, capture_output=True, check=False)
        if not archive.returncode:
            subprocess.run(["tar", "--extract", "--directory", folder / "older"], input=archive.stdout, check=True)


def _check(folder: Path) -> None:
    subprocess.run([sys.executable, "-c", _LOOPBACK_UP], check=True)
    stage, root = read(ROOT / "deploy" / "Dockerfile")[-1], (folder / "image").resolve()
    _check_new_installation(stage, root, folder)
    if any((folder / "older").glob("src")):
        _check_upgrade(stage, root, folder)
    else:
        print("image-check: skipped the upgrade, because the history of the repository is not there")


_LOOPBACK_UP = """
import fcntl, socket, struct
with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as control:
    fcntl.ioctl(control, 0x8914, struct.pack("16sh14x", b"lo", 1))
"""


def _check_new_installation(stage: Stage, root: Path, folder: Path) -> None:
    volume = _new_volume(stage, root, folder / "volume")
    container = Container(stage, root, volume, folder / "container")
    entry = stage.command("ENTRYPOINT")

    done = container.run(*entry, "version")
    _expect(done.returncode == 0 and done.stdout.strip() != "", f"`formwright version` prints {done.stdout.strip()}")
    ids = container.run("id", "-u").stdout.strip()
    _expect(ids == str(owner(stage)[0]) != "0", f"commands run as user {ids}")
    refused = container.run("touch", "/opt/formwright/probe", "/etc/probe", "/probe")
    _expect(refused.stderr.count("Read-only file system") == 3, "the root is read-only")
    for name in ("node", "npm", "gcc"):
        _expect(container.run("sh", "-c", f"command -v {name}").returncode != 0, f"the image has no {name}")
    _expect(container.run("python", "-m", "pip", "--version").returncode != 0, "its environment has no pip")

    output = folder / "output"
    server = _start(stage, container, output)
    _expect("/first-owner/" in output.read_text(), "the first start prints a link for the first owner")
    fields = status(server.pid)
    _expect(fields["Uid"].split() == [ids] * 4, f"all ids of the server are {ids}")
    _expect(int(fields["CapEff"], 16) == 0 and fields["NoNewPrivs"] == "1", "the server has no capabilities")
    demo = json.loads(container.run(*entry, "demo", "--json").stdout)
    installation = Installation(volume, demo)
    created = installation.create_submission()
    for name, path in {
        "sign-in page": "/sign-in",
        "API reference": "/docs",
        "page of a guide": "/docs/guides/guides/running",
        "page of the demo form": installation.fill_path,
    }.items():
        _expect(installation.fetch_assets(path) > 0, f"the {name} loads with its scripts and style sheets")
    _stop(stage, server, container, output)

    server = _start(stage, container, output)
    _expect(installation.submissions() == [created], "a submission survives a restart")
    _stop(stage, server, container, output)


def _check_upgrade(stage: Stage, root: Path, folder: Path) -> None:
    """Create an installation with the sources from before the newest migration, and start the image on it."""
    volume = _new_volume(stage, root, folder / "older-volume")
    older = [sys.executable, "-c", "import sys; from formwright.cli.main import main; sys.exit(main())"]
    environment = {
        "PATH": os.environ["PATH"],
        "PYTHONPATH": str(folder / "older" / "src"),
        "FORMWRIGHT_DATA_DIR": str(volume),
        "FORMWRIGHT_PORT": "8443",
    }
    done = subprocess.run(
        [*older, "demo", "--json"], env=environment, cwd=folder, capture_output=True, text=True, check=True
    )
    demo, log = json.loads(done.stdout), folder / "older-output"
    with log.open("wb") as file:
        server = subprocess.Popen([*older, "serve"], env=environment, cwd=folder, stdout=file, stderr=file)
    installation = Installation(volume, demo)
    _wait(lambda: installation.call("GET", "/health/ready")[0] == 200, server, log)
    created = installation.create_submission()
    server.terminate()
    server.wait(_STOP_SECONDS)
    before = subprocess.run(
        [*older, "db", "current"], env=environment, cwd=folder, capture_output=True, text=True, check=True
    )
    for path in (volume, *volume.rglob("*")):
        os.chown(path, *owner(stage))

    container, output = Container(stage, root, volume, folder / "older-container"), folder / "output"
    entry = stage.command("ENTRYPOINT")
    _expect(
        "run `formwright db upgrade`" in container.run(*entry, "db", "current").stdout,
        f"an older data folder is at revision {before.stdout.split()[0]}",
    )
    server = _start(stage, container, output)
    now = container.run(*entry, "db", "current").stdout
    _expect("up to date" in now, f"starting the image upgrades it to revision {now.split()[0]}")
    _expect(installation.submissions() == [created], "its submission and API key still work")
    _stop(stage, server, container, output)


def _new_volume(stage: Stage, root: Path, volume: Path) -> Path:
    """Create a volume with the contents, owner and mode of the image's folder, as Docker does."""
    [path] = stage.command("VOLUME")
    subprocess.run(["cp", "--archive", root / path.removeprefix("/"), volume], check=True)
    return volume


def _start(stage: Stage, container: Container, output: Path) -> "subprocess.Popen[bytes]":
    begin = time.monotonic()
    server = container.start(*stage.command("ENTRYPOINT"), *stage.command("CMD"), output=output)
    _wait(lambda: container.run(*stage.command("HEALTHCHECK")).returncode == 0, server, output)
    _expect(True, f"the health check passes after {time.monotonic() - begin:.1f} s")
    return server


def _stop(stage: Stage, server: "subprocess.Popen[bytes]", container: Container, output: Path) -> None:
    begin = time.monotonic()
    server.terminate()
    try:
        code = server.wait(_STOP_SECONDS)
    except subprocess.TimeoutExpired:
        raise Failed(f"SIGTERM does not stop the server within {_STOP_SECONDS} s") from None
    _expect(code == 0, f"SIGTERM stops the server after {time.monotonic() - begin:.1f} s with status {code}")
    _expect(container.run(*stage.command("HEALTHCHECK")).returncode != 0, "the health check then fails")
    _expect("Traceback" not in output.read_text(), "the server logged no traceback")


def _wait(look: Callable[[], bool], server: "subprocess.Popen[bytes]", output: Path) -> None:
    end = time.monotonic() + _START_SECONDS
    while not look():
        if server.poll() is not None or time.monotonic() > end:
            raise Failed(f"the server does not become healthy:\n{output.read_text()}")
        time.sleep(0.2)


def _expect(is_so: bool, what: str) -> None:
    if not is_so:
        raise Failed(f"failed: {what}")
    print(f"image-check: ok: {what}", flush=True)


if __name__ == "__main__":
    if len(sys.argv) == 1:
        sys.exit(main())
    try:
        {"build": _build, "check": _check}[sys.argv[1]](Path(sys.argv[2]))
    except (BuildError, Failed, RuntimeError) as error:
        sys.exit(f"image-check: {error}")
