"""The settings of an installation, read from `FORMWRIGHT_…` environment variables."""

import ipaddress
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import SplitResult, urlsplit

from platformdirs import user_data_path

from formwright.oidc_settings import OidcSettings

Network = ipaddress.IPv4Network | ipaddress.IPv6Network
_DATABASE_FILE = "formwright.sqlite3"
_FOLDER_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,39}")


class SettingsError(ValueError):
    """A setting is invalid. The message names it and says which values are valid."""


@dataclass(frozen=True, slots=True)
class Settings:
    """The settings of a process. They are documented in `cli/settings_reference.py`."""

    data_dir: Path = Path("data")
    database_url: str = ""
    database_pooler: str = ""
    database_replicas: tuple[str, ...] = ()
    base_url: str = ""
    allowed_hosts: tuple[str, ...] = ()
    host: str = ""
    files_url: str = ""
    export_folders: Mapping[str, Path] = field(default_factory=dict)
    """Folders to which exports can write, by name."""
    exports_dir: Path | None = None
    smtp_url: str = field(default="", repr=False)
    mail_from: str = ""
    rate_limit: int = 600
    fill_rate_limit: int = 3000
    link_proof_threshold: int = 120
    link_daily_submissions: int = 20_000
    link_daily_mib: int = 10_240
    account_daily_submissions: int = 50_000
    account_daily_mib: int = 20_480
    min_free_mib: int = 512
    webhook_allow: tuple[Network, ...] = ()
    webhook_retry: str = ""
    webhook_timeout: int = 15
    webhook_hold: int = 5
    egress_proxy: str = field(default="", repr=False)
    event_days: int = 30
    delivery_days: int = 90
    trusted_proxies: tuple[Network, ...] = ()
    secret_key: str = field(default="", repr=False)
    insecure_http: bool = False
    embedded_worker: bool = True
    log_level: str = "info"
    slow_ms: int = 1000
    request_s: int = 60
    cors_origins: tuple[str, ...] = ()
    metrics_port: int = 0
    metrics_host: str = "127.0.0.1"
    map_file: Path | None = None
    map_tiles: str = ""
    map_attribution: str = ""
    oidc: OidcSettings | None = None
    """The identity provider of the whole installation."""

    @property
    def sqlite_path(self) -> Path:
        """The path of the SQLite database."""
        return self.data_dir / _DATABASE_FILE

    @property
    def files_folder(self) -> Path:
        """The folder with the contents of files, unless `files_url` is set."""
        return self.data_dir / "files"

    @property
    def mail_folder(self) -> Path:
        """The folder to which emails are written if `smtp_url` is not set."""
        return self.data_dir / "mail"

    @property
    def exports_folder(self) -> Path:
        """The folder of exports, which all machines that serve must share."""
        return self.exports_dir or self.data_dir / "exports"

    @property
    def is_postgres(self) -> bool:
        """Whether the database is PostgreSQL. Otherwise it is SQLite, in the data folder."""
        return self.database_url != ""

    @classmethod
    def from_environment(cls, environment: Mapping[str, str] = os.environ) -> "Settings":
        """Return the settings in these environment variables, and defaults for the rest. Raises `SettingsError`."""

        def text(name: str, default: str = "") -> str:
            return environment.get(f"FORMWRIGHT_{name}", default).strip()

        return cls(
            data_dir=Path(text("DATA_DIR")) if text("DATA_DIR") else default_data_dir(),
            database_url=_database_url("FORMWRIGHT_DATABASE_URL", text("DATABASE_URL"), "; leave it empty for SQLite"),
            database_pooler=_pooler_mode(text("DATABASE_POOLER")),
            database_replicas=_replicas(text("DATABASE_REPLICA"), text("DATABASE_URL")),
            base_url=_base_url(text("BASE_URL")),
            allowed_hosts=_host_names(text("ALLOWED_HOSTS")),
            host=text("HOST"),
            files_url=_files_url(text("FILES_URL")),
            export_folders=_folders(text("EXPORT_FOLDERS")),
            exports_dir=Path(text("EXPORTS_DIR")) if text("EXPORTS_DIR") else None,
            smtp_url=text("SMTP_URL"),
            mail_from=text("MAIL_FROM"),
            rate_limit=_count("FORMWRIGHT_RATE_LIMIT", text("RATE_LIMIT") or "600", "requests per minute"),
            fill_rate_limit=_count(
                "FORMWRIGHT_FILL_RATE_LIMIT", text("FILL_RATE_LIMIT") or "3000", "requests per minute"
            ),
            link_proof_threshold=_count(
                "FORMWRIGHT_LINK_PROOF_THRESHOLD", text("LINK_PROOF_THRESHOLD") or "120", "responses per minute"
            ),
            link_daily_submissions=_count(
                "FORMWRIGHT_LINK_DAILY_SUBMISSIONS", text("LINK_DAILY_SUBMISSIONS") or "20000", "submissions per day"
            ),
            link_daily_mib=_count("FORMWRIGHT_LINK_DAILY_MIB", text("LINK_DAILY_MIB") or "10240", "MiB per day"),
            account_daily_submissions=_count(
                "FORMWRIGHT_ACCOUNT_DAILY_SUBMISSIONS",
                text("ACCOUNT_DAILY_SUBMISSIONS") or "50000",
                "submissions per day",
            ),
            account_daily_mib=_count(
                "FORMWRIGHT_ACCOUNT_DAILY_MIB", text("ACCOUNT_DAILY_MIB") or "20480", "MiB per day"
            ),
            min_free_mib=_count("FORMWRIGHT_MIN_FREE_MIB", text("MIN_FREE_MIB") or "512", "MiB"),
            webhook_allow=_networks("FORMWRIGHT_WEBHOOK_ALLOW", text("WEBHOOK_ALLOW")),
            webhook_retry=text("WEBHOOK_RETRY"),
            webhook_timeout=_seconds("FORMWRIGHT_WEBHOOK_TIMEOUT", text("WEBHOOK_TIMEOUT") or "15", 60),
            webhook_hold=_seconds("FORMWRIGHT_WEBHOOK_HOLD", text("WEBHOOK_HOLD") or "5", 3600),
            egress_proxy=_proxy(text("EGRESS_PROXY")),
            event_days=_days("FORMWRIGHT_EVENT_DAYS", text("EVENT_DAYS") or "30"),
            delivery_days=_days("FORMWRIGHT_DELIVERY_DAYS", text("DELIVERY_DAYS") or "90"),
            trusted_proxies=_networks("FORMWRIGHT_TRUSTED_PROXIES", text("TRUSTED_PROXIES")),
            secret_key=text("SECRET_KEY"),
            insecure_http=_switch("FORMWRIGHT_INSECURE_HTTP", text("INSECURE_HTTP")),
            embedded_worker=not _switch("FORMWRIGHT_NO_WORKER", text("NO_WORKER")),
            log_level=_level(text("LOG_LEVEL") or "info"),
            slow_ms=_count("FORMWRIGHT_SLOW_MS", text("SLOW_MS") or "1000", "milliseconds"),
            request_s=_count("FORMWRIGHT_REQUEST_SECONDS", text("REQUEST_SECONDS") or "60", "seconds"),
            cors_origins=_cors_origins(text("CORS_ORIGINS")),
            metrics_port=_port("FORMWRIGHT_METRICS_PORT", text("METRICS_PORT") or "0"),
            metrics_host=text("METRICS_HOST") or "127.0.0.1",
            map_file=_map_file(text("MAP_FILE")),
            map_tiles=_map_tiles(text("MAP_TILES")),
            map_attribution=text("MAP_ATTRIBUTION"),
            oidc=_oidc(
                issuer=text("OIDC_ISSUER"),
                client_id=text("OIDC_CLIENT_ID"),
                client_secret=text("OIDC_CLIENT_SECRET"),
                name=text("OIDC_NAME"),
                scopes=text("OIDC_SCOPES"),
                domains=text("OIDC_DOMAINS"),
                account=text("OIDC_ACCOUNT"),
                group_claim=text("OIDC_GROUP_CLAIM"),
                groups=text("OIDC_GROUPS"),
                is_required=_switch("FORMWRIGHT_OIDC_REQUIRED", text("OIDC_REQUIRED")),
                signs_out=_switch("FORMWRIGHT_OIDC_SIGN_OUT", text("OIDC_SIGN_OUT")),
                trusts_addresses=_switch("FORMWRIGHT_OIDC_TRUST_ADDRESSES", text("OIDC_TRUST_ADDRESSES")),
            ),
        )


def default_data_dir() -> Path:
    """Return the data folder of an installation that sets none.

    It is `data` in the working directory if the program runs from a checkout, or if that folder holds an installation;
    otherwise the platform's data folder for the user. Raises `SettingsError` if the user has no home folder.
    """
    here = Path("data")
    is_checkout = (Path(__file__).resolve().parents[2] / "pyproject.toml").exists()
    if is_checkout or any((here / name).exists() for name in (_DATABASE_FILE, "secret.key", "files", "tls")):
        return here
    try:
        return user_data_path("formwright", appauthor=False)
    except RuntimeError:
        raise SettingsError(
            "The user has no home folder: set FORMWRIGHT_DATA_DIR to the folder for the data."
        ) from None


def _database_url(name: str, text: str, alternative: str = "") -> str:
    """Check the URL. Messages do not repeat it, because it may contain a password."""
    if not text:
        return ""
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


def _replicas(text: str, primary: str) -> tuple[str, ...]:
    urls = tuple(part.strip() for part in text.split(",") if part.strip())
    if urls and not primary:
        raise SettingsError("FORMWRIGHT_DATABASE_REPLICA needs FORMWRIGHT_DATABASE_URL: SQLite has no replicas.")
    return tuple(_database_url("Each URL in FORMWRIGHT_DATABASE_REPLICA", url) for url in urls)


def _pooler_mode(text: str) -> str:
    if text.lower() not in {"", "transaction", "session"}:
        raise SettingsError(f"FORMWRIGHT_DATABASE_POOLER must be transaction or session, or empty, not {text!r}.")
    return text.lower()


def _split_url(text: str) -> SplitResult:
    """Return the parts of a URL; empty parts if it is not valid."""
    try:
        parts = urlsplit(text)
        if parts.port != 0 and text.isprintable() and " " not in text:
            return parts
    except ValueError:
        pass
    return urlsplit("")


def _base_url(text: str) -> str:
    parts = _split_url(text)
    is_valid = parts.scheme in ("http", "https") and parts.hostname and not parts.query and not parts.fragment
    if text and not is_valid:
        raise SettingsError(f"FORMWRIGHT_BASE_URL must be a URL such as https://forms.example.org, not {text!r}.")
    return text.rstrip("/")


def _host_names(text: str) -> tuple[str, ...]:
    hosts = tuple(part.strip().lower() for part in text.split(",") if part.strip())
    for host in hosts:
        name = host.removeprefix("*").removeprefix(".")
        if host != "*" and not all(name and (letter.isalnum() or letter in "-.:[]") for letter in name or " "):
            raise SettingsError(
                "FORMWRIGHT_ALLOWED_HOSTS must be * or a list of host names without scheme and port, such as"
                f" forms.example.org or .example.org, not {host!r}."
            )
    return tuple(host.strip("[]") for host in hosts)


def _oidc(*, is_required: bool, signs_out: bool, trusts_addresses: bool, **texts: str) -> OidcSettings | None:
    try:
        switches = {"is_required": is_required, "signs_out": signs_out, "trusts_addresses": trusts_addresses}
        return OidcSettings.parse(texts, **switches)
    except ValueError as error:
        raise SettingsError(str(error)) from None


def _map_file(text: str) -> Path | None:
    if not text:
        return None
    path = Path(text)
    try:
        with path.open("rb") as file:
            header = file.read(127)
    except OSError as error:
        raise SettingsError(f"FORMWRIGHT_MAP_FILE can't be read: {error}.") from error
    if not header.startswith(b"PMTiles\3") or header[99:100] != b"\1":
        raise SettingsError("FORMWRIGHT_MAP_FILE must be a PMTiles archive, version 3, with vector tiles.")
    return path


def _map_tiles(text: str) -> str:
    parts = _split_url(text)
    is_valid = parts.scheme in ("http", "https") and parts.hostname and all(f"{{{name}}}" in text for name in "zxy")
    # A Content-Security-Policy separates its sources by these.
    if text and (not is_valid or any(letter in parts.netloc for letter in ";,{}'\"")):
        raise SettingsError(
            f"FORMWRIGHT_MAP_TILES must be a URL such as https://tiles.example.org/{{z}}/{{x}}/{{y}}.png, not {text!r}."
        )
    return text


def _files_url(text: str) -> str:
    try:
        parts = urlsplit(text)
    except ValueError:
        parts = urlsplit("none:")
    is_known = parts.scheme in ("", "file", "s3") and not parts.query and not parts.fragment
    has_bucket = bool(parts.netloc) if parts.scheme == "s3" else not parts.netloc
    if not is_known or not has_bucket or (parts.scheme == "file" and not parts.path.startswith("/")):
        raise SettingsError("FORMWRIGHT_FILES_URL must be a folder, file:///folder or s3://bucket/prefix.")
    return text


def _folders(text: str) -> dict[str, Path]:
    """Return folders by name, from `name=/folder,other=/folder`."""
    folders: dict[str, Path] = {}
    for part in filter(None, map(str.strip, text.split(","))):
        name, _, path = part.partition("=")
        if not _FOLDER_NAME.fullmatch(name) or not Path(path).is_absolute() or name in folders:
            raise SettingsError(
                "FORMWRIGHT_EXPORT_FOLDERS must be a list such as reports=/srv/reports,archive=/mnt/archive."
            )
        folders[name] = Path(path)
    return folders


def _switch(name: str, text: str) -> bool:
    if text.lower() in {"", "0", "false", "no", "off"}:
        return False
    if text.lower() in {"1", "true", "yes", "on"}:
        return True
    raise SettingsError(f"{name} must be 1 or 0, not {text!r}.")


def _proxy(text: str) -> str:
    parts = _split_url(text)
    is_valid = parts.scheme in ("http", "https") and parts.hostname
    if text and (not is_valid or parts.path.strip("/") or parts.query or parts.fragment):
        # The value is not repeated, because it may contain a password.
        raise SettingsError("FORMWRIGHT_EGRESS_PROXY must be a URL such as http://proxy.example.org:3128.")
    return text


def _days(name: str, text: str) -> int:
    if not (text.isascii() and text.isdigit() and 7 <= int(text[:6]) <= 36_500):
        raise SettingsError(f"{name} must be 7 to 36500 days, not {text!r}.")
    return int(text)


def _count(name: str, text: str, unit: str) -> int:
    if text.isascii() and text.isdigit() and len(text) < 8:
        return int(text)
    raise SettingsError(f"{name} must be a number of {unit}, or 0 for none, not {text!r}.")


def _cors_origins(text: str) -> tuple[str, ...]:
    origins = tuple(part.strip().lower() for part in text.split(",") if part.strip())
    for origin in origins:
        parts = _split_url(origin)
        is_valid = parts.scheme in ("http", "https") and parts.hostname and origin == f"{parts.scheme}://{parts.netloc}"
        if origin != "*" and not is_valid:
            raise SettingsError(
                "FORMWRIGHT_CORS_ORIGINS must be * or a list of origins such as https://app.example.org, without a path"
                f" or a slash at the end, not {origin!r}."
            )
    return origins


def _port(name: str, text: str) -> int:
    if text.isascii() and text.isdigit() and len(text) < 6 and int(text) < 65_536:
        return int(text)
    raise SettingsError(f"{name} must be a port, 1 to 65535, or 0 for none, not {text!r}.")


def _seconds(name: str, text: str, maximum: int) -> int:
    if not (text.isascii() and text.isdigit() and 1 <= int(text[:6]) <= maximum):
        raise SettingsError(f"{name} must be 1 to {maximum} seconds, not {text!r}.")
    return int(text)


def _level(text: str) -> str:
    if text.lower() not in {"debug", "info", "warning", "error"}:
        raise SettingsError(f"FORMWRIGHT_LOG_LEVEL must be debug, info, warning or error, not {text!r}.")
    return text.lower()


def _networks(name: str, text: str) -> tuple[Network, ...]:
    try:
        return tuple(ipaddress.ip_network(part.strip()) for part in text.split(",") if part.strip())
    except ValueError as error:
        raise SettingsError(
            f"{name} must be a list of address ranges such as 10.0.0.0/8, 192.168.1.4/32: {error}."
        ) from None
