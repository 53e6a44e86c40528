"""The texts of the page that people see instead of a form: the title, the message and the next step of each reason."""

from collections.abc import Mapping

MESSAGES: Mapping[str, Mapping[str, tuple[str, str, str]]] = {
    "en": {
        "closed": (
            "This form isn’t available",
            "The link is invalid or the form has been closed.",
            "Ask the person who sent it for a new link.",
        ),
        "nothing": (
            "There’s nothing to edit here",
            "These answers no longer need changes, or the link is incomplete.",
            "Ask the person who sent it.",
        ),
        "busy": (
            "This form is busy",
            "There are too many requests right now.",
            "Wait a minute, then reload the page. Answers on this device are kept.",
        ),
        "completed": (
            "You’ve completed this form",
            "Your response has been received.",
            "There’s nothing more to do.",
        ),
        "declined": (
            "You’ve declined",
            "You chose not to fill in this form.",
            "If you’ve changed your mind, contact the person who invited you.",
        ),
        "expired": (
            "This link has expired",
            "",
            "Ask the person who invited you for a new one.",
        ),
        "unfinished": (
            "This link has expired",
            "Unfinished answers can be continued for 30 days after the last change.",
            "Open the form again to start over.",
        ),
        "over": (
            "Your answers can no longer be changed",
            "The time for changes is over.",
            "If something is wrong, contact the person who sent you the form.",
        ),
        "reviewed": (
            "Your answers can no longer be changed",
            "They have been reviewed.",
            "If something is wrong, contact the person who sent you the form.",
        ),
        "revoked": (
            "This invitation was withdrawn",
            "Your response is no longer needed.",
            "If you think this is a mistake, contact the person who invited you.",
        ),
        "replaced": (
            "There’s a newer link",
            "We sent you another email with a new link.",
            "Use that one; your answers so far are still there.",
        ),
    },
    "de": {
        "closed": (
            "Dieses Formular ist nicht verfügbar",
            "Der Link ist ungültig oder das Formular wurde geschlossen.",
            "Bitten Sie die Person, die Ihnen den Link geschickt hat, um einen neuen.",
        ),
        "nothing": (
            "Hier gibt es nichts zu bearbeiten",
            "Die Antworten müssen nicht mehr geändert werden oder der Link ist unvollständig.",
            "Wenden Sie sich an die Person, die ihn geschickt hat.",
        ),
        "busy": (
            "Dieses Formular ist überlastet",
            "Im Moment gehen zu viele Anfragen ein.",
            "Warten Sie eine Minute und laden Sie die Seite dann neu. Antworten auf diesem Gerät bleiben gespeichert.",
        ),
        "completed": (
            "Sie haben dieses Formular ausgefüllt",
            "Ihre Antworten sind eingegangen.",
            "Es ist nichts weiter zu tun.",
        ),
        "declined": (
            "Sie haben abgelehnt",
            "Sie möchten dieses Formular nicht ausfüllen.",
            "Wenn Sie es sich anders überlegt haben, wenden Sie sich an die Person, die Sie eingeladen hat.",
        ),
        "expired": (
            "Dieser Link ist abgelaufen",
            "",
            "Bitten Sie die Person, die Sie eingeladen hat, um einen neuen.",
        ),
        "unfinished": (
            "Dieser Link ist abgelaufen",
            "Unfertige Antworten können bis 30 Tage nach der letzten Änderung fortgesetzt werden.",
            "Öffnen Sie das Formular erneut, um von vorn zu beginnen.",
        ),
        "over": (
            "Ihre Antworten können nicht mehr geändert werden",
            "Die Frist für Änderungen ist vorbei.",
            "Wenn etwas nicht stimmt, wenden Sie sich an die Person, die Ihnen das Formular geschickt hat.",
        ),
        "reviewed": (
            "Ihre Antworten können nicht mehr geändert werden",
            "Sie wurden bereits geprüft.",
            "Wenn etwas nicht stimmt, wenden Sie sich an die Person, die Ihnen das Formular geschickt hat.",
        ),
        "revoked": (
            "Diese Einladung wurde zurückgezogen",
            "Ihre Antworten werden nicht mehr benötigt.",
            "Wenn Sie das für einen Irrtum halten, wenden Sie sich an die Person, die Sie eingeladen hat.",
        ),
        "replaced": (
            "Es gibt einen neueren Link",
            "Wir haben Ihnen eine weitere E-Mail mit einem neuen Link geschickt.",
            "Bitte verwenden Sie diesen. Ihre bisherigen Antworten sind noch da.",
        ),
    },
    "fr": {
        "closed": (
            "Ce formulaire n’est pas disponible",
            "Le lien n’est pas valide ou le formulaire a été fermé.",
            "Demandez un nouveau lien à la personne qui vous l’a envoyé.",
        ),
        "nothing": (
            "Il n’y a rien à modifier ici",
            "Ces réponses n’ont plus besoin d’être modifiées ou le lien est incomplet.",
            "Adressez-vous à la personne qui vous l’a envoyé.",
        ),
        "busy": (
            "Ce formulaire est surchargé",
            "Il y a trop de demandes en ce moment.",
            "Attendez une minute, puis rechargez la page. Les réponses enregistrées sur cet appareil sont conservées.",
        ),
        "completed": (
            "Vous avez rempli ce formulaire",
            "Vos réponses ont bien été reçues.",
            "Vous n’avez plus rien à faire.",
        ),
        "declined": (
            "Vous avez refusé",
            "Vous avez choisi de ne pas remplir ce formulaire.",
            "Si vous avez changé d’avis, contactez la personne qui vous a invité.",
        ),
        "expired": (
            "Ce lien a expiré",
            "",
            "Demandez-en un nouveau à la personne qui vous a invité.",
        ),
        "unfinished": (
            "Ce lien a expiré",
            "Les réponses inachevées peuvent être reprises pendant 30 jours après la dernière modification.",
            "Ouvrez de nouveau le formulaire pour recommencer.",
        ),
        "over": (
            "Vos réponses ne peuvent plus être modifiées",
            "Le délai de modification est écoulé.",
            "Si quelque chose est inexact, contactez la personne qui vous a envoyé le formulaire.",
        ),
        "reviewed": (
            "Vos réponses ne peuvent plus être modifiées",
            "Elles ont été examinées.",
            "Si quelque chose est inexact, contactez la personne qui vous a envoyé le formulaire.",
        ),
        "revoked": (
            "Cette invitation a été retirée",
            "Vos réponses ne sont plus nécessaires.",
            "Si vous pensez qu’il s’agit d’une erreur, contactez la personne qui vous a invité.",
        ),
        "replaced": (
            "Il existe un lien plus récent",
            "Nous vous avons envoyé un autre e-mail avec un nouveau lien.",
            "Utilisez-le : vos réponses sont toujours là.",
        ),
    },
    "es": {
        "closed": (
            "Este formulario no está disponible",
            "El enlace no es válido o el formulario se ha cerrado.",
            "Pida un enlace nuevo a la persona que se lo envió.",
        ),
        "nothing": (
            "No hay nada que editar aquí",
            "Estas respuestas ya no necesitan cambios o el enlace está incompleto.",
            "Pregunte a la persona que se lo envió.",
        ),
        "busy": (
            "Este formulario está saturado",
            "Hay demasiadas solicitudes en este momento.",
            "Espere un minuto y recargue la página. Las respuestas de este dispositivo se conservan.",
        ),
        "completed": (
            "Ya ha rellenado este formulario",
            "Hemos recibido sus respuestas.",
            "No tiene que hacer nada más.",
        ),
        "declined": (
            "Ha rechazado la invitación",
            "Ha decidido no rellenar este formulario.",
            "Si cambia de opinión, póngase en contacto con la persona que le invitó.",
        ),
        "expired": (
            "Este enlace ha caducado",
            "",
            "Pida uno nuevo a la persona que le invitó.",
        ),
        "unfinished": (
            "Este enlace ha caducado",
            "Las respuestas sin terminar se pueden continuar durante 30 días después del último cambio.",
            "Abra de nuevo el formulario para empezar desde el principio.",
        ),
        "over": (
            "Sus respuestas ya no se pueden cambiar",
            "El plazo para hacer cambios ha terminado.",
            "Si hay algún error, póngase en contacto con la persona que le envió el formulario.",
        ),
        "reviewed": (
            "Sus respuestas ya no se pueden cambiar",
            "Ya se han revisado.",
            "Si hay algún error, póngase en contacto con la persona que le envió el formulario.",
        ),
        "revoked": (
            "Esta invitación se ha retirado",
            "Sus respuestas ya no son necesarias.",
            "Si cree que es un error, póngase en contacto con la persona que le invitó.",
        ),
        "replaced": (
            "Hay un enlace más reciente",
            "Le hemos enviado otro correo con un enlace nuevo.",
            "Utilice ese: sus respuestas siguen ahí.",
        ),
    },
    "it": {
        "closed": (
            "Questo modulo non è disponibile",
            "Il link non è valido o il modulo è stato chiuso.",
            "Chieda un nuovo link alla persona che gliel’ha inviato.",
        ),
        "nothing": (
            "Qui non c’è nulla da modificare",
            "Queste risposte non richiedono più modifiche o il link è incompleto.",
            "Si rivolga alla persona che gliel’ha inviato.",
        ),
        "busy": (
            "Questo modulo è sovraccarico",
            "Ci sono troppe richieste in questo momento.",
            "Attenda un minuto e ricarichi la pagina. Le risposte su questo dispositivo restano salvate.",
        ),
        "completed": (
            "Ha già compilato questo modulo",
            "Le sue risposte sono state ricevute.",
            "Non deve fare altro.",
        ),
        "declined": (
            "Ha rifiutato",
            "Ha scelto di non compilare questo modulo.",
            "Se ha cambiato idea, contatti la persona che l’ha invitata.",
        ),
        "expired": (
            "Questo link è scaduto",
            "",
            "Chieda un nuovo link alla persona che l’ha invitata.",
        ),
        "unfinished": (
            "Questo link è scaduto",
            "Le risposte incomplete si possono riprendere per 30 giorni dopo l’ultima modifica.",
            "Apra di nuovo il modulo per ricominciare.",
        ),
        "over": (
            "Le sue risposte non si possono più modificare",
            "Il termine per le modifiche è scaduto.",
            "Se qualcosa non è corretto, contatti la persona che le ha inviato il modulo.",
        ),
        "reviewed": (
            "Le sue risposte non si possono più modificare",
            "Sono state esaminate.",
            "Se qualcosa non è corretto, contatti la persona che le ha inviato il modulo.",
        ),
        "revoked": (
            "Questo invito è stato ritirato",
            "Le sue risposte non servono più.",
            "Se pensa che sia un errore, contatti la persona che l’ha invitata.",
        ),
        "replaced": (
            "C’è un link più recente",
            "Le abbiamo inviato un’altra e-mail con un nuovo link.",
            "Usi quello: le sue risposte sono ancora lì.",
        ),
    },
    "nl": {
        "closed": (
            "Dit formulier is niet beschikbaar",
            "De link is ongeldig of het formulier is gesloten.",
            "Vraag de persoon die u de link stuurde om een nieuwe.",
        ),
        "nothing": (
            "Hier valt niets te bewerken",
            "Deze antwoorden hoeven niet meer te worden aangepast of de link is onvolledig.",
            "Vraag het aan de persoon die u de link stuurde.",
        ),
        "busy": (
            "Dit formulier is overbelast",
            "Er zijn op dit moment te veel verzoeken.",
            "Wacht een minuut en laad de pagina opnieuw. Antwoorden op dit apparaat blijven bewaard.",
        ),
        "completed": (
            "U hebt dit formulier ingevuld",
            "Uw antwoorden zijn ontvangen.",
            "U hoeft niets meer te doen.",
        ),
        "declined": (
            "U hebt geweigerd",
            "U hebt ervoor gekozen dit formulier niet in te vullen.",
            "Bent u van gedachten veranderd? Neem dan contact op met de persoon die u uitnodigde.",
        ),
        "expired": (
            "Deze link is verlopen",
            "",
            "Vraag de persoon die u uitnodigde om een nieuwe.",
        ),
        "unfinished": (
            "Deze link is verlopen",
            "Onvoltooide antwoorden kunt u tot 30 dagen na de laatste wijziging voortzetten.",
            "Open het formulier opnieuw om opnieuw te beginnen.",
        ),
        "over": (
            "Uw antwoorden kunnen niet meer worden gewijzigd",
            "De termijn voor wijzigingen is voorbij.",
            "Klopt er iets niet? Neem dan contact op met de persoon die u het formulier stuurde.",
        ),
        "reviewed": (
            "Uw antwoorden kunnen niet meer worden gewijzigd",
            "Ze zijn al beoordeeld.",
            "Klopt er iets niet? Neem dan contact op met de persoon die u het formulier stuurde.",
        ),
        "revoked": (
            "Deze uitnodiging is ingetrokken",
            "Uw antwoorden zijn niet meer nodig.",
            "Denkt u dat dit een vergissing is? Neem dan contact op met de persoon die u uitnodigde.",
        ),
        "replaced": (
            "Er is een nieuwere link",
            "We hebben u nog een e-mail met een nieuwe link gestuurd.",
            "Gebruik die; uw antwoorden tot nu toe zijn er nog.",
        ),
    },
    "pl": {
        "closed": (
            "Ten formularz jest niedostępny",
            "Link jest nieprawidłowy albo formularz został zamknięty.",
            "Proszę poprosić o nowy link osobę, która go wysłała.",
        ),
        "nothing": (
            "Nie ma tu nic do edycji",
            "Te odpowiedzi nie wymagają już zmian albo link jest niepełny.",
            "Proszę zapytać osobę, która go wysłała.",
        ),
        "busy": (
            "Ten formularz jest przeciążony",
            "Otrzymujemy teraz zbyt wiele żądań.",
            "Proszę odczekać minutę i odświeżyć stronę. Odpowiedzi na tym urządzeniu są zachowane.",
        ),
        "completed": (
            "Ten formularz jest już wypełniony",
            "Otrzymaliśmy odpowiedzi.",
            "Nic więcej nie trzeba robić.",
        ),
        "declined": (
            "Zaproszenie zostało odrzucone",
            "Formularz miał pozostać niewypełniony.",
            "W razie zmiany decyzji proszę skontaktować się z osobą, która wysłała zaproszenie.",
        ),
        "expired": (
            "Ten link wygasł",
            "",
            "Proszę poprosić o nowy osobę, która wysłała zaproszenie.",
        ),
        "unfinished": (
            "Ten link wygasł",
            "Niedokończone odpowiedzi można kontynuować przez 30 dni od ostatniej zmiany.",
            "Proszę ponownie otworzyć formularz, aby zacząć od początku.",
        ),
        "over": (
            "Odpowiedzi nie można już zmienić",
            "Termin wprowadzania zmian minął.",
            "Jeśli coś się nie zgadza, proszę skontaktować się z osobą, która wysłała formularz.",
        ),
        "reviewed": (
            "Odpowiedzi nie można już zmienić",
            "Zostały już sprawdzone.",
            "Jeśli coś się nie zgadza, proszę skontaktować się z osobą, która wysłała formularz.",
        ),
        "revoked": (
            "To zaproszenie zostało wycofane",
            "Odpowiedzi nie są już potrzebne.",
            "Jeśli to pomyłka, proszę skontaktować się z osobą, która wysłała zaproszenie.",
        ),
        "replaced": (
            "Jest nowszy link",
            "Wysłaliśmy kolejną wiadomość e-mail z nowym linkiem.",
            "Proszę go użyć: dotychczasowe odpowiedzi są zachowane.",
        ),
    },
    "pt": {
        "closed": (
            "Este formulário não está disponível",
            "A ligação não é válida ou o formulário foi fechado.",
            "Peça uma nova à pessoa que lha enviou.",
        ),
        "nothing": (
            "Não há nada para editar aqui",
            "Estas respostas já não precisam de alterações ou a ligação está incompleta.",
            "Pergunte à pessoa que lha enviou.",
        ),
        "busy": (
            "Este formulário está sobrecarregado",
            "Há demasiados pedidos neste momento.",
            "Aguarde um minuto e recarregue a página. As respostas neste dispositivo mantêm-se guardadas.",
        ),
        "completed": (
            "Já preencheu este formulário",
            "Recebemos as suas respostas.",
            "Não precisa de fazer mais nada.",
        ),
        "declined": (
            "Recusou o convite",
            "Optou por não preencher este formulário.",
            "Se mudou de ideias, contacte a pessoa que o convidou.",
        ),
        "expired": (
            "Esta ligação expirou",
            "",
            "Peça uma nova à pessoa que o convidou.",
        ),
        "unfinished": (
            "Esta ligação expirou",
            "As respostas inacabadas podem ser continuadas até 30 dias depois da última alteração.",
            "Abra o formulário de novo para recomeçar.",
        ),
        "over": (
            "As suas respostas já não podem ser alteradas",
            "O prazo para alterações terminou.",
            "Se algo não estiver certo, contacte a pessoa que lhe enviou o formulário.",
        ),
        "reviewed": (
            "As suas respostas já não podem ser alteradas",
            "Já foram analisadas.",
            "Se algo não estiver certo, contacte a pessoa que lhe enviou o formulário.",
        ),
        "revoked": (
            "Este convite foi retirado",
            "As suas respostas já não são necessárias.",
            "Se acha que é um engano, contacte a pessoa que o convidou.",
        ),
        "replaced": (
            "Há uma ligação mais recente",
            "Enviámos-lhe outro e-mail com uma nova ligação.",
            "Use essa: as suas respostas continuam lá.",
        ),
    },
}
"""Title, message and next step by reason."""
