"""The page that people see if the link of a form is not open yet, has closed, or has received all its responses."""

from collections.abc import Mapping

from formwright.core.clock import to_local
from formwright.domain.customers.models import Customer
from formwright.domain.forms.models import Form
from formwright.domain.forms.public_link import LinkClosed, LinkFull, LinkNotOpen, LinkRefused
from formwright.web.fill.closed_page import ClosedPage
from formwright.web.fill.messages import choose_language
from formwright.web.http import Response
from formwright.web.page import PublicPage


def render_limit_page(page: PublicPage, error: LinkRefused, form: Form, account: Customer, language: str) -> Response:
    """Render the page with status 409: after a 404 or 410 the service worker would delete its copy of the form."""
    language = choose_language([language])
    title, message = _MESSAGES[language][type(error)]
    next_step = (_COME_BACK if isinstance(error, LinkNotOpen) else _CONTACT)[language]
    ms = form.public_link.opens_at if isinstance(error, LinkNotOpen) else form.public_link.closes_at
    text = message.format(time=_format(ms, account.time_zone))
    view_model = ClosedPage("limited", title, text, next_step, language, account)
    return page.render("fill/closed.html", view_model, status=409)


def _format(ms: int | None, time_zone: str) -> str:
    """Return the time in a format that is understood in all languages."""
    return f"{to_local(ms, time_zone):%Y-%m-%d %H:%M} ({time_zone})" if ms is not None else ""


_MESSAGES: Mapping[str, Mapping[type[LinkRefused], tuple[str, str]]] = {
    "en": {
        LinkNotOpen: ("This form isn’t open yet", "It opens on {time}."),
        LinkClosed: ("This form is closed", "It accepted responses until {time}."),
        LinkFull: ("This form is full", "It has received the maximum number of responses."),
    },
    "de": {
        LinkNotOpen: ("Dieses Formular ist noch nicht geöffnet", "Sie können es ab {time} ausfüllen."),
        LinkClosed: ("Dieses Formular ist geschlossen", "Es konnte bis {time} ausgefüllt werden."),
        LinkFull: ("Dieses Formular nimmt keine Antworten mehr an", "Die Höchstzahl an Antworten ist erreicht."),
    },
    "fr": {
        LinkNotOpen: ("Ce formulaire n’est pas encore ouvert", "Il ouvrira le {time}."),
        LinkClosed: ("Ce formulaire est fermé", "Il acceptait les réponses jusqu’au {time}."),
        LinkFull: ("Ce formulaire est complet", "Le nombre maximal de réponses est atteint."),
    },
    "es": {
        LinkNotOpen: ("Este formulario aún no está abierto", "Se abrirá el {time}."),
        LinkClosed: ("Este formulario está cerrado", "Aceptaba respuestas hasta el {time}."),
        LinkFull: ("Este formulario está completo", "Ha recibido el número máximo de respuestas."),
    },
    "it": {
        LinkNotOpen: ("Questo modulo non è ancora aperto", "Aprirà il {time}."),
        LinkClosed: ("Questo modulo è chiuso", "Accettava risposte fino al {time}."),
        LinkFull: ("Questo modulo è al completo", "È stato raggiunto il numero massimo di risposte."),
    },
    "nl": {
        LinkNotOpen: ("Dit formulier is nog niet open", "Het gaat open op {time}."),
        LinkClosed: ("Dit formulier is gesloten", "Reageren kon tot {time}."),
        LinkFull: ("Dit formulier is vol", "Het maximale aantal antwoorden is bereikt."),
    },
    "pl": {
        LinkNotOpen: ("Ten formularz nie jest jeszcze otwarty", "Zostanie otwarty {time}."),
        LinkClosed: ("Ten formularz jest zamknięty", "Odpowiedzi były przyjmowane do {time}."),
        LinkFull: ("Ten formularz zebrał już komplet odpowiedzi", "Osiągnięto maksymalną liczbę odpowiedzi."),
    },
    "pt": {
        LinkNotOpen: ("Este formulário ainda não está aberto", "Abre em {time}."),
        LinkClosed: ("Este formulário está fechado", "Aceitou respostas até {time}."),
        LinkFull: ("Este formulário está completo", "Foi atingido o número máximo de respostas."),
    },
}
_COME_BACK = {
    "en": "Come back then. The link stays the same.",
    "de": "Öffnen Sie dann diesen Link noch einmal. Er bleibt gültig.",
    "fr": "Revenez à ce moment-là. Le lien reste le même.",
    "es": "Vuelva entonces. El enlace seguirá siendo el mismo.",
    "it": "Torni in quel momento. Il link resta lo stesso.",
    "nl": "Kom dan terug. De link blijft hetzelfde.",
    "pl": "Proszę wrócić w tym terminie. Link pozostanie ten sam.",
    "pt": "Volte nessa altura. O link continua a ser o mesmo.",
}
_CONTACT = {
    "en": "If you still need to respond, contact the person who sent you the link.",
    "de": "Wenn Sie noch antworten müssen, wenden Sie sich an die Person, die Ihnen den Link geschickt hat.",
    "fr": "Si vous devez encore répondre, contactez la personne qui vous a envoyé le lien.",
    "es": "Si todavía tiene que responder, póngase en contacto con la persona que le envió el enlace.",
    "it": "Se deve ancora rispondere, contatti la persona che Le ha inviato il link.",
    "nl": "Moet u nog reageren, neem dan contact op met de persoon die u de link heeft gestuurd.",
    "pl": "Jeśli nadal trzeba odpowiedzieć, proszę skontaktować się z osobą, która przysłała link.",
    "pt": "Se ainda precisar de responder, contacte a pessoa que lhe enviou o link.",
}
