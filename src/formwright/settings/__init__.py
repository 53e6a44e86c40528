"""The settings of an installation, read from `FORMWRIGHT_…` environment variables."""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from platformdirs import user_data_path

from formwright.settings import parsers
from formwright.settings.oidc import OidcSettings
from formwright.settings.parsers import Network
from formwright.settings.setting import SettingsError, declared_settings, read_settings, setting

__all__ = ["ALL_SETTINGS", "Network", "Settings", "SettingsError", "default_data_dir"]

_DATABASE_FILE = "formwright.sqlite3"


@dataclass(frozen=True, slots=True)
class Settings:
    """The settings of a process. To add one, declare it here: it is read, documented and listed from that."""

    data_dir: Path = setting(
        Path("data"),
        "The folder of the SQLite database, uploaded files, the certificate created for localhost, the secret key and"
        " `demo.json`, and of exports while they are written. It is created with mode 0700; "
        "`serve` and `worker` warn at startup if other users of the machine can access it. The default is `data` in "
        "the working directory, if Formwright runs from a checkout or that folder holds an installation. Otherwise it"
        " is `formwright` in the data folder of the user, on Linux `$XDG_DATA_HOME` or `~/.local/share`. `serve` "
        "prints the folder.",
        parsers.path,
        shown="`data` in a checkout, else the user's data folder",
    )
    database_url: str = setting(
        "",
        "`postgresql://user:password@host:5432/name`, to use PostgreSQL 15 or newer instead of SQLite. The data "
        "folder is still needed for the secret key.",
        parsers.database_url,
        shown="none: SQLite",
    )
    database_pooler: str = setting(
        "",
        "The mode of the pooler between Formwright and PostgreSQL: `transaction` or `session`. See "
        "[PgBouncer](../guides/scaling.md#pgbouncer).",
        parsers.one_of("transaction", "session"),
        shown="detected",
    )
    database_replicas: tuple[str, ...] = setting(
        (),
        "The URLs of [read replicas](../guides/scaling.md#replicas-for-lists-and-exports), comma-separated.",
        parsers.replica_urls,
        name="DATABASE_REPLICA",
    )
    base_url: str = setting(
        "",
        "The public URL used in links, `Location` and `next`, such as `https://forms.example.org`. Set it if emails "
        "are sent: for them, the host of [a stranger's request](../guides/sign-in.md#a-forgotten-password) is not "
        "trusted.",
        parsers.base_url,
        shown="the URL of the request, if its host is allowed",
    )
    allowed_hosts: tuple[str, ...] = setting(
        (),
        "Additional host names of the server, comma-separated; `.example.org` includes all subdomains. Always allowed"
        " are the host of the public URL, `localhost`, the name of the machine (also with `.local`), its IP "
        "addresses, and the value of `--host`. Requests for other hosts get 421 `host.unknown`; `/health/…` responds "
        "under any host. `*` allows all hosts: use it only behind a proxy that checks the host.",
        parsers.host_names,
        shown="this machine and the public URL",
    )
    files_url: str = setting(
        "",
        "Where the contents of files are stored: a folder, `file:///folder`, or `s3://bucket/prefix`. The region, "
        "endpoint and keys of a bucket come from the usual `AWS_…` variables. All processes of an installation need "
        "the same value.",
        parsers.files_url,
        shown="`files` in the data folder",
    )
    export_folders: Mapping[str, Path] = setting(
        {},
        "Folders to which [scheduled exports](../guides/exports.md#destinations) can write, by name, such as "
        "`reports=/srv/reports,archive=/mnt/archive`. All accounts can choose them; each writes into a subfolder of "
        "its own. They must exist, and all workers need them.",
        parsers.folders,
    )
    smtp_url: str = setting(
        "",
        "The mail server that sends [emails](../guides/email.md): `smtp://user:password@mail.example.org:587`, or "
        "`smtps://` for TLS from the start of the connection. With `?tls=required`, nothing is sent without TLS; "
        "`?tls=none` uses no TLS.",
        shown="none: emails are written to `mail` in the data folder",
        is_secret=True,
    )
    mail_from: str = setting(
        "",
        "The sender of emails: an address, or `Name <address>`. Undeliverable emails are returned to it.",
        shown="`Formwright <formwright@…>`, with the host of the public URL",
    )
    host: str = setting(
        "",
        "The address on which `serve` listens. `localhost` is 127.0.0.1; `0.0.0.0` is every IPv4 address.",
        shown="`localhost`",
    )
    insecure_http: bool = setting(
        False,
        "Serves plain HTTP, on loopback addresses only: behind a proxy on the same machine, or for trying something "
        "out.",
        parsers.switch,
    )
    trusted_proxies: tuple[Network, ...] = setting(
        (),
        "Address ranges of proxies, comma-separated, such as `127.0.0.1/32`. `X-Forwarded-Proto`, `X-Forwarded-Host` "
        "and `X-Forwarded-For` are only used in requests from these addresses.",
        parsers.networks,
    )
    embedded_worker: bool = setting(
        True,
        "The server processes do not deliver webhooks, send emails, pull data sources or write downloads; "
        "`formwright worker` does.",
        parsers.inverted_switch,
        name="NO_WORKER",
    )
    rate_limit: int = setting(
        600,
        "Requests per minute that each API key may send, across all processes, unless it has a limit of its own; 0: "
        "no limit.",
        parsers.count("requests per minute"),
    )
    fill_rate_limit: int = setting(
        3000,
        "Requests per minute from one address (IPv6: one /64) to the pages on which forms are filled in, counted by "
        "each process. A single link may receive four times as many. 0: no limit. See [limits of fill "
        "links](../explanation/security.md#limits-of-fill-links).",
        parsers.count("requests per minute"),
    )
    link_proof_threshold: int = setting(
        120,
        "Responses and new drafts per minute through the public link of one form, counted by each process, above "
        "which its page has to solve a [proof of work](../guides/sharing.md#robots) for ten minutes. 0: never by "
        "itself.",
        parsers.count("responses per minute"),
    )
    link_daily_submissions: int = setting(
        20_000,
        "Submissions per day through the public link of one form; 0: no limit.",
        parsers.count("submissions per day"),
    )
    link_daily_mib: int = setting(
        10_240,
        "MiB of files and large answers per day through the public link of one form; 0: no limit.",
        parsers.count("MiB per day"),
    )
    account_daily_submissions: int = setting(
        50_000,
        "Submissions per day through all public links of one account; 0: no limit. Submissions through the API do not"
        " count.",
        parsers.count("submissions per day"),
    )
    account_daily_mib: int = setting(
        20_480,
        "MiB per day through all fill links of one account; 0: no limit.",
        parsers.count("MiB per day"),
    )
    min_free_mib: int = setting(
        512,
        "If less space than this is free in the data folder or the folder of files, in MiB, uploads and submissions "
        "are rejected and `/health/ready` returns 503, until a tenth more is free. 0: no limit.",
        parsers.count("MiB"),
    )
    webhook_allow: tuple[Network, ...] = setting(
        (),
        "Private address ranges, comma-separated, to which webhooks may be sent and from which data sources may be "
        "pulled. Plain `http` is allowed there, too.",
        parsers.networks,
    )
    webhook_retry: str = setting(
        "",
        "The waits before the attempts of a delivery, in seconds. The first attempt is always made immediately. At "
        "most 50 waits of at most 30 days.",
        shown="`0,5,300,1800,7200,18000,36000,50400,72000,86400`",
    )
    webhook_timeout: int = setting(
        15,
        "The timeout of an attempt in seconds, 1 to 60. If a worker dies, its attempts are taken over after twice "
        "this time. All workers need the same value.",
        parsers.between(1, 60, "seconds"),
    )
    webhook_hold: int = setting(
        5,
        "How many seconds deliveries to a [failing receiver](../guides/webhooks.md#a-receiver-that-fails) are paused "
        "at first, 1 to 3600. The pause doubles with each failed probe, up to an hour.",
        parsers.between(1, 3600, "seconds"),
    )
    egress_proxy: str = setting(
        "",
        "A proxy through which webhooks are sent and data sources are pulled, such as "
        "`http://user:password@proxy.example.org:3128`. `https` uses `CONNECT`. The proxy resolves host names, so it "
        "must block private ranges itself. `HTTP_PROXY` and similar variables are ignored.",
        parsers.proxy_url,
        is_secret=True,
    )
    event_days: int = setting(
        30,
        "How many days events are stored in the [event log](events.md#how-long-events-are-kept), 7 to 36500.",
        parsers.between(7, 36_500, "days"),
    )
    delivery_days: int = setting(
        90,
        "How many days the results of deliveries are stored, including their attempts, 7 to 36500.",
        parsers.between(7, 36_500, "days"),
    )
    secret_key: str = setting(
        "",
        "The key that encrypts other secrets, at least 32 characters. If you change it, the secrets of subscribers, "
        "the headers of pulls, queued emails and second factors can no longer be decrypted, and links to files become"
        " invalid.",
        shown="created, and stored in `secret.key` in the data folder",
        is_secret=True,
    )
    oidc: OidcSettings | None = None
    """The identity provider of the whole installation."""
    log_level: str = setting(
        "info",
        "`debug`, `info`, `warning` or `error`.",
        parsers.one_of("debug", "info", "warning", "error"),
    )
    request_s: int = setting(
        60,
        "The time until the response to a request must begin, in seconds, not including the time to receive its body."
        " After that, the response is 503 `request.timeout`, and the changes of the request are rolled back, unless "
        "they are just being committed. Uploads and imports of rows have no time limit. 0: no limit.",
        parsers.count("seconds"),
        name="REQUEST_SECONDS",
    )
    cors_origins: tuple[str, ...] = setting(
        (),
        "Origins, comma-separated, such as `https://app.example.org`, whose pages may call the API from a browser; "
        "`*` is any origin. This never applies to cookies, or to Formwright's own pages. Everybody who opens such a "
        "page can see its API key, so use a read-only key.",
        parsers.cors_origins,
    )
    slow_ms: int = setting(
        1000,
        "Requests whose response takes at least this long to begin, in milliseconds, are "
        "[logged](../guides/operating.md#slow-requests); 0: none.",
        parsers.count("milliseconds"),
    )
    metrics_port: int = setting(
        0,
        "The port of the [metrics for Prometheus](../guides/operating.md#metrics). `serve` and `worker` on one "
        "machine need different ports.",
        parsers.port,
        shown="0: none",
    )
    metrics_host: str = setting(
        "127.0.0.1",
        "The address on which metrics are served. They require no key, so only let Prometheus reach it.",
    )
    map_file: Path | None = setting(
        None,
        "A PMTiles file with vector tiles of the Protomaps basemap, which is shown [on maps](../guides/maps.md#the-"
        "basemap). The server sends it itself, to signed-in users and to the people who fill in a form.",
        parsers.map_file,
        shown="none: outlines of countries",
    )
    map_tiles: str = setting(
        "",
        "The URL of a tile server, such as `https://tiles.example.org/{z}/{x}/{y}.png`, for maps if there is no "
        "`FORMWRIGHT_MAP_FILE`. Browsers load tiles from it, so it learns which places people look at; the `Content-"
        "Security-Policy` of pages with a map allows it.",
        parsers.map_tiles,
    )
    map_attribution: str = setting(
        "",
        "The attribution that maps show for the tiles, such as `© OpenStreetMap contributors`.",
    )

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
        """The folder in which files of exports are written before they are stored."""
        return self.data_dir / "exports"

    @property
    def is_postgres(self) -> bool:
        """Whether the database is PostgreSQL. Otherwise it is SQLite, in the data folder."""
        return self.database_url != ""

    @classmethod
    def from_environment(cls, environment: Mapping[str, str] = os.environ) -> "Settings":
        """Return the settings in these environment variables, and defaults for the rest. Raises `SettingsError`."""
        values = read_settings(cls, environment)
        if "data_dir" not in values:
            values["data_dir"] = default_data_dir()
        if values.get("database_replicas") and "database_url" not in values:
            raise SettingsError("FORMWRIGHT_DATABASE_REPLICA needs FORMWRIGHT_DATABASE_URL: SQLite has no replicas.")
        return cls(**values, oidc=OidcSettings.parse(environment))


ALL_SETTINGS = tuple(declared for cls in (Settings, OidcSettings) for _, declared in declared_settings(cls))
"""The settings of all processes, in the order of the reference."""


def default_data_dir() -> Path:
    """Return the data folder of an installation that sets none.

    It is `data` in the working directory if the program runs from a checkout, or if that folder holds an installation;
    otherwise the platform's data folder for the user. Raises `SettingsError` if the user has no home folder.
    """
    here = Path("data")
    is_checkout = (Path(__file__).resolve().parents[3] / "pyproject.toml").exists()
    if is_checkout or any((here / name).exists() for name in (_DATABASE_FILE, "secret.key", "files", "tls")):
        return here
    try:
        return user_data_path("formwright", appauthor=False)
    except RuntimeError:
        raise SettingsError(
            "The user has no home folder: set FORMWRIGHT_DATA_DIR to the folder for the data."
        ) from None
