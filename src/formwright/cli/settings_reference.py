"""The documentation of all settings, for docs/reference/settings.md and `formwright settings`."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

PREFIX = "FORMWRIGHT_"


@dataclass(frozen=True, slots=True)
class SettingDoc:
    """A setting: its name without the prefix, its default, and its meaning, in Markdown."""

    name: str
    default: str
    meaning: str

    @property
    def variable(self) -> str:
        """The name of the environment variable."""
        return PREFIX + self.name


def options_by_variable(command: Any) -> Mapping[str, str]:
    """Return the command line option of each environment variable that has one."""
    return {
        str(parameter.envvar): next(option for option in parameter.opts if option.startswith("--"))
        for parameter in _parameters(command)
        if parameter.envvar
    }


def _parameters(command: Any) -> Iterator[Any]:
    yield from command.params
    for inner in getattr(command, "commands", {}).values():
        yield from _parameters(inner)


def render_table(command: Any) -> str:
    """Return all settings as a Markdown table, as in docs/reference/settings.md."""
    options = options_by_variable(command)
    lines = ["| Variable | Option | Default | Meaning |", "|---|---|---|---|"]
    for setting in SETTINGS:
        option = f" `{options[setting.variable]}`" if setting.variable in options else ""
        lines.append(f"| `{setting.variable}` |{option} | {setting.default} | {setting.meaning} |")
    return "\n".join(lines) + "\n"


SETTINGS = (
    SettingDoc(
        "DATA_DIR",
        "`data` in a checkout, else the user's data folder",
        "The folder of the SQLite database, uploaded files, the certificate created for localhost, the secret key "
        "and `demo.json`, and of Excel and Parquet exports, which are kept for an hour. It is created with mode "
        "0700; `serve` and `worker` warn at startup if other users of the machine can access it. The default is "
        "`data` in the working directory, if Formwright runs from a checkout or that folder holds an installation. "
        "Otherwise it is `formwright` in the data folder of the user, on Linux `$XDG_DATA_HOME` or `~/.local/share`. "
        "`serve` prints the folder.",
    ),
    SettingDoc(
        "DATABASE_URL",
        "none: SQLite",
        "`postgresql://user:password@host:5432/name`, to use PostgreSQL 15 or newer instead of SQLite. The data "
        "folder is still needed for the secret key.",
    ),
    SettingDoc(
        "DATABASE_POOLER",
        "detected",
        "The mode of the pooler between Formwright and PostgreSQL: `transaction` or `session`. See "
        "[PgBouncer](../guides/scaling.md#pgbouncer).",
    ),
    SettingDoc(
        "DATABASE_REPLICA",
        "none",
        "The URLs of [read replicas](../guides/scaling.md#replicas-for-lists-and-exports), comma-separated.",
    ),
    SettingDoc(
        "BASE_URL",
        "the URL of the request, if its host is allowed",
        "The public URL used in links, `Location` and `next`, such as `https://forms.example.org`. Set it if "
        "emails are sent: for them, the host of [a stranger's request](../guides/sign-in.md#a-forgotten-password) "
        "is not trusted.",
    ),
    SettingDoc(
        "ALLOWED_HOSTS",
        "this machine and the public URL",
        "Additional host names of the server, comma-separated; `.example.org` includes all subdomains. Always "
        "allowed are the host of the public URL, `localhost`, the name of the machine (also with `.local`), its "
        "IP addresses, and the value of `--host`. Requests for other hosts get 421 `host.unknown`; `/health/…` "
        "responds under any host. `*` allows all hosts: use it only behind a proxy that checks the host.",
    ),
    SettingDoc(
        "FILES_URL",
        "`files` in the data folder",
        "Where the contents of files are stored: a folder, `file:///folder`, or `s3://bucket/prefix`. The region, "
        "endpoint and keys of a bucket come from the usual `AWS_…` variables. All processes of an installation "
        "need the same value.",
    ),
    SettingDoc(
        "EXPORT_FOLDERS",
        "none",
        "Folders to which [scheduled exports](../guides/exports.md#destinations) can write, by name, such as "
        "`reports=/srv/reports,archive=/mnt/archive`. All accounts can choose them; each writes into a subfolder of "
        "its own. They must exist, and all workers need them.",
    ),
    SettingDoc(
        "EXPORTS_DIR",
        "`exports` in the data folder",
        "The folder in which Excel and Parquet exports are stored for an hour. If several machines serve, use a "
        "folder that all of them mount.",
    ),
    SettingDoc(
        "SMTP_URL",
        "none: emails are written to `mail` in the data folder",
        "The mail server that sends [emails](../guides/email.md): `smtp://user:password@mail.example.org:587`, or "
        "`smtps://` for TLS from the start of the connection. With `?tls=required`, nothing is sent without TLS; "
        "`?tls=none` uses no TLS.",
    ),
    SettingDoc(
        "MAIL_FROM",
        "`Formwright <formwright@…>`, with the host of the public URL",
        "The sender of emails: an address, or `Name <address>`. Undeliverable emails are returned to it.",
    ),
    SettingDoc(
        "HOST",
        "`localhost`",
        "The address on which `serve` listens. `localhost` is 127.0.0.1; `0.0.0.0` is every IPv4 address.",
    ),
    SettingDoc(
        "PORT",
        "8443",
        "The port on which `serve` listens.",
    ),
    SettingDoc(
        "WORKERS",
        "1",
        "The number of processes that serve requests, 1 to 64.",
    ),
    SettingDoc(
        "TLS_CERT",
        "created for localhost",
        "Your certificate chain (PEM). Requires the key.",
    ),
    SettingDoc(
        "TLS_KEY",
        "created for localhost",
        "The key of the certificate (PEM), without a password.",
    ),
    SettingDoc(
        "INSECURE_HTTP",
        "off",
        "Serves plain HTTP, on loopback addresses only: behind a proxy on the same machine, or for trying "
        "something out.",
    ),
    SettingDoc(
        "TRUSTED_PROXIES",
        "none",
        "Address ranges of proxies, comma-separated, such as `127.0.0.1/32`. `X-Forwarded-Proto`, "
        "`X-Forwarded-Host` and `X-Forwarded-For` are only used in requests from these addresses.",
    ),
    SettingDoc(
        "NO_WORKER",
        "off",
        "The server processes do not deliver webhooks, send emails or pull data sources; `formwright worker` does.",
    ),
    SettingDoc(
        "DRAIN",
        "0",
        "How many seconds `serve` keeps serving after SIGTERM, while `/health/ready` returns 503, for [upgrades "
        "without rejected requests](../guides/operating.md#upgrade). 0 to 600.",
    ),
    SettingDoc(
        "RATE_LIMIT",
        "600",
        "Requests per minute that each API key may send, across all processes, unless it has a limit of its own; 0: no "
        "limit.",
    ),
    SettingDoc(
        "FILL_RATE_LIMIT",
        "3000",
        "Requests per minute from one address (IPv6: one /64) to the pages on which forms are filled in, counted "
        "by each process. A single link may receive four times as many. 0: no limit. See [limits of fill "
        "links](../explanation/security.md#limits-of-fill-links).",
    ),
    SettingDoc(
        "LINK_PROOF_THRESHOLD",
        "120",
        "Responses and new drafts per minute through the public link of one form, counted by each process, above which "
        "its page has to solve a [proof of work](../guides/sharing.md#robots) for ten minutes. 0: never by itself.",
    ),
    SettingDoc(
        "LINK_DAILY_SUBMISSIONS",
        "20000",
        "Submissions per day through the public link of one form; 0: no limit.",
    ),
    SettingDoc(
        "LINK_DAILY_MIB",
        "10240",
        "MiB of files and large answers per day through the public link of one form; 0: no limit.",
    ),
    SettingDoc(
        "ACCOUNT_DAILY_SUBMISSIONS",
        "50000",
        "Submissions per day through all public links of one account; 0: no limit. Submissions through the API do "
        "not count.",
    ),
    SettingDoc(
        "ACCOUNT_DAILY_MIB",
        "20480",
        "MiB per day through all fill links of one account; 0: no limit.",
    ),
    SettingDoc(
        "MIN_FREE_MIB",
        "512",
        "If less space than this is free in the data folder or the folder of files, in MiB, uploads and "
        "submissions are rejected and `/health/ready` returns 503, until a tenth more is free. 0: no limit.",
    ),
    SettingDoc(
        "WEBHOOK_ALLOW",
        "none",
        "Private address ranges, comma-separated, to which webhooks may be sent and from which data sources may "
        "be pulled. Plain `http` is allowed there, too.",
    ),
    SettingDoc(
        "WEBHOOK_RETRY",
        "`0,5,300,1800,7200,18000,36000,50400,72000,86400`",
        "The waits before the attempts of a delivery, in seconds. The first attempt is always made immediately. "
        "At most 50 waits of at most 30 days.",
    ),
    SettingDoc(
        "WEBHOOK_TIMEOUT",
        "15",
        "The timeout of an attempt in seconds, 1 to 60. If a worker dies, its attempts are taken over after twice "
        "this time. All workers need the same value.",
    ),
    SettingDoc(
        "WEBHOOK_HOLD",
        "5",
        "How many seconds deliveries to a [failing receiver](../guides/webhooks.md#a-receiver-that-fails) are "
        "paused at first, 1 to 3600. The pause doubles with each failed probe, up to an hour.",
    ),
    SettingDoc(
        "EGRESS_PROXY",
        "none",
        "A proxy through which webhooks are sent and data sources are pulled, such as "
        "`http://user:password@proxy.example.org:3128`. `https` uses `CONNECT`. The proxy resolves host names, so "
        "it must block private ranges itself. `HTTP_PROXY` and similar variables are ignored.",
    ),
    SettingDoc(
        "EVENT_DAYS",
        "30",
        "How many days events are stored in the [event log](events.md#how-long-events-are-kept), 7 to 36500.",
    ),
    SettingDoc(
        "DELIVERY_DAYS",
        "90",
        "How many days the results of deliveries are stored, including their attempts, 7 to 36500.",
    ),
    SettingDoc(
        "SECRET_KEY",
        "created, and stored in `secret.key` in the data folder",
        "The key that encrypts other secrets, at least 32 characters. If you change it, the secrets of "
        "subscribers, the headers of pulls, queued emails and second factors can no longer be decrypted, and "
        "links to files become invalid.",
    ),
    SettingDoc(
        "OIDC_ISSUER",
        "none",
        "The issuer of an OpenID Connect provider with which everybody can sign in, in all accounts, such as "
        "`https://login.example.org/realms/staff`. See "
        "[single sign-on](../guides/single-sign-on.md#a-provider-for-the-whole-installation), also for the next ones.",
    ),
    SettingDoc("OIDC_CLIENT_ID", "none", "The ID of the client at this provider."),
    SettingDoc(
        "OIDC_CLIENT_SECRET",
        "none: a public client",
        "The secret of the client. It is never shown or logged.",
    ),
    SettingDoc("OIDC_NAME", "the host of the issuer", "The name on the button *Sign in with …*."),
    SettingDoc("OIDC_SCOPES", "`openid email profile`", "The scopes that sign-ins ask for, separated by spaces."),
    SettingDoc(
        "OIDC_DOMAINS",
        "none",
        "The email domains for which you trust the provider, such as `example.org,example.com`: people with a "
        "verified address in them sign in as the users with this address, including owners. Without domains, "
        "people have to link themselves.",
    ),
    SettingDoc(
        "OIDC_ACCOUNT",
        "none",
        "The ID of the account in which people are created who have no user in any account, but an address in "
        "`FORMWRIGHT_OIDC_DOMAINS`. Without it, nobody is created.",
    ),
    SettingDoc(
        "OIDC_GROUP_CLAIM",
        "none",
        "The claim that lists the groups of a person, such as `groups`.",
    ),
    SettingDoc(
        "OIDC_GROUPS",
        "none",
        "The external IDs or names of the groups of `FORMWRIGHT_OIDC_ACCOUNT` whose members follow the claim, "
        "separated by commas.",
    ),
    SettingDoc(
        "OIDC_REQUIRED",
        "off",
        "`1` requires single sign-on of everyone but owners, in all accounts: passwords lead to the provider.",
    ),
    SettingDoc("OIDC_SIGN_OUT", "off", "`1` signs people out at the provider, too, when they sign out here."),
    SettingDoc(
        "OIDC_TRUST_ADDRESSES",
        "off",
        "`1` counts addresses in `FORMWRIGHT_OIDC_DOMAINS` as verified if the provider doesn’t say whether they are, "
        "such as a single tenant of Entra ID. Not possible with issuers that sign in people of many organisations. "
        "Owners with a password still have to link themselves.",
    ),
    SettingDoc(
        "LOG_LEVEL",
        "`info`",
        "`debug`, `info`, `warning` or `error`.",
    ),
    SettingDoc(
        "REQUEST_SECONDS",
        "60",
        "The time until the response to a request must begin, in seconds, not including the time to receive its "
        "body. After that, the response is 503 `request.timeout`, and the changes of the request are rolled back, "
        "unless they are just being committed. Uploads and imports of rows have no time limit. 0: no limit.",
    ),
    SettingDoc(
        "CORS_ORIGINS",
        "none",
        "Origins, comma-separated, such as `https://app.example.org`, whose pages may call the API from a "
        "browser; `*` is any origin. This never applies to cookies, or to Formwright's own pages. Everybody who "
        "opens such a page can see its API key, so use a read-only key.",
    ),
    SettingDoc(
        "SLOW_MS",
        "1000",
        "Requests whose response takes at least this long to begin, in milliseconds, are "
        "[logged](../guides/operating.md#slow-requests); 0: none.",
    ),
    SettingDoc(
        "METRICS_PORT",
        "0: none",
        "The port of the [metrics for Prometheus](../guides/operating.md#metrics). `serve` and `worker` on one "
        "machine need different ports.",
    ),
    SettingDoc(
        "METRICS_HOST",
        "`127.0.0.1`",
        "The address on which metrics are served. They require no key, so only let Prometheus reach it.",
    ),
    SettingDoc(
        "MAP_FILE",
        "none: outlines of countries",
        "A PMTiles file with vector tiles of the Protomaps basemap, which is shown "
        "[on maps](../guides/maps.md#the-basemap). The server sends it itself, to signed-in users and to the people "
        "who fill in a form.",
    ),
    SettingDoc(
        "MAP_TILES",
        "none",
        "The URL of a tile server, such as `https://tiles.example.org/{z}/{x}/{y}.png`, for maps if there is no "
        "`FORMWRIGHT_MAP_FILE`. Browsers load tiles from it, so it learns which places people look at; the "
        "`Content-Security-Policy` of pages with a map allows it.",
    ),
    SettingDoc(
        "MAP_ATTRIBUTION",
        "none",
        "The attribution that maps show for the tiles, such as `© OpenStreetMap contributors`.",
    ),
    SettingDoc(
        "PASSWORD",
        "asked for",
        "The owner's password in `formwright account create`, 10 to 200 characters. Use the variable to keep it "
        "out of the process list.",
    ),
)
