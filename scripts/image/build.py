"""Runs the instructions of deploy/Dockerfile in minimal Debian roots. Needs root, mmdebstrap and a mount namespace.

The official images cannot be had here, so the roots are Debian of the same release with Debian's Python, and Node.js
from requirements/node.txt. Everything after `FROM` runs as it is written.
"""

import fnmatch
import os
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

from scripts.image.dockerfile import Stage

ROOT = Path(__file__).resolve().parents[2]
_CACHE = ROOT / ".venv" / "image"
_PACKAGES = "ca-certificates,python3-venv"
_NODE = (
    "python -m venv /usr/local/node && /usr/local/node/bin/python -m pip install --quiet --require-hashes"
    " -r /tmp/node.txt && ln -s /usr/local/node/bin/node /usr/local/node/bin/npm /usr/local/bin"
)


class BuildError(Exception):
    """The image cannot be built. The text says which instruction failed."""


def build(stages: list[Stage], folder: Path) -> Path:
    """Build all stages in `folder`, and return the root of the last one."""
    roots: dict[str, Path] = {}
    root = folder
    for number, stage in enumerate(stages):
        root = folder / f"stage{number}"
        _unpack_base(stage.base, root)
        for source in ("/proc", "/dev", "/etc/resolv.conf", "/etc/ssl/certs"):
            _bind(Path(source), root)
        if stage.base.startswith("node:"):
            shutil.copy(ROOT / "requirements" / "node.txt", root / "tmp")
            _run(root, _NODE, Path("/"), {"PATH": "/usr/local/bin:/usr/bin:/bin"})
        _run_instructions(stage, root, roots)
        roots[stage.name] = root
    return root


def _unpack_base(image: str, root: Path) -> None:
    """Create a root that resembles an official image, such as python:3.11-slim-bookworm."""
    _, *variants = image.partition(":")[2].split("-")
    [release] = (variant for variant in variants if variant != "slim")
    archive = _CACHE / f"{release}.tar"
    if not archive.exists():
        _CACHE.mkdir(parents=True, exist_ok=True)
        print(f"image-check: installing Debian {release}", flush=True)
        part = archive.with_suffix(".part.tar")
        command = ["mmdebstrap", "--quiet", "--variant=minbase", f"--include={_PACKAGES}", release, str(part)]
        _call(command, f"mmdebstrap {release}")
        part.rename(archive)
    root.mkdir()
    _call(["tar", "--extract", "--file", str(archive), "--directory", str(root)], f"tar {archive.name}")
    (root / "usr/local/bin/python").symlink_to("/usr/bin/python3")
    if image.startswith("python:"):
        wanted = image.removeprefix("python:").partition("-")[0]
        found = (root / "usr/bin/python3").readlink().name
        if found != f"python{wanted}":
            raise BuildError(f"{image}: Debian {release} has {found}, not Python {wanted}")


def _run_instructions(stage: Stage, root: Path, roots: dict[str, Path]) -> None:
    here, environment = Path("/"), stage.environment()
    for instruction, arguments in stage.instructions:
        if instruction == "WORKDIR":
            here = Path(arguments)
            (root / here.relative_to("/")).mkdir(parents=True, exist_ok=True)
        elif instruction == "COPY":
            _copy(shlex.split(arguments), root, here, roots)
        elif instruction == "RUN":
            print(f"image-check: RUN {' '.join(arguments.split())[:100]}", flush=True)
            _run(root, arguments, here, environment)
        elif instruction not in ("ENV", "USER", "VOLUME", "EXPOSE", "HEALTHCHECK", "ENTRYPOINT", "CMD"):
            raise BuildError(f"{instruction} is not supported by this check")


def _run(root: Path, command: str, here: Path, environment: dict[str, str]) -> None:
    # Only what a download needs of this machine's configuration.
    network = {name: value for name, value in os.environ.items() if name.lower().endswith("_proxy")}
    certificates = "/etc/ssl/certs/ca-certificates.crt"
    trusted = dict.fromkeys(("SSL_CERT_FILE", "PIP_CERT", "NODE_EXTRA_CA_CERTS", "npm_config_cafile"), certificates)
    variables = [f"{name}={value}" for name, value in {"HOME": "/root", **network, **trusted, **environment}.items()]
    shell = ["sh", "-ec", f"cd {shlex.quote(str(here))}\n{command}"]
    _call(["chroot", str(root), "env", "-i", *variables, *shell], f"RUN {command}")


def _copy(words: list[str], root: Path, here: Path, roots: dict[str, Path]) -> None:
    options = [word for word in words if word.startswith("--from=")]
    *sources, target = (word for word in words if not word.startswith("--"))
    destination = root / (here / target).relative_to("/")
    for source in sources:
        if options:
            origin = roots[options[0].removeprefix("--from=")] / source.removeprefix("/")
            ignore = None
        else:
            origin, ignore = ROOT / source, _ignored
            if f"!{source}" not in _ignore_lines():
                raise BuildError(f"COPY {source}: .dockerignore excludes it")
        if origin.is_dir():
            shutil.copytree(origin, destination, symlinks=True, ignore=ignore, dirs_exist_ok=True)
        else:
            into = target.endswith(("/", "./", ".")) or len(sources) > 1
            (destination if into else destination.parent).mkdir(parents=True, exist_ok=True)
            shutil.copy2(origin, destination / origin.name if into else destination)


def _ignore_lines() -> list[str]:
    return (ROOT / ".dockerignore").read_text(encoding="utf-8").split()


def _ignored(folder: str, names: list[str]) -> set[str]:
    """Return which of the names in a folder .dockerignore excludes again, after including a folder above."""
    patterns = [line.removeprefix("**/") for line in _ignore_lines() if line != "*" and not line.startswith("!")]
    here = Path(folder).relative_to(ROOT)
    return {
        name
        for name in names
        for one in patterns
        if fnmatch.fnmatch(name, one) or fnmatch.fnmatch(str(here / name), one)
    }


def _bind(source: Path, root: Path) -> None:
    target = root / source.relative_to("/")
    if not source.exists():
        return
    if source.is_dir():
        target.mkdir(parents=True, exist_ok=True)
    elif not target.exists():
        target.touch()
    _call(["mount", "--rbind", str(source), str(target)], f"mount {source}")


def _call(command: list[str], what: str) -> None:
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.stderr.write(done.stdout[-4000:] + done.stderr[-4000:])
        raise BuildError(f"{what} failed")
