"""Without a mail server: mails are put into a folder, as files that every mail program opens."""

import asyncio
import os
import re
from contextlib import suppress
from pathlib import Path

from formwright.core.net.email_message import MailFailed, OutgoingMail, Sender, compose

_NAME = re.compile(r"[a-z0-9_]+")


class MailFolder:
    """A folder of `.eml` files, readable to the operator alone, named after their mails."""

    server = ""

    def __init__(self, folder: Path, sender: Sender) -> None:
        self._folder, self._sender = folder, sender

    async def send(self, mail: OutgoingMail) -> None:
        """Write one mail, whole or not at all."""
        content = compose(mail, self._sender).content
        try:
            await asyncio.to_thread(self._write, self._path(mail.id), content)
        except OSError as error:
            raise MailFailed(f"The folder of mails cannot be written to: {error.strerror}.") from error

    def _write(self, path: Path, content: bytes) -> None:
        self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        made = path.with_suffix(".part")
        made.touch(mode=0o600)
        with made.open("wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        made.replace(path)

    def read_sent(self, mail_id: str) -> bytes | None:
        """The whole mail, if it is still there."""
        try:
            return self._path(mail_id).read_bytes()
        except OSError:
            return None

    def delete_before(self, before_ms: int) -> None:
        """Delete the files that are older."""
        for path in self._folder.glob("*.eml"):
            # Another process may clear the same folder.
            with suppress(FileNotFoundError):
                if path.stat().st_mtime * 1000 < before_ms:
                    path.unlink()

    def _path(self, mail_id: str) -> Path:
        if not _NAME.fullmatch(mail_id):
            raise ValueError("no name of a mail")
        return self._folder / f"{mail_id}.eml"
