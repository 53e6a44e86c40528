"""Every command of docs/tutorials/quick-start.md runs, in order, against a real server and a real receiver."""

import json
import re
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from fixtures.ports import free_port
from fixtures.server_process import Server

PAGE = (Path(__file__).parents[2] / "docs/tutorials/quick-start.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```(sh|python)\n(.*?)^```", PAGE, re.DOTALL | re.MULTILINE)
START, RECEIVE = "FORMWRIGHT_WEBHOOK_ALLOW=127.0.0.1/32 make run\n", "python3 receiver.py\n"
SECONDS = 60


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    server = Server(tmp_path / "data", WEBHOOK_ALLOW="127.0.0.1/32")
    server.data.mkdir()
    yield server
    server.close()


class Terminal:
    """A shell in the folder of the tutorial; each command's output is returned."""

    def __init__(self, folder: Path) -> None:
        self._shell = subprocess.Popen(
            ["bash", "-eu"],
            cwd=folder,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )

    def run(self, command: str) -> str:
        assert self._shell.stdin is not None
        assert self._shell.stdout is not None
        self._shell.stdin.write(f"{command}\necho; echo END-OF-COMMAND\n")
        self._shell.stdin.flush()
        lines = list(iter(self._shell.stdout.readline, "END-OF-COMMAND\n"))
        assert self._shell.poll() is None, f"{command}\n{''.join(lines)}"
        return "".join(lines).strip()

    def close(self) -> None:
        self._shell.kill()
        self._shell.communicate()


def _wait_for(path: Path, word: str) -> str:
    begin = time.monotonic()
    while word not in path.read_text(encoding="utf-8"):
        assert time.monotonic() < begin + SECONDS, path.read_text(encoding="utf-8")
        time.sleep(0.02)
    return path.read_text(encoding="utf-8")


def _start_receiver(folder: Path, output: Path) -> subprocess.Popen[bytes]:
    with output.open("w") as out:
        return subprocess.Popen(["python3", "receiver.py"], cwd=folder, stdout=out, stderr=subprocess.DEVNULL)


async def test_the_quick_start_leads_to_a_received_webhook(server: Server, tmp_path: Path) -> None:
    ports = {"8443": str(server.port), "9000": str(free_port())}
    page = [(language, re.sub("8443|9000", lambda port: ports[port[0]], text)) for language, text in BLOCKS]
    commands = [text for language, text in page if language == "sh"]
    (receiver,) = (text for language, text in page if language == "python")
    assert commands[0] == START
    await server.start("--demo")

    received = tmp_path / "received"
    terminal, outputs = Terminal(tmp_path), {}
    process = None
    try:
        for command in commands[1:]:
            if command != RECEIVE:
                outputs[command] = terminal.run(command)
                continue
            (tmp_path / "receiver.py").write_text(receiver, encoding="utf-8")
            process = _start_receiver(tmp_path, received)
            # Deliveries are retried, but only seconds later.
            terminal.run(f"until (exec 3<>/dev/tcp/127.0.0.1/{ports['9000']}) 2>/dev/null; do sleep 0.05; done")
        events = [json.loads(line.removeprefix("Received ")) for line in _wait_for(received, "deleted").splitlines()]
    finally:
        terminal.close()
        if process is not None:
            process.kill()
            process.wait()

    created = json.loads((tmp_path / "submission.json").read_text(encoding="utf-8"))
    assert {event["data"]["id"] for event in events} == {created["id"]}
    assert [event["type"] for event in events] == ["submission.submitted", "submission.deleted"]
    answers = list(outputs.values())
    assert json.loads(answers[1])["items"], "the demo form is listed"
    _, deliveries, submissions, deletion, log = (answers[at] for at in (3, 4, 5, 6, 7))
    assert json.loads(deliveries)["items"]
    assert [submission["id"] for submission in json.loads(submissions)["items"]] == [created["id"]]
    assert [event["data"]["id"] for event in json.loads(deletion)["items"]] == [created["id"]]
    assert {event["type"] for event in json.loads(log)["items"]} >= {"submission.submitted", "submission.deleted"}
