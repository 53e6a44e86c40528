"""Messages for people who open an invite link that no longer works: why it does not, and what to do."""

from formwright.domain.invites.models import OPEN_STATUSES, Invite, InviteStatus
from formwright.web.fill.messages import Messages

_MESSAGES = {
    "en": {
        "completed": ("You have filled in this form", "Your answers have arrived. There is nothing more to do."),
        "declined": (
            "You have declined",
            "You have said that you will not fill in this form. If that has changed, ask the person who invited you.",
        ),
        "expired": (
            "This link has expired",
            "It could be used for a certain time. Ask the person who invited you to send you a new one.",
        ),
        "revoked": (
            "This invitation was taken back",
            "Your answers are no longer needed. If you think that this is a mistake, ask the person who invited you.",
        ),
        "replaced": (
            "There is a newer link",
            "You were sent another mail with a new link. Please use that one: what you have filled in is still there.",
        ),
    },
    "de": {
        "completed": (
            "Sie haben dieses Formular ausgefüllt",
            "Ihre Antworten sind angekommen. Es ist nichts weiter zu tun.",
        ),
        "declined": (
            "Sie haben abgelehnt",
            (
                "Sie haben gesagt, dass Sie dieses Formular nicht ausfüllen. Wenn sich das geändert hat, wenden Sie"
                " sich an die Person, die Sie eingeladen hat."
            ),
        ),
        "expired": (
            "Dieser Link ist abgelaufen",
            "Er galt für eine bestimmte Zeit. Bitten Sie die Person, die Sie eingeladen hat, um einen neuen.",
        ),
        "revoked": (
            "Diese Einladung wurde zurückgezogen",
            (
                "Ihre Antworten werden nicht mehr gebraucht. Wenn Sie das für einen Irrtum halten, fragen Sie die"
                " Person, die Sie eingeladen hat."
            ),
        ),
        "replaced": (
            "Es gibt einen neueren Link",
            (
                "Sie haben eine weitere Mail mit einem neuen Link bekommen. Bitte nehmen Sie diesen: Was Sie schon"
                " ausgefüllt haben, ist noch da."
            ),
        ),
    },
    "fr": {
        "completed": (
            "Vous avez rempli ce formulaire",
            "Vos réponses sont arrivées. Il n’y a plus rien à faire.",
        ),
        "declined": (
            "Vous avez décliné",
            (
                "Vous avez dit que vous ne rempliriez pas ce formulaire. Si cela a changé, adressez-vous à la personne"
                " qui vous a invité."
            ),
        ),
        "expired": (
            "Ce lien a expiré",
            "Il était valable un certain temps. Demandez-en un nouveau à la personne qui vous a invité.",
        ),
        "revoked": (
            "Cette invitation a été retirée",
            (
                "Vos réponses ne sont plus nécessaires. Si vous pensez à une erreur, adressez-vous à la personne qui"
                " vous a invité."
            ),
        ),
        "replaced": (
            "Il y a un lien plus récent",
            (
                "Vous avez reçu un autre message avec un nouveau lien. Utilisez celui-ci : ce que vous avez rempli est"
                " toujours là."
            ),
        ),
    },
    "es": {
        "completed": ("Ya ha rellenado este formulario", "Sus respuestas han llegado. No tiene que hacer nada más."),
        "declined": (
            "Ha declinado",
            "Ha dicho que no rellenará este formulario. Si ha cambiado de opinión, diríjase a quien le invitó.",
        ),
        "expired": (
            "Este enlace ha caducado",
            "Valía durante un tiempo determinado. Pida uno nuevo a quien le invitó.",
        ),
        "revoked": (
            "Esta invitación se ha retirado",
            "Sus respuestas ya no son necesarias. Si cree que es un error, pregunte a quien le invitó.",
        ),
        "replaced": (
            "Hay un enlace más reciente",
            "Ha recibido otro correo con un enlace nuevo. Utilice ese: lo que ha rellenado sigue ahí.",
        ),
    },
    "it": {
        "completed": ("Ha compilato questo modulo", "Le sue risposte sono arrivate. Non c’è altro da fare."),
        "declined": (
            "Ha rifiutato",
            "Ha detto che non compilerà questo modulo. Se ha cambiato idea, si rivolga a chi l’ha invitata.",
        ),
        "expired": (
            "Questo link è scaduto",
            "Valeva per un certo tempo. Ne chieda uno nuovo a chi l’ha invitata.",
        ),
        "revoked": (
            "Questo invito è stato ritirato",
            "Le sue risposte non servono più. Se pensa a un errore, chieda a chi l’ha invitata.",
        ),
        "replaced": (
            "C’è un link più recente",
            "Ha ricevuto un’altra mail con un nuovo link. Usi quello: ciò che ha compilato è ancora lì.",
        ),
    },
    "nl": {
        "completed": ("U hebt dit formulier ingevuld", "Uw antwoorden zijn aangekomen. U hoeft niets meer te doen."),
        "declined": (
            "U hebt bedankt",
            "U hebt gezegd dat u dit formulier niet invult. Is dat veranderd, vraag het dan aan wie u uitnodigde.",
        ),
        "expired": (
            "Deze link is verlopen",
            "Hij was een bepaalde tijd geldig. Vraag een nieuwe aan wie u uitnodigde.",
        ),
        "revoked": (
            "Deze uitnodiging is ingetrokken",
            (
                "Uw antwoorden zijn niet meer nodig. Denkt u dat dit een vergissing is, vraag het dan aan wie u"
                " uitnodigde."
            ),
        ),
        "replaced": (
            "Er is een nieuwere link",
            "U hebt nog een mail met een nieuwe link gekregen. Gebruik die: wat u hebt ingevuld, is er nog.",
        ),
    },
    "pl": {
        "completed": ("Ten formularz jest już wypełniony", "Odpowiedzi dotarły. Nic więcej nie trzeba robić."),
        "declined": (
            "Zaproszenie odrzucone",
            (
                "Ten formularz miał nie być wypełniany. Jeśli to się zmieniło, proszę zwrócić się do osoby, która"
                " zapraszała."
            ),
        ),
        "expired": (
            "Ten link wygasł",
            "Był ważny przez określony czas. Proszę poprosić o nowy osobę, która zapraszała.",
        ),
        "revoked": (
            "To zaproszenie zostało wycofane",
            "Odpowiedzi nie są już potrzebne. Jeśli to pomyłka, proszę zapytać osobę, która zapraszała.",
        ),
        "replaced": (
            "Jest nowszy link",
            (
                "Wysłano jeszcze jedną wiadomość z nowym linkiem. Proszę użyć tamtego: to, co już wypełniono, nadal tam"
                " jest."
            ),
        ),
    },
    "pt": {
        "completed": ("Já preencheu este formulário", "As suas respostas chegaram. Não há mais nada a fazer."),
        "declined": (
            "Recusou",
            "Disse que não vai preencher este formulário. Se isso mudou, fale com quem o convidou.",
        ),
        "expired": (
            "Esta ligação expirou",
            "Era válida durante um certo tempo. Peça uma nova a quem o convidou.",
        ),
        "revoked": (
            "Este convite foi retirado",
            "As suas respostas já não são necessárias. Se acha que é um engano, pergunte a quem o convidou.",
        ),
        "replaced": (
            "Há uma ligação mais recente",
            "Recebeu outro e-mail com uma nova ligação. Use essa: o que preencheu continua lá.",
        ),
    },
}

_REASON_BY_STATUS = {
    InviteStatus.COMPLETED: "completed",
    InviteStatus.DECLINED: "declined",
    InviteStatus.REVOKED: "revoked",
}


def ended_invite_message(invite: Invite, now: int, *languages: str) -> Messages:
    """Return title, text, reason and language in the first of `languages` that is supported, else in English."""
    tag = next((root for root in (tag.partition("-")[0].lower() for tag in languages) if root in _MESSAGES), "en")
    is_replaced = invite.status in OPEN_STATUSES and now < invite.expires
    reason = "replaced" if is_replaced else _REASON_BY_STATUS.get(invite.status, "expired")
    title, text = _MESSAGES[tag][reason]
    return {"title": title, "text": text, "why": reason, "language": tag}
