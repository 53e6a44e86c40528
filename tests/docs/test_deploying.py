"""The files in deploy/ use existing settings, commands, paths and ports. `make image-check` runs the Dockerfile."""

import configparser
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer
import yaml
from docs.test_docs import variables

from formwright.api.dispatch import MAX_TABLE
from formwright.api.health import PREFIX as HEALTH
from formwright.cli.main import app
from formwright.cli.serve import PORT
from formwright.settings import Settings
from scripts.image import dockerfile

ROOT = Path(__file__).resolve().parents[2]
HERE = ROOT / "deploy"
FILES = sorted(path for path in HERE.rglob("*") if path.is_file())
STAGES = dockerfile.read(HERE / "Dockerfile")
COMPOSE: dict[str, Any] = yaml.safe_load((HERE / "compose.yaml").read_text(encoding="utf-8"))
CLUSTER: list[dict[str, Any]] = list(yaml.safe_load_all((HERE / "kubernetes/formwright.yaml").read_text("utf-8")))
UNITS = sorted((HERE / "systemd").glob("*.service"))
COMMANDS = set(typer.main.get_command(app).commands)  # type: ignore[attr-defined]


def pods() -> Iterator[dict[str, Any]]:
    yield from (one["spec"]["template"]["spec"] for one in CLUSTER if one["kind"] == "Deployment")


def test_every_setting_in_the_files_exists() -> None:
    named = {name for path in FILES for name in re.findall(r"FORMWRIGHT_[A-Z_]*[A-Z]", path.read_text("utf-8"))}
    assert len(named) > 10
    assert named <= variables()


def test_the_sources_of_the_image_exist_and_are_not_ignored() -> None:
    let_in = [line[1:] for line in (ROOT / ".dockerignore").read_text().splitlines() if line.startswith("!")]
    sources = [
        source
        for stage in STAGES
        for word, rest in stage.instructions
        if word == "COPY" and "--from" not in rest
        for source in rest.split()[:-1]
    ]
    assert {"src", "requirements/run.txt"} <= set(sources)
    for source in sources:
        assert (ROOT / source).exists(), source
        assert source in let_in, f"{source} is kept out by .dockerignore"


def test_the_image_runs_as_an_unprivileged_user_on_the_documented_port() -> None:
    image = STAGES[-1]
    given = image.environment()
    settings = Settings.from_environment(given)
    assert image.last("USER") == "10001:10001"
    assert image.command("ENTRYPOINT") == ["formwright"]
    assert image.command("CMD")[0] in COMMANDS
    assert image.last("EXPOSE") == given["FORMWRIGHT_PORT"] == str(PORT)
    assert [str(settings.data_dir)] == image.command("VOLUME")
    *_, check = image.command("HEALTHCHECK")
    assert f"https://localhost:{PORT}{HEALTH}live" in check
    compile(check, "healthcheck", "exec")


def test_the_services_of_the_compose_file_match() -> None:
    services = COMPOSE["services"]
    for name, service in services.items():
        waits = service.get("depends_on", {})
        assert set(waits) <= set(services), name
        for volume in service.get("volumes", []):
            assert volume.partition(":")[0] in COMPOSE["volumes"], name
    for name in ("server", "worker"):
        assert services[name]["command"][0] in COMMANDS
        settings = {n: re.sub(r"\$\{\w+:\?\}", "x" * 40, str(v)) for n, v in services[name]["environment"].items()}
        settings["FORMWRIGHT_BASE_URL"] = "https://forms.example.org"
        settings = {n: re.sub(r"\$\{\w+:-\}", "", v) for n, v in settings.items()}
        Settings.from_environment(settings)
        assert settings["AWS_ENDPOINT_URL"] == "http://store:9000"
    assert services["server"]["ports"] == [f"{PORT}:{PORT}"]
    wanted = set(re.findall(r"\$\{(\w+)", (HERE / "compose.yaml").read_text("utf-8")))
    offered = set(re.findall(r"^(\w+)=", (HERE / "compose.env.example").read_text("utf-8"), re.MULTILINE))
    assert wanted == offered


@pytest.mark.parametrize("unit", UNITS, ids=lambda unit: unit.name)
def test_the_units_start_existing_commands(unit: Path) -> None:
    read = configparser.ConfigParser(strict=False, interpolation=None)
    read.optionxform = str
    read.read_string(unit.read_text(encoding="utf-8"))
    program, command = read["Service"]["ExecStart"].split()
    assert program == "/opt/formwright/.venv/bin/formwright"
    assert command in COMMANDS
    assert read["Service"]["StateDirectory"] == "formwright"
    assert read["Install"]["WantedBy"] == "multi-user.target"
    example = (HERE / "systemd/formwright.env.example").read_text("utf-8")
    lines = dict(line.lstrip("#").split("=", 1) for line in example.splitlines() if "=" in line and "# " not in line)
    Settings.from_environment(lines)


def test_the_setup_of_the_units_is_documented() -> None:
    guide = (ROOT / "docs/guides/deploying.md").read_text("utf-8")
    command = "make assets .venv/.run"
    assert guide.index(command) < guide.index("systemctl enable --now")
    makefile = (ROOT / "Makefile").read_text("utf-8")
    for target in command.split()[1:]:
        assert re.search(rf"^{re.escape(target)}:", makefile, re.MULTILINE), target


def test_the_cluster_probes_existing_paths() -> None:
    kinds = [one["kind"] for one in CLUSTER]
    assert kinds == [
        *("ConfigMap", "Secret", "Deployment", "Deployment", "Service", "PodDisruptionBudget", "Ingress"),
    ]
    server, worker = (pod["containers"][0] for pod in pods())
    for probe, path in (("startupProbe", "live"), ("livenessProbe", "live"), ("readinessProbe", "ready")):
        assert server[probe]["httpGet"] == {"path": f"{HEALTH}{path}", "port": "https", "scheme": "HTTPS"}
    assert server["ports"] == [{"name": "https", "containerPort": PORT}]
    assert {server["args"][0], worker["args"][0]} <= COMMANDS
    for pod in pods():
        # Kubernetes sets variables named after the service, which begin like ours: FORMWRIGHT_PORT among them.
        assert pod["enableServiceLinks"] is False
        assert pod["securityContext"]["runAsUser"] == 10001
        [container] = pod["containers"]
        assert container["securityContext"]["readOnlyRootFilesystem"] is True
        assert {mount["name"] for mount in container["volumeMounts"]} == {one["name"] for one in pod["volumes"]}
    settings = {**CLUSTER[0]["data"], **CLUSTER[1]["stringData"]}
    read = Settings.from_environment(settings)
    assert (read.is_postgres, read.embedded_worker) == (True, False)
    labels = CLUSTER[2]["spec"]["template"]["metadata"]["labels"]
    assert CLUSTER[4]["spec"]["selector"] == labels
    largest = CLUSTER[-1]["metadata"]["annotations"]["nginx.ingress.kubernetes.io/proxy-body-size"]
    assert int(largest.removesuffix("m")) * 2**20 > MAX_TABLE
