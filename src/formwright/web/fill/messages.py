"""Translated texts for pages without a script: closed form, nothing to correct, JavaScript is off, server is busy."""

from collections.abc import Iterator, Mapping

Messages = Mapping[str, str]

_MESSAGES = {
    "en": (
        "This form isn’t available",
        "The link is invalid or the form has been closed. Ask the person who sent it for a new link.",
        "This form requires JavaScript. Turn it on and reload the page.",
        "There’s nothing to edit here",
        "These answers no longer need changes, or the link is incomplete. Ask the person who sent it.",
        "This form is busy",
        "There are too many requests right now. Wait a minute, then reload the page. Answers on this device are kept.",
    ),
    "de": (
        "Dieses Formular ist nicht verfügbar",
        (
            "Der Link ist ungültig oder das Formular wurde geschlossen. Bitten Sie die Person, die Ihnen den Link "
            "geschickt hat, um einen neuen."
        ),
        "Dieses Formular benötigt JavaScript. Aktivieren Sie es und laden Sie die Seite neu.",
        "Hier gibt es nichts zu bearbeiten",
        (
            "Die Antworten müssen nicht mehr geändert werden oder der Link ist unvollständig. Wenden Sie sich an die "
            "Person, die ihn geschickt hat."
        ),
        "Dieses Formular ist überlastet",
        (
            "Im Moment gehen zu viele Anfragen ein. Warten Sie eine Minute und laden Sie die Seite dann neu. "
            "Antworten auf diesem Gerät bleiben gespeichert."
        ),
    ),
    "fr": (
        "Ce formulaire n’est pas disponible",
        (
            "Le lien n’est pas valide ou le formulaire a été fermé. Demandez un nouveau lien à la personne qui vous "
            "l’a envoyé."
        ),
        "Ce formulaire nécessite JavaScript. Activez-le et rechargez la page.",
        "Il n’y a rien à modifier ici",
        (
            "Ces réponses n’ont plus besoin d’être modifiées ou le lien est incomplet. Adressez-vous à la personne "
            "qui vous l’a envoyé."
        ),
        "Ce formulaire est surchargé",
        (
            "Il y a trop de demandes en ce moment. Attendez une minute, puis rechargez la page. Les réponses "
            "enregistrées sur cet appareil sont conservées."
        ),
    ),
    "es": (
        "Este formulario no está disponible",
        "El enlace no es válido o el formulario se ha cerrado. Pida un enlace nuevo a la persona que se lo envió.",
        "Este formulario requiere JavaScript. Actívelo y recargue la página.",
        "No hay nada que editar aquí",
        "Estas respuestas ya no necesitan cambios o el enlace está incompleto. Pregunte a la persona que se lo envió.",
        "Este formulario está saturado",
        (
            "Hay demasiadas solicitudes en este momento. Espere un minuto y recargue la página. Las respuestas de "
            "este dispositivo se conservan."
        ),
    ),
    "it": (
        "Questo modulo non è disponibile",
        "Il link non è valido o il modulo è stato chiuso. Chieda un nuovo link alla persona che gliel’ha inviato.",
        "Questo modulo richiede JavaScript. Lo attivi e ricarichi la pagina.",
        "Qui non c’è nulla da modificare",
        (
            "Queste risposte non richiedono più modifiche o il link è incompleto. Si rivolga alla persona che "
            "gliel’ha inviato."
        ),
        "Questo modulo è sovraccarico",
        (
            "Ci sono troppe richieste in questo momento. Attenda un minuto e ricarichi la pagina. Le risposte su "
            "questo dispositivo restano salvate."
        ),
    ),
    "nl": (
        "Dit formulier is niet beschikbaar",
        "De link is ongeldig of het formulier is gesloten. Vraag de persoon die u de link stuurde om een nieuwe.",
        "Voor dit formulier is JavaScript nodig. Schakel het in en laad de pagina opnieuw.",
        "Hier valt niets te bewerken",
        (
            "Deze antwoorden hoeven niet meer te worden aangepast of de link is onvolledig. Vraag het aan de persoon "
            "die u de link stuurde."
        ),
        "Dit formulier is overbelast",
        (
            "Er zijn op dit moment te veel verzoeken. Wacht een minuut en laad de pagina opnieuw. Antwoorden op dit "
            "apparaat blijven bewaard."
        ),
    ),
    "pl": (
        "Ten formularz jest niedostępny",
        "Link jest nieprawidłowy albo formularz został zamknięty. Proszę poprosić o nowy link osobę, która go wysłała.",
        "Ten formularz wymaga JavaScriptu. Proszę go włączyć i odświeżyć stronę.",
        "Nie ma tu nic do edycji",
        "Te odpowiedzi nie wymagają już zmian albo link jest niepełny. Proszę zapytać osobę, która go wysłała.",
        "Ten formularz jest przeciążony",
        (
            "Otrzymujemy teraz zbyt wiele żądań. Proszę odczekać minutę i odświeżyć stronę. Odpowiedzi na tym "
            "urządzeniu są zachowane."
        ),
    ),
    "pt": (
        "Este formulário não está disponível",
        "A ligação não é válida ou o formulário foi fechado. Peça uma nova à pessoa que lha enviou.",
        "Este formulário requer JavaScript. Ative-o e recarregue a página.",
        "Não há nada para editar aqui",
        "Estas respostas já não precisam de alterações ou a ligação está incompleta. Pergunte à pessoa que lha enviou.",
        "Este formulário está sobrecarregado",
        (
            "Há demasiados pedidos neste momento. Aguarde um minuto e recarregue a página. As respostas neste "
            "dispositivo mantêm-se guardadas."
        ),
    ),
}
_NAMES = ("closed", "ask", "script", "nothing", "sent", "busy", "wait")


def load_messages(*tags: str) -> Messages:
    """Return the texts in the first supported one of these languages, else in English. `language` is the one chosen."""
    tag = next((root for root in map(_primary_tag, tags) if root in _MESSAGES), "en")
    return dict(zip(_NAMES, _MESSAGES[tag], strict=True)) | {"language": tag}


def parse_accept_language(accept_language: str) -> list[str]:
    """Return the language tags of the header, most preferred first (RFC 9110, section 12.5.4)."""
    weighted = sorted(_weighted_tags(accept_language[:500]), key=lambda pair: -pair[0])
    return [tag for weight, tag in weighted if weight > 0]


def _weighted_tags(header: str) -> Iterator[tuple[float, str]]:
    for part in header.split(","):
        tag, _, weight = part.partition(";q=")
        try:
            yield float(weight or 1), tag.strip()
        except ValueError:
            continue


def _primary_tag(tag: str) -> str:
    return tag.partition("-")[0].lower()
