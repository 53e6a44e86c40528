"""The data folder is for the user that runs the platform, and a start warns if others can enter it."""

import stat
from pathlib import Path

import pytest
from fixtures.server_process import Server, command


def _mode(folder: Path) -> int:
    return stat.S_IMODE(folder.stat().st_mode)


def _set_mode(folder: Path, mode: int) -> None:
    folder.chmod(mode)


@pytest.mark.parametrize(
    "arguments",
    [("db", "upgrade"), ("demo",), ("account", "create", "--name", "Port", "--email", "a@example.org")],
    ids=lambda arguments: arguments[0],
)
def test_a_new_data_folder_is_private(tmp_path: Path, arguments: tuple[str, ...]) -> None:
    data = tmp_path / "new" / "data"
    done = command(*arguments, DATA_DIR=str(data), PASSWORD="correct horse battery")
    assert done.returncode == 0, done.stderr
    folders = [data, *(path for path in data.rglob("*") if path.is_dir())]
    assert {_mode(folder) for folder in folders} == {0o700}


async def test_a_start_warns_of_a_folder_that_others_can_enter_and_leaves_its_mode(tmp_path: Path) -> None:
    _set_mode(tmp_path, 0o750)
    server = Server(tmp_path)
    try:
        await server.start()
        assert "other users of this machine can access the data folder" in server.log()
        assert f"chmod 700 {tmp_path}" in server.log()
        assert _mode(tmp_path) == 0o750, "a group may have it on purpose"
        await server.stop()
        _set_mode(tmp_path, 0o700)
        before = len(server.log())
        await server.start()
        assert "can access the data folder" not in server.log()[before:]
    finally:
        server.close()
