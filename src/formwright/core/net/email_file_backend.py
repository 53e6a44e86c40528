"""Mail transport for installations without a mail server: writes emails to a folder, as `.eml` files."""

import asyncio
import os
import re
from contextlib import suppress
from pathlib import Path

from formwright.core.net.email_message import MailFailed, OutgoingMail, Sender, compose

_NAME = re.compile(r"[a-z0-9_]+")


class MailFolder:
    """A folder of `.eml` files, which are named after the ids of their emails and readable to the operator only."""

    server = ""

    def __init__(self, folder: Path, sender: Sender) -> None:
        self._folder, self._sender = folder, sender

    async def send(self, mail: OutgoingMail) -> None:
        """Write an email atomically. Raises `MailFailed`."""
        content = compose(mail, self._sender).content
        try:
            await asyncio.to_thread(self._write, self._path(mail.id), content)
        except OSError as error:
            raise MailFailed(f"The mail folder is not writable: {error.strerror}.") from error

    def _write(self, path: Path, content: bytes) -> None:
        self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        partial = path.with_suffix(".part")
        partial.touch(mode=0o600)
        with partial.open("wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        partial.replace(path)

    def read_sent(self, mail_id: str) -> bytes | None:
        """Return the email with its headers, or None if the file has been deleted."""
        try:
            return self._path(mail_id).read_bytes()
        except OSError:
            return None

    def delete_before(self, before_ms: int) -> None:
        """Delete emails that are older than a time (milliseconds)."""
        for path in self._folder.glob("*.eml"):
            # Another process may clean up the same folder.
            with suppress(FileNotFoundError):
                if path.stat().st_mtime * 1000 < before_ms:
                    path.unlink()

    def _path(self, mail_id: str) -> Path:
        if not _NAME.fullmatch(mail_id):
            raise ValueError("not the id of an email")
        return self._folder / f"{mail_id}.eml"
