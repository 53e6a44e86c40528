"""Translated texts for pages without a script: closed form, nothing to correct, JavaScript is off, server is busy."""

from collections.abc import Iterator, Mapping

Messages = Mapping[str, str]

_MESSAGES = {
    "en": (
        "This form is not open",
        "The link is not valid, or the form has been closed. Ask the person who sent it to you for a new one.",
        "This form needs JavaScript. Please switch it on and load the page again.",
        "There is nothing to correct here",
        "The answers no longer wait to be corrected, or the link is not whole. Ask the person who sent it to you.",
        "This form is busy",
        (
            "Too many requests are arriving right now. "
            "Wait a minute, then load the page again. Answers on this device are kept."
        ),
    ),
    "de": (
        "Dieses Formular ist nicht offen",
        "Der Link gilt nicht, oder das Formular wurde geschlossen. Bitten Sie den Absender um einen neuen.",
        "Dieses Formular braucht JavaScript. Bitte schalten Sie es ein und laden Sie die Seite noch einmal.",
        "Hier gibt es nichts zu korrigieren",
        (
            "Die Antworten warten nicht mehr auf eine Korrektur, oder der Link ist unvollständig. Fragen"
            " Sie den Absender."
        ),
        "Dieses Formular ist überlastet",
        (
            "Im Moment kommen zu viele Anfragen. "
            "Warten Sie eine Minute und laden Sie die Seite dann neu. Antworten auf diesem Gerät bleiben erhalten."
        ),
    ),
    "fr": (
        "Ce formulaire n’est pas ouvert",
        (
            "Le lien n’est pas valable, ou le formulaire a été fermé. Demandez-en un nouveau à la personne"
            " qui l’a envoyé."
        ),
        "Ce formulaire a besoin de JavaScript. Veuillez l’activer et recharger la page.",
        "Il n’y a rien à corriger ici",
        (
            "Les réponses n’attendent plus de correction, ou le lien est incomplet. Adressez-vous à la"
            " personne qui vous l’a envoyé."
        ),
        "Ce formulaire est surchargé",
        (
            "Trop de demandes arrivent en ce moment. "
            "Attendez une minute, puis rechargez la page. Les réponses sur cet appareil sont conservées."
        ),
    ),
    "es": (
        "Este formulario no está abierto",
        "El enlace no es válido o el formulario se ha cerrado. Pida uno nuevo a la persona que se lo envió.",
        "Este formulario necesita JavaScript. Actívelo y vuelva a cargar la página.",
        "Aquí no hay nada que corregir",
        (
            "Las respuestas ya no esperan ninguna corrección, o el enlace está incompleto. Pregunte a la"
            " persona que se lo envió."
        ),
        "Este formulario está saturado",
        (
            "Están llegando demasiadas solicitudes. "
            "Espere un minuto y vuelva a cargar la página. Las respuestas de este dispositivo se conservan."
        ),
    ),
    "it": (
        "Questo modulo non è aperto",
        "Il link non è valido, o il modulo è stato chiuso. Ne chieda uno nuovo alla persona che l’ha inviato.",
        "Questo modulo ha bisogno di JavaScript. Lo attivi e ricarichi la pagina.",
        "Qui non c’è nulla da correggere",
        "Le risposte non attendono più una correzione, o il link è incompleto. Chieda alla persona che l’ha inviato.",
        "Questo modulo è sovraccarico",
        (
            "Stanno arrivando troppe richieste. "
            "Attenda un minuto, poi ricarichi la pagina. Le risposte su questo dispositivo sono conservate."
        ),
    ),
    "nl": (
        "Dit formulier is niet open",
        "De link is niet geldig, of het formulier is gesloten. Vraag een nieuwe aan wie u de link stuurde.",
        "Dit formulier heeft JavaScript nodig. Zet het aan en laad de pagina opnieuw.",
        "Hier valt niets te verbeteren",
        (
            "De antwoorden wachten niet meer op verbetering, of de link is niet volledig. Vraag het aan wie"
            " u de link stuurde."
        ),
        "Dit formulier is overbelast",
        (
            "Er komen nu te veel verzoeken binnen. "
            "Wacht een minuut en laad de pagina opnieuw. Antwoorden op dit apparaat blijven bewaard."
        ),
    ),
    "pl": (
        "Ten formularz nie jest otwarty",
        "Link jest nieważny albo formularz został zamknięty. Proszę poprosić osobę, która go wysłała, o nowy.",
        "Ten formularz wymaga JavaScriptu. Proszę go włączyć i wczytać stronę ponownie.",
        "Nie ma tu nic do poprawienia",
        "Odpowiedzi nie czekają już na poprawienie albo link jest niepełny. Proszę zapytać osobę, która go wysłała.",
        "Ten formularz jest przeciążony",
        (
            "Nadchodzi teraz zbyt wiele zapytań. "
            "Proszę odczekać minutę i ponownie wczytać stronę. Odpowiedzi na tym urządzeniu są zachowane."
        ),
    ),
    "pt": (
        "Este formulário não está aberto",
        "A ligação não é válida ou o formulário foi fechado. Peça uma nova a quem lha enviou.",
        "Este formulário precisa de JavaScript. Ative-o e carregue a página de novo.",
        "Não há nada para corrigir aqui",
        "As respostas já não esperam uma correção ou a ligação está incompleta. Pergunte a quem lha enviou.",
        "Este formulário está sobrecarregado",
        (
            "Estão a chegar demasiados pedidos. "
            "Aguarde um minuto e volte a carregar a página. As respostas neste dispositivo são guardadas."
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
