"""What each setting means: for the page of settings, and for who asks on the command line."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

PREFIX = "FORMWRIGHT_"


@dataclass(frozen=True, slots=True)
class SettingDoc:
    """One setting: its name without the prefix, what counts where it is not set, and what it means, in Markdown."""

    name: str
    default: str
    meaning: str

    @property
    def variable(self) -> str:
        """As it stands in the environment."""
        return PREFIX + self.name


def options_by_variable(command: Any) -> Mapping[str, str]:
    """The option of the command line that each variable is, by the variable."""
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
    """All settings as a table in Markdown, as docs/reference/settings.md has it."""
    known = options_by_variable(command)
    lines = ["| Variable | Option | Default | Meaning |", "|---|---|---|---|"]
    for one in SETTINGS:
        option = f" `{known[one.variable]}`" if one.variable in known else ""
        lines.append(f"| `{one.variable}` |{option} | {one.default} | {one.meaning} |")
    return "\n".join(lines) + "\n"


SETTINGS = (
    SettingDoc(
        "DATA_DIR",
        "`data`",
        "The folder of the SQLite database, the files that people upload, the certificate made here, the "
        "secret key, `demo.json`, and for an hour the Excel and Parquet files that wait for people. It is "
        "created with mode 0700; `serve` and `worker` warn at start if other users of the machine can enter it.",
    ),
    SettingDoc(
        "DATABASE_URL",
        "none: SQLite",
        "`postgresql://user:password@host:5432/name` instead of SQLite. PostgreSQL 15 or newer. The data "
        "folder is still needed for the secret key.",
    ),
    SettingDoc(
        "DATABASE_POOLER",
        "it is looked whether one is there",
        "`transaction` or `session`: what stands between Formwright and PostgreSQL. See "
        "[PgBouncer](../guides/scaling.md#pgbouncer).",
    ),
    SettingDoc(
        "DATABASE_REPLICA",
        "none",
        "Addresses of [read replicas](../guides/scaling.md#replicas-for-lists-and-exports), comma-separated.",
    ),
    SettingDoc(
        "BASE_URL",
        "the address that was called, if it is allowed",
        "The public address that links, `Location` and `next` carry, such as `https://forms.example.org`. "
        "Set it where mails are sent: [a stranger's request](../guides/sign-in.md#a-forgotten-password) is not "
        "believed about it.",
    ),
    SettingDoc(
        "ALLOWED_HOSTS",
        "this machine and the public address",
        "More host names, comma-separated, under which the server may be called; `.example.org` is every name below "
        "it. Always allowed are the host of the public address, `localhost`, the machine's name (also with `.local`), "
        "its own IP addresses and the name given with `--host`. A request for another host is answered 421 "
        "`host.unknown`; `/health/…` answers under any. `*` allows all: only behind a proxy that checks the host.",
    ),
    SettingDoc(
        "FILES_URL",
        "`files` in the data folder",
        "Where the contents of files are kept: a folder, `file:///folder`, or `s3://bucket/prefix`. The "
        "bucket's region, endpoint and keys come from the usual `AWS_…` variables. Every process of the "
        "installation needs the same.",
    ),
    SettingDoc(
        "EXPORTS_DIR",
        "`exports` in the data folder",
        "Where the Excel files wait for an hour for the people whom they were made for. Where several "
        "machines serve: a folder that all of them mount.",
    ),
    SettingDoc(
        "SMTP_URL",
        "none: mails are put into `mail` in the data folder",
        "The server that sends [email](../guides/email.md): `smtp://user:password@mail.example.org:587`, or `smtps://` "
        "for TLS from the first byte on. `?tls=required` sends nothing without TLS, `?tls=none` uses none.",
    ),
    SettingDoc(
        "MAIL_FROM",
        "`Formwright <formwright@…>`, with the host of the public address",
        "Who sends them: an address, or `Name <address>`. What cannot be delivered comes back there.",
    ),
    SettingDoc(
        "HOST",
        "`localhost`",
        "The address on which `serve` listens. `localhost` listens on 127.0.0.1; `0.0.0.0` on every IPv4 address.",
    ),
    SettingDoc(
        "PORT",
        "8443",
        "The port.",
    ),
    SettingDoc(
        "WORKERS",
        "1",
        "How many processes answer requests, 1 to 64.",
    ),
    SettingDoc(
        "TLS_CERT",
        "made for localhost",
        "Your certificate chain, PEM. Goes together with the key.",
    ),
    SettingDoc(
        "TLS_KEY",
        "made for localhost",
        "Its key, PEM, without a password.",
    ),
    SettingDoc(
        "INSECURE_HTTP",
        "off",
        "Serve plain HTTP, on loopback addresses only: behind a proxy on the same machine, or to try something out.",
    ),
    SettingDoc(
        "TRUSTED_PROXIES",
        "none",
        "Address ranges of proxies, comma-separated, such as `127.0.0.1/32`. From them `X-Forwarded-Proto`, "
        "`X-Forwarded-Host` and `X-Forwarded-For` are believed; from anybody else they are ignored.",
    ),
    SettingDoc(
        "NO_WORKER",
        "off",
        "Deliver no webhooks, send no mails and pull nothing in the serving processes; `formwright worker` does it.",
    ),
    SettingDoc(
        "DRAIN",
        "0",
        "Seconds for which `serve` goes on answering after SIGTERM while `/health/ready` says 503, for "
        "[upgrades without a refused request](../guides/operating.md#upgrade). 0 to 600.",
    ),
    SettingDoc(
        "RATE_LIMIT",
        "600",
        "Requests a minute that each API key may make, over all processes together; 0 is no limit.",
    ),
    SettingDoc(
        "FILL_RATE_LIMIT",
        "3000",
        "Requests a minute from one address (of IPv6: one /64) to fill pages, counted by each process; a link may "
        "receive four times as many. 0 is no limit. "
        "See [limits of fill links](../explanation/security.md#limits-of-fill-links).",
    ),
    SettingDoc(
        "LINK_DAILY_SUBMISSIONS",
        "20000",
        "Submissions that may come in a day through the public link of one form; 0 is no limit.",
    ),
    SettingDoc(
        "LINK_DAILY_MIB",
        "10240",
        "MiB of files and large answers that may come in a day through the public link of one form; 0 is no limit.",
    ),
    SettingDoc(
        "ACCOUNT_DAILY_SUBMISSIONS",
        "50000",
        "Submissions that may come in a day through all public links of one account; 0 is no limit. The API does not "
        "count here.",
    ),
    SettingDoc(
        "ACCOUNT_DAILY_MIB",
        "20480",
        "MiB that may come in a day through all fill links of one account; 0 is no limit.",
    ),
    SettingDoc(
        "MIN_FREE_MIB",
        "512",
        "With less free space than this, in MiB, in the data folder or the folder of files, uploads and submissions "
        "are refused and `/health/ready` says 503, until a tenth more is free; 0 is no limit.",
    ),
    SettingDoc(
        "WEBHOOK_ALLOW",
        "none",
        "Address ranges, comma-separated, to which webhooks may go, and from which datasources may be "
        "pulled, although they are private. Plain `http` is allowed there too.",
    ),
    SettingDoc(
        "WEBHOOK_RETRY",
        "`0,5,300,1800,7200,18000,36000,50400,72000,86400`",
        "The wait before each try of a delivery, in seconds; the first is made at once, whatever stands there. "
        "At most 50 waits of at most 30 days.",
    ),
    SettingDoc(
        "WEBHOOK_TIMEOUT",
        "15",
        "The seconds after which a try ends, 1 to 60. A try of a worker that died is taken up after twice "
        "that. All workers need the same.",
    ),
    SettingDoc(
        "WEBHOOK_HOLD",
        "5",
        "The seconds for which deliveries to a [failing receiver](../guides/webhooks.md#a-receiver-that-fails) pause "
        "at first, 1 to 3600. The pause doubles with each failed probe, up to an hour.",
    ),
    SettingDoc(
        "EGRESS_PROXY",
        "none",
        "A proxy through which webhooks go and datasources are pulled, such as "
        "`http://user:password@proxy.example.org:3128`; `https` passes it by `CONNECT`. It resolves the "
        "names, so it has to refuse private ranges itself. `HTTP_PROXY` and its like are ignored.",
    ),
    SettingDoc(
        "EVENT_DAYS",
        "30",
        "For how many days events are kept in the [log](events.md#how-long-events-are-kept), 7 to 36500.",
    ),
    SettingDoc(
        "DELIVERY_DAYS",
        "90",
        "For how many days it is kept what became of a delivery, with its tries, 7 to 36500.",
    ),
    SettingDoc(
        "SECRET_KEY",
        "made, kept in `secret.key` in the data folder",
        "The secret with which others are sealed. At least 32 characters. With another one, the secrets of "
        "subscribers, the headers of pulls, mails that wait and second factors cannot be read any more, and "
        "links to files end.",
    ),
    SettingDoc(
        "LOG_LEVEL",
        "`info`",
        "`debug`, `info`, `warning` or `error`.",
    ),
    SettingDoc(
        "REQUEST_SECONDS",
        "60",
        "How long a request may take until its answer begins, the arrival of its body not counted. Then it is answered "
        "503 `request.timeout`, and what it had begun is rolled back, unless it is just being committed. Uploads and "
        "imports of rows take as long as they need. 0 waits for ever.",
    ),
    SettingDoc(
        "CORS_ORIGINS",
        "none",
        "Origins, comma-separated, such as `https://app.example.org`, whose pages may call the API from a browser; `*` "
        "is any. Never with cookies, and never the pages. A key in a page is everybody's who opens it: give such pages "
        "a key that only reads.",
    ),
    SettingDoc(
        "SLOW_MS",
        "1000",
        "A request whose answer took as many milliseconds to begin is [told in the "
        "log](../guides/operating.md#slow-requests); 0 tells of none.",
    ),
    SettingDoc(
        "METRICS_PORT",
        "0: none",
        "The port of the [metrics for Prometheus](../guides/operating.md#metrics). `serve` and `worker` on one machine "
        "need one each.",
    ),
    SettingDoc(
        "METRICS_HOST",
        "`127.0.0.1`",
        "The address on which they are told. They need no key: let only Prometheus reach it.",
    ),
    SettingDoc(
        "PASSWORD",
        "asked for",
        "The owner's password in `formwright account create`, 10 to 200 characters. The variable keeps it "
        "out of the list of processes.",
    ),
)
