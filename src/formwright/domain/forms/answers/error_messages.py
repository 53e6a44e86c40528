"""Messages for invalid answers, in the languages of forms."""

from collections.abc import Mapping

from formwright.core.json_schema_errors import ENGLISH, Messages

_KEYS = (
    "required rule costly lookup filtered rows additionalProperties invalid too_deep inexact "
    "type enum minLength maxLength minimum maximum "
    "minItems maxItems uniqueItems exclusive format pattern or more "
    "type.string type.integer type.number type.boolean type.array type.object "
    "format.email format.uri format.date format.date-time"
)
"""The keys of the messages below, in the same order."""

_MESSAGES = {
    "en": """
        This field is required.
        This answer is not valid.
        The rule for this field is too complex for these answers. Shorten texts or remove entries.
        This entry does not exist in the list.
        This entry does not match your other answers.
        The number of entries does not match your other answers.
        The form has no such field.
        This answer cannot be accepted.
        This answer is nested too deeply.
        This number has more digits than can be stored exactly. Enter at most {limit} digits.
        This must be {types}.
        This must be one of {options}.
        This must have at least {limit} characters.
        This must have at most {limit} characters.
        This must be at least {limit}.
        This must be at most {limit}.
        This must have at least {limit} entries.
        This must have at most {limit} entries.
        Each entry may occur only once.
        One of these options cannot be combined with others.
        This must be a valid {format}.
        This must match {pattern}.
        or
        or {count} more
        text
        a whole number
        a number
        yes or no
        a list
        a group of answers
        email address
        web address
        date
        date and time
    """,
    "de": """
        Bitte füllen Sie dieses Feld aus.
        Diese Antwort ist nicht gültig.
        Die Regel dieses Feldes ist für diese Antworten zu aufwendig. Kürzen Sie Texte oder entfernen Sie Einträge.
        Diesen Eintrag gibt es in der Liste nicht.
        Dieser Eintrag passt nicht zu Ihren anderen Antworten.
        Die Anzahl der Einträge passt nicht zu Ihren anderen Antworten.
        Das Formular hat kein Feld mit diesem Namen.
        Diese Antwort kann nicht angenommen werden.
        Diese Antwort ist zu tief verschachtelt.
        Diese Zahl hat mehr Ziffern, als genau gespeichert werden können. Geben Sie höchstens {limit} Ziffern ein.
        Hier wird {types} erwartet.
        Wählen Sie eine der Optionen: {options}.
        Geben Sie mindestens {limit} Zeichen ein.
        Geben Sie höchstens {limit} Zeichen ein.
        Der Wert muss mindestens {limit} sein.
        Der Wert darf höchstens {limit} sein.
        Mindestens {limit} Einträge sind erforderlich.
        Höchstens {limit} Einträge sind möglich.
        Jeder Eintrag darf nur einmal vorkommen.
        Eine dieser Optionen lässt sich nicht mit anderen kombinieren.
        Diese Antwort ist nicht gültig. Erwartet wird: {format}.
        Die Antwort muss diesem Muster entsprechen: {pattern}
        oder
        oder {count} weitere
        ein Text
        eine ganze Zahl
        eine Zahl
        Ja oder Nein
        eine Liste
        eine Gruppe von Antworten
        E-Mail-Adresse
        Webadresse
        Datum
        Datum mit Uhrzeit
    """,
    "fr": """
        Ce champ est obligatoire.
        Cette réponse n’est pas valide.
        La règle de ce champ est trop complexe pour ces réponses. Raccourcissez des textes ou supprimez des entrées.
        Cette entrée n’existe pas dans la liste.
        Cette entrée ne correspond pas à vos autres réponses.
        Le nombre d’entrées ne correspond pas à vos autres réponses.
        Le formulaire n’a pas de champ de ce nom.
        Cette réponse ne peut pas être acceptée.
        Cette réponse a trop de niveaux.
        Ce nombre a trop de chiffres pour être enregistré exactement. Saisissez au plus {limit} chiffres.
        Réponse attendue : {types}.
        Choisissez l’une des options : {options}.
        Il faut au moins {limit} caractères.
        Il faut au plus {limit} caractères.
        La valeur doit être d’au moins {limit}.
        La valeur doit être d’au plus {limit}.
        Il faut au moins {limit} éléments.
        Il faut au plus {limit} éléments.
        Chaque élément ne peut figurer qu’une fois.
        L’une de ces options ne peut pas être combinée avec d’autres.
        Cette réponse n’est pas valide. Format attendu : {format}.
        La réponse doit correspondre à ce modèle : {pattern}
        ou
        ou {count} autres
        un texte
        un nombre entier
        un nombre
        oui ou non
        une liste
        un groupe de réponses
        adresse e-mail
        adresse web
        date
        date avec heure
    """,
    "es": """
        Este campo es obligatorio.
        Esta respuesta no es válida.
        La regla de este campo es demasiado compleja para estas respuestas. Acorte textos o quite entradas.
        Esta entrada no existe en la lista.
        Esta entrada no coincide con sus otras respuestas.
        El número de entradas no corresponde a sus otras respuestas.
        El formulario no tiene ningún campo con ese nombre.
        Esta respuesta no se puede aceptar.
        Esta respuesta tiene demasiados niveles.
        Este número tiene más cifras de las que se pueden guardar con exactitud. Introduzca como máximo {limit} cifras.
        Aquí se espera {types}.
        Elija una de las opciones: {options}.
        Se necesitan al menos {limit} caracteres.
        Se admiten como máximo {limit} caracteres.
        El valor debe ser como mínimo {limit}.
        El valor debe ser como máximo {limit}.
        Se necesitan al menos {limit} elementos.
        Se admiten como máximo {limit} elementos.
        Cada elemento solo puede aparecer una vez.
        Una de estas opciones no se puede combinar con otras.
        Esta respuesta no es válida. Formato esperado: {format}.
        La respuesta debe ajustarse a este patrón: {pattern}
        o
        o {count} más
        un texto
        un número entero
        un número
        sí o no
        una lista
        un grupo de respuestas
        correo electrónico
        dirección web
        fecha
        fecha y hora
    """,
    "it": """
        Questo campo è obbligatorio.
        Questa risposta non è valida.
        La regola di questo campo è troppo complessa per queste risposte. Abbrevi i testi o rimuova delle voci.
        Questa voce non esiste nell’elenco.
        Questa voce non corrisponde alle altre risposte.
        Il numero di elementi non corrisponde alle altre risposte.
        Il modulo non ha un campo con questo nome.
        Questa risposta non può essere accettata.
        Questa risposta ha troppi livelli.
        Questo numero ha più cifre di quante se ne possano salvare con esattezza. Inserisca al massimo {limit} cifre.
        Qui è richiesto {types}.
        Scelga una delle opzioni: {options}.
        Servono almeno {limit} caratteri.
        Sono ammessi al massimo {limit} caratteri.
        Il valore minimo è {limit}.
        Il valore massimo è {limit}.
        Servono almeno {limit} elementi.
        Sono ammessi al massimo {limit} elementi.
        Ogni elemento può comparire una sola volta.
        Una di queste opzioni non può essere combinata con altre.
        Questa risposta non è valida. Formato richiesto: {format}.
        La risposta deve corrispondere a questo schema: {pattern}
        o
        o altri {count}
        un testo
        un numero intero
        un numero
        sì o no
        un elenco
        un gruppo di risposte
        indirizzo e-mail
        indirizzo web
        data
        data e ora
    """,
    "nl": """
        Dit veld is verplicht.
        Dit antwoord is niet geldig.
        De regel van dit veld is te complex voor deze antwoorden. Kort teksten in of verwijder regels.
        Dit item staat niet in de lijst.
        Deze keuze past niet bij uw andere antwoorden.
        Het aantal items past niet bij uw andere antwoorden.
        Het formulier heeft geen veld met deze naam.
        Dit antwoord kan niet worden geaccepteerd.
        Dit antwoord heeft te veel niveaus.
        Dit getal heeft meer cijfers dan exact kunnen worden opgeslagen. Voer hoogstens {limit} cijfers in.
        Hier wordt {types} verwacht.
        Kies een van de opties: {options}.
        Er zijn minstens {limit} tekens nodig.
        Er zijn hoogstens {limit} tekens mogelijk.
        De waarde moet minstens {limit} zijn.
        De waarde mag hoogstens {limit} zijn.
        Er zijn minstens {limit} items nodig.
        Er zijn hoogstens {limit} items mogelijk.
        Elk item mag maar één keer voorkomen.
        Een van deze opties kan niet met andere worden gecombineerd.
        Dit antwoord is niet geldig. Verwacht: {format}.
        Het antwoord moet aan dit patroon voldoen: {pattern}
        of
        of nog {count} andere
        een tekst
        een geheel getal
        een getal
        ja of nee
        een lijst
        een groep antwoorden
        e-mailadres
        webadres
        datum
        datum met tijd
    """,
    "pl": """
        To pole jest wymagane.
        Ta odpowiedź jest nieprawidłowa.
        Reguła tego pola jest zbyt złożona dla tych odpowiedzi. Proszę skrócić teksty lub usunąć pozycje.
        Tej pozycji nie ma na liście.
        Ta pozycja nie pasuje do pozostałych odpowiedzi.
        Liczba pozycji nie pasuje do pozostałych odpowiedzi.
        Formularz nie ma pola o tej nazwie.
        Tej odpowiedzi nie można przyjąć.
        Ta odpowiedź ma zbyt wiele poziomów.
        Ta liczba ma więcej cyfr, niż można dokładnie zapisać. Proszę wpisać najwyżej {limit} cyfr.
        Oczekiwany rodzaj odpowiedzi: {types}.
        Proszę wybrać jedną z opcji: {options}.
        Najmniejsza liczba znaków: {limit}.
        Największa liczba znaków: {limit}.
        Najmniejsza dozwolona wartość: {limit}.
        Największa dozwolona wartość: {limit}.
        Najmniejsza liczba pozycji: {limit}.
        Największa liczba pozycji: {limit}.
        Każda pozycja może wystąpić tylko raz.
        Jednej z tych opcji nie można łączyć z innymi.
        Nieprawidłowy format. Oczekiwano: {format}.
        Odpowiedź musi pasować do wzorca: {pattern}
        lub
        lub innych: {count}
        tekst
        liczba całkowita
        liczba
        tak lub nie
        lista
        grupa odpowiedzi
        adres e-mail
        adres internetowy
        data
        data i godzina
    """,
    "pt": """
        Este campo é obrigatório.
        Esta resposta não é válida.
        A regra deste campo é demasiado complexa para estas respostas. Encurte textos ou remova entradas.
        Esta entrada não existe na lista.
        Esta entrada não corresponde às outras respostas.
        O número de entradas não corresponde às suas outras respostas.
        O formulário não tem nenhum campo com este nome.
        Esta resposta não pode ser aceite.
        Esta resposta tem demasiados níveis.
        Este número tem mais algarismos do que é possível guardar com exatidão. Introduza no máximo {limit} algarismos.
        Aqui espera-se {types}.
        Escolha uma das opções: {options}.
        São necessários pelo menos {limit} caracteres.
        São permitidos no máximo {limit} caracteres.
        O valor deve ser no mínimo {limit}.
        O valor deve ser no máximo {limit}.
        São necessários pelo menos {limit} itens.
        São permitidos no máximo {limit} itens.
        Cada item só pode aparecer uma vez.
        Uma destas opções não pode ser combinada com outras.
        Esta resposta não é válida. Formato esperado: {format}.
        A resposta deve corresponder a este padrão: {pattern}
        ou
        ou mais {count}
        um texto
        um número inteiro
        um número
        sim ou não
        uma lista
        um grupo de respostas
        endereço de e-mail
        endereço web
        data
        data e hora
    """,
}


def _parse_messages(text: str) -> Messages:
    said = dict(zip(_KEYS.split(), (line.strip() for line in text.strip().splitlines()), strict=True))
    return {**ENGLISH, **said, "or": f" {said['or']} ", "more": f" {said['more']}"}


MESSAGES: Mapping[str, Messages] = {language: _parse_messages(text) for language, text in _MESSAGES.items()}


def messages_for(tag: str) -> Messages:
    """Return the messages in a language. `de-AT` falls back to German, and an unknown language to English."""
    return MESSAGES.get(tag.partition("-")[0].lower(), MESSAGES["en"])
