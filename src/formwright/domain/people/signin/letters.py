"""What the mails to people say, in the languages in which we write."""

from formwright.domain.mail.letter import Letter, known_language
from formwright.domain.people.signin.model import LinkKind

_WORDS = {
    "en": {
        LinkKind.INVITATION: (
            "You are invited to {account}",
            "You can now work with {account} in Formwright. Set a password to begin.",
            "Set a password",
            "The link works once, and for a week. If you do not know {account}, do nothing.",
        ),
        LinkKind.RESET: (
            "Set a new password for {account}",
            "Somebody, hopefully you, asked for a new password for your access to {account}.",
            "Set a new password",
            "The link works once, and for an hour. If it was not you, do nothing: your password stays as it is.",
        ),
    },
    "de": {
        LinkKind.INVITATION: (
            "Sie sind zu {account} eingeladen",
            "Sie können jetzt mit {account} in Formwright arbeiten. Setzen Sie dafür ein Passwort.",
            "Passwort setzen",
            "Der Link gilt einmal und eine Woche lang. Wenn Sie {account} nicht kennen, brauchen Sie nichts zu tun.",
        ),
        LinkKind.RESET: (
            "Neues Passwort für {account}",
            "Jemand, hoffentlich Sie, hat ein neues Passwort für Ihren Zugang zu {account} angefordert.",
            "Neues Passwort setzen",
            "Der Link gilt einmal und eine Stunde lang. Waren Sie es nicht, tun Sie nichts: Ihr Passwort bleibt.",
        ),
    },
}
_CHANGED = {
    "en": (
        "Your sign-in to {account} was changed",
        {
            "password": "Your password for {account} was changed.",
            "off": "The second factor of your sign-in to {account} was switched off.",
            "on": "The second factor of your sign-in to {account} was switched on.",
        },
        "If it was not you, set a new password at once, and tell whoever looks after {account}.",
    ),
    "de": (
        "Ihre Anmeldung bei {account} wurde geändert",
        {
            "password": "Ihr Passwort für {account} wurde geändert.",
            "off": "Der zweite Faktor Ihrer Anmeldung bei {account} wurde ausgeschaltet.",
            "on": "Der zweite Faktor Ihrer Anmeldung bei {account} wurde eingeschaltet.",
        },
        "Waren Sie es nicht, setzen Sie sofort ein neues Passwort, und sagen Sie es denen, die {account} betreuen.",
    ),
}


def with_link(kind: LinkKind, *, language: str, account: str, address: str) -> Letter:
    """The mail that brings a link to set a password."""
    subject, line, button, after = _WORDS[known_language(language)][kind]
    return Letter(
        subject.format(account=account),
        [line.format(account=account)],
        (button, address),
        [after.format(account=account)],
    )


def of_change(what: str, *, language: str, account: str) -> Letter:
    """The mail that tells of a change: of the `password`, or of the second factor, `on` or `off`."""
    subject, changes, after = _CHANGED[known_language(language)]
    return Letter(
        subject.format(account=account), [changes[what].format(account=account), after.format(account=account)]
    )
