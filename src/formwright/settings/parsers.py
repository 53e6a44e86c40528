"""How the texts of settings are read. Each raises `SettingsError` if the text is invalid.

Texts are stripped and not empty. Messages do not repeat those that may contain a password.
"""

import ipaddress
import re
from pathlib import Path
from urllib.parse import SplitResult, urlsplit

from formwright.settings.setting import Parser, SettingsError

Network = ipaddress.IPv4Network | ipaddress.IPv6Network
_FOLDER_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,39}")


def path(_variable: str, text: str) -> Path:
    """Return a path, which need not exist."""
    return Path(text)


def switch(variable: str, text: str) -> bool:
    """Return whether something is switched on."""
    if text.lower() in {"0", "false", "no", "off"}:
        return False
    if text.lower() in {"1", "true", "yes", "on"}:
        return True
    raise SettingsError(f"{variable} must be 1 or 0, not {text!r}.")


def inverted_switch(variable: str, text: str) -> bool:
    """Return whether something is not switched off."""
    return not switch(variable, text)


def one_of(*words: str) -> Parser:
    """Return a parser of one of these words, in upper or lower case."""

    def parse(variable: str, text: str) -> str:
        if text.lower() not in words:
            raise SettingsError(f"{variable} must be {', '.join(words[:-1])} or {words[-1]}, not {text!r}.")
        return text.lower()

    return parse


def count(unit: str) -> Parser:
    """Return a parser of a whole number below ten million."""

    def parse(variable: str, text: str) -> int:
        if text.isascii() and text.isdigit() and len(text) < 8:
            return int(text)
        raise SettingsError(f"{variable} must be a number of {unit}, or 0 for none, not {text!r}.")

    return parse


def between(minimum: int, maximum: int, unit: str) -> Parser:
    """Return a parser of a whole number with these bounds."""

    def parse(variable: str, text: str) -> int:
        # Cut off, because `int` raises an error for more than 4,300 digits. No maximum has more than five.
        if text.isascii() and text.isdigit() and minimum <= (number := int(text.lstrip("0")[:6] or "0")) <= maximum:
            return number
        raise SettingsError(f"{variable} must be {minimum} to {maximum} {unit}, not {text!r}.")

    return parse


def port(variable: str, text: str) -> int:
    """Return a port, or 0 for none."""
    if text.isascii() and text.isdigit() and len(text) < 6 and int(text) < 65_536:
        return int(text)
    raise SettingsError(f"{variable} must be a port, 1 to 65535, or 0 for none, not {text!r}.")


def networks(variable: str, text: str) -> tuple[Network, ...]:
    """Return ranges of addresses, separated by commas."""
    try:
        return tuple(map(ipaddress.ip_network, _split(text)))
    except ValueError as error:
        raise SettingsError(
            f"{variable} must be a list of address ranges such as 10.0.0.0/8, 192.168.1.4/32: {error}."
        ) from None


def database_url(variable: str, text: str) -> str:
    """Return the URL of a PostgreSQL database."""
    return _check_database_url(variable, text, "; leave it empty for SQLite")


def replica_urls(variable: str, text: str) -> tuple[str, ...]:
    """Return the URLs of replicas, separated by commas."""
    return tuple(_check_database_url(f"Each URL in {variable}", url) for url in _split(text))


def _check_database_url(name: str, text: str, alternative: str = "") -> str:
    if not text.startswith(("postgresql://", "postgres://")):
        raise SettingsError(f"{name} must begin with postgresql://{alternative}.")
    try:
        urlsplit(text).port  # noqa: B018 - raises if the host or the port is not valid
    except ValueError:
        raise SettingsError(
            f"{name} must be like postgresql://user:password@host:5432/name, with % and two digits for what is"
            " special in the password."
        ) from None
    return text


def _split(text: str) -> list[str]:
    return [part.strip() for part in text.split(",") if part.strip()]


def _split_url(text: str) -> SplitResult:
    """Return the parts of a URL; empty parts if it is not valid."""
    try:
        parts = urlsplit(text)
        if parts.port != 0 and text.isprintable() and " " not in text:
            return parts
    except ValueError:
        pass
    return urlsplit("")


def base_url(variable: str, text: str) -> str:
    """Return the public URL, without a slash at the end."""
    parts = _split_url(text)
    is_valid = parts.scheme in ("http", "https") and parts.hostname and not parts.query and not parts.fragment
    if not is_valid:
        raise SettingsError(f"{variable} must be a URL such as https://forms.example.org, not {text!r}.")
    return text.rstrip("/")


def host_names(variable: str, text: str) -> tuple[str, ...]:
    """Return names of hosts, in lower case and without brackets."""
    hosts = _split(text.lower())
    for host in hosts:
        name = host.removeprefix("*").removeprefix(".")
        if host != "*" and not all(name and (letter.isalnum() or letter in "-.:[]") for letter in name or " "):
            raise SettingsError(
                f"{variable} must be * or a list of host names without scheme and port, such as"
                f" forms.example.org or .example.org, not {host!r}."
            )
    return tuple(host.strip("[]") for host in hosts)


def map_file(variable: str, text: str) -> Path:
    """Return the path of a PMTiles archive that can be read."""
    found = Path(text)
    try:
        with found.open("rb") as file:
            # The header of PMTiles has 127 bytes, of which byte 99 is the type of the tiles: 1 for vector tiles.
            header = file.read(127)
    except OSError as error:
        raise SettingsError(f"{variable} can't be read: {error}.") from error
    if not header.startswith(b"PMTiles\3") or header[99:100] != b"\1":
        raise SettingsError(f"{variable} must be a PMTiles archive, version 3, with vector tiles.")
    return found


def map_tiles(variable: str, text: str) -> str:
    """Return the URL of a tile server, with {z}, {x} and {y}."""
    parts = _split_url(text)
    is_valid = parts.scheme in ("http", "https") and parts.hostname and all(f"{{{name}}}" in text for name in "zxy")
    # A Content-Security-Policy separates its sources by these.
    if not is_valid or any(letter in parts.netloc for letter in ";,{}'\""):
        raise SettingsError(
            f"{variable} must be a URL such as https://tiles.example.org/{{z}}/{{x}}/{{y}}.png, not {text!r}."
        )
    return text


def files_url(variable: str, text: str) -> str:
    """Return where the contents of files are stored."""
    try:
        parts = urlsplit(text)
    except ValueError:
        parts = urlsplit("none:")
    is_known = parts.scheme in ("", "file", "s3") and not parts.query and not parts.fragment
    has_bucket = bool(parts.netloc) if parts.scheme == "s3" else not parts.netloc
    if not is_known or not has_bucket or (parts.scheme == "file" and not parts.path.startswith("/")):
        raise SettingsError(f"{variable} must be a folder, file:///folder or s3://bucket/prefix.")
    return text


def folders(variable: str, text: str) -> dict[str, Path]:
    """Return folders by name, from `name=/folder,other=/folder`."""
    found: dict[str, Path] = {}
    for part in _split(text):
        name, _, path = part.partition("=")
        if not _FOLDER_NAME.fullmatch(name) or not Path(path).is_absolute() or name in found:
            raise SettingsError(f"{variable} must be a list such as reports=/srv/reports,archive=/mnt/archive.")
        found[name] = Path(path)
    return found


def proxy_url(variable: str, text: str) -> str:
    """Return the URL of a proxy. The message does not repeat it, because it may contain a password."""
    parts = _split_url(text)
    is_valid = parts.scheme in ("http", "https") and parts.hostname
    if not is_valid or parts.path.strip("/") or parts.query or parts.fragment:
        raise SettingsError(f"{variable} must be a URL such as http://proxy.example.org:3128.")
    return text


def cors_origins(variable: str, text: str) -> tuple[str, ...]:
    """Return origins in lower case, or `*`."""
    origins = tuple(_split(text.lower()))
    for origin in origins:
        parts = _split_url(origin)
        is_valid = parts.scheme in ("http", "https") and parts.hostname and origin == f"{parts.scheme}://{parts.netloc}"
        if origin != "*" and not is_valid:
            raise SettingsError(
                f"{variable} must be * or a list of origins such as https://app.example.org, without a path"
                f" or a slash at the end, not {origin!r}."
            )
    return origins
