"""Messages for people who open an invite link that no longer works: why it does not, and what to do."""

from formwright.domain.invites.models import OPEN_STATUSES, Invite, InviteStatus
from formwright.web.fill.messages import Messages

_MESSAGES = {
    "en": {
        "completed": (
            "You’ve completed this form",
            "Your response has been received. There’s nothing more to do.",
        ),
        "declined": (
            "You’ve declined",
            "You chose not to fill in this form. If you’ve changed your mind, contact the person who invited you.",
        ),
        "expired": (
            "This link has expired",
            "Ask the person who invited you for a new one.",
        ),
        "revoked": (
            "This invitation was withdrawn",
            "Your response is no longer needed. If you think this is a mistake, contact the person who invited you.",
        ),
        "replaced": (
            "There’s a newer link",
            "We sent you another email with a new link. Use that one; your answers so far are still there.",
        ),
    },
    "de": {
        "completed": (
            "Sie haben dieses Formular ausgefüllt",
            "Ihre Antworten sind eingegangen. Es ist nichts weiter zu tun.",
        ),
        "declined": (
            "Sie haben abgelehnt",
            (
                "Sie möchten dieses Formular nicht ausfüllen. Wenn Sie es sich anders überlegt haben, wenden Sie sich "
                "an die Person, die Sie eingeladen hat."
            ),
        ),
        "expired": (
            "Dieser Link ist abgelaufen",
            "Bitten Sie die Person, die Sie eingeladen hat, um einen neuen.",
        ),
        "revoked": (
            "Diese Einladung wurde zurückgezogen",
            (
                "Ihre Antworten werden nicht mehr benötigt. Wenn Sie das für einen Irrtum halten, wenden Sie sich an "
                "die Person, die Sie eingeladen hat."
            ),
        ),
        "replaced": (
            "Es gibt einen neueren Link",
            (
                "Wir haben Ihnen eine weitere E-Mail mit einem neuen Link geschickt. Bitte verwenden Sie diesen. Ihre "
                "bisherigen Antworten sind noch da."
            ),
        ),
    },
    "fr": {
        "completed": (
            "Vous avez rempli ce formulaire",
            "Vos réponses ont bien été reçues. Vous n’avez plus rien à faire.",
        ),
        "declined": (
            "Vous avez refusé",
            (
                "Vous avez choisi de ne pas remplir ce formulaire. Si vous avez changé d’avis, contactez la personne "
                "qui vous a invité."
            ),
        ),
        "expired": (
            "Ce lien a expiré",
            "Demandez-en un nouveau à la personne qui vous a invité.",
        ),
        "revoked": (
            "Cette invitation a été retirée",
            (
                "Vos réponses ne sont plus nécessaires. Si vous pensez qu’il s’agit d’une erreur, contactez la "
                "personne qui vous a invité."
            ),
        ),
        "replaced": (
            "Il existe un lien plus récent",
            "Nous vous avons envoyé un autre e-mail avec un nouveau lien. Utilisez-le : vos réponses sont toujours là.",
        ),
    },
    "es": {
        "completed": (
            "Ya ha rellenado este formulario",
            "Hemos recibido sus respuestas. No tiene que hacer nada más.",
        ),
        "declined": (
            "Ha rechazado la invitación",
            (
                "Ha decidido no rellenar este formulario. Si cambia de opinión, póngase en contacto con la persona "
                "que le invitó."
            ),
        ),
        "expired": (
            "Este enlace ha caducado",
            "Pida uno nuevo a la persona que le invitó.",
        ),
        "revoked": (
            "Esta invitación se ha retirado",
            (
                "Sus respuestas ya no son necesarias. Si cree que es un error, póngase en contacto con la persona que "
                "le invitó."
            ),
        ),
        "replaced": (
            "Hay un enlace más reciente",
            "Le hemos enviado otro correo con un enlace nuevo. Utilice ese: sus respuestas siguen ahí.",
        ),
    },
    "it": {
        "completed": (
            "Ha già compilato questo modulo",
            "Le sue risposte sono state ricevute. Non deve fare altro.",
        ),
        "declined": (
            "Ha rifiutato",
            "Ha scelto di non compilare questo modulo. Se ha cambiato idea, contatti la persona che l’ha invitata.",
        ),
        "expired": (
            "Questo link è scaduto",
            "Chieda un nuovo link alla persona che l’ha invitata.",
        ),
        "revoked": (
            "Questo invito è stato ritirato",
            "Le sue risposte non servono più. Se pensa che sia un errore, contatti la persona che l’ha invitata.",
        ),
        "replaced": (
            "C’è un link più recente",
            "Le abbiamo inviato un’altra e-mail con un nuovo link. Usi quello: le sue risposte sono ancora lì.",
        ),
    },
    "nl": {
        "completed": (
            "U hebt dit formulier ingevuld",
            "Uw antwoorden zijn ontvangen. U hoeft niets meer te doen.",
        ),
        "declined": (
            "U hebt geweigerd",
            (
                "U hebt ervoor gekozen dit formulier niet in te vullen. Bent u van gedachten veranderd? Neem dan "
                "contact op met de persoon die u uitnodigde."
            ),
        ),
        "expired": (
            "Deze link is verlopen",
            "Vraag de persoon die u uitnodigde om een nieuwe.",
        ),
        "revoked": (
            "Deze uitnodiging is ingetrokken",
            (
                "Uw antwoorden zijn niet meer nodig. Denkt u dat dit een vergissing is? Neem dan contact op met de "
                "persoon die u uitnodigde."
            ),
        ),
        "replaced": (
            "Er is een nieuwere link",
            (
                "We hebben u nog een e-mail met een nieuwe link gestuurd. Gebruik die; uw antwoorden tot nu toe zijn "
                "er nog."
            ),
        ),
    },
    "pl": {
        "completed": (
            "Ten formularz jest już wypełniony",
            "Otrzymaliśmy odpowiedzi. Nic więcej nie trzeba robić.",
        ),
        "declined": (
            "Zaproszenie zostało odrzucone",
            (
                "Formularz miał pozostać niewypełniony. W razie zmiany decyzji proszę skontaktować się z osobą, która "
                "wysłała zaproszenie."
            ),
        ),
        "expired": (
            "Ten link wygasł",
            "Proszę poprosić o nowy osobę, która wysłała zaproszenie.",
        ),
        "revoked": (
            "To zaproszenie zostało wycofane",
            (
                "Odpowiedzi nie są już potrzebne. Jeśli to pomyłka, proszę skontaktować się z osobą, która wysłała "
                "zaproszenie."
            ),
        ),
        "replaced": (
            "Jest nowszy link",
            (
                "Wysłaliśmy kolejną wiadomość e-mail z nowym linkiem. Proszę go użyć: dotychczasowe odpowiedzi są "
                "zachowane."
            ),
        ),
    },
    "pt": {
        "completed": (
            "Já preencheu este formulário",
            "Recebemos as suas respostas. Não precisa de fazer mais nada.",
        ),
        "declined": (
            "Recusou o convite",
            "Optou por não preencher este formulário. Se mudou de ideias, contacte a pessoa que o convidou.",
        ),
        "expired": (
            "Esta ligação expirou",
            "Peça uma nova à pessoa que o convidou.",
        ),
        "revoked": (
            "Este convite foi retirado",
            "As suas respostas já não são necessárias. Se acha que é um engano, contacte a pessoa que o convidou.",
        ),
        "replaced": (
            "Há uma ligação mais recente",
            "Enviámos-lhe outro e-mail com uma nova ligação. Use essa: as suas respostas continuam lá.",
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
