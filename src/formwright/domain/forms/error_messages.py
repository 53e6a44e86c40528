"""What is said of an answer that cannot be accepted, in the language of the form."""

from collections.abc import Mapping

from formwright.core.json_schema_errors import ENGLISH, Messages

_KEYS = (
    "required rule costly lookup filtered additionalProperties invalid too_deep "
    "type enum minLength maxLength minimum maximum "
    "minItems maxItems uniqueItems format pattern or more "
    "type.string type.integer type.number type.boolean type.array type.object "
    "format.email format.uri format.date format.date-time"
)
"""What each line below says, in this order."""

_MESSAGES = {
    "en": """
        This is required.
        This is not valid.
        The rule for this field needs too much work with these answers. Shorten them or remove some rows.
        There is no such row to look up.
        This entry does not go with the other answers.
        The form has no such field.
        This cannot be accepted here.
        This is nested too deeply.
        This must be {types}.
        This must be one of {options}.
        This must have at least {limit} characters.
        This may have at most {limit} characters.
        This must be at least {limit}.
        This must be at most {limit}.
        This needs at least {limit} entries.
        This may have at most {limit} entries.
        Nothing may stand here twice.
        This is no valid {format}.
        This must match {pattern}.
        or
        or {count} more
        text
        a whole number
        a number
        yes or no
        a list
        a group of answers
        e-mail address
        web address
        date
        date and time
    """,
    "de": """
        Bitte ausfüllen.
        Das ist nicht gültig.
        Die Regel dieses Feldes ist für diese Antworten zu aufwendig. Bitte Texte kürzen oder Zeilen entfernen.
        Diesen Eintrag gibt es in der Liste nicht.
        Dieser Eintrag passt nicht zu den anderen Antworten.
        Das Formular hat kein solches Feld.
        Das kann hier nicht angenommen werden.
        Das ist zu tief verschachtelt.
        Hier wird {types} erwartet.
        Bitte eines davon wählen: {options}.
        Hier sind mindestens {limit} Zeichen nötig.
        Hier sind höchstens {limit} Zeichen möglich.
        Der Wert muss mindestens {limit} sein.
        Der Wert darf höchstens {limit} sein.
        Hier sind mindestens {limit} Einträge nötig.
        Hier sind höchstens {limit} Einträge möglich.
        Nichts darf hier doppelt stehen.
        Das ist nicht gültig als {format}.
        Das muss diesem Muster entsprechen: {pattern}
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
        Veuillez remplir ce champ.
        Cette réponse n’est pas valide.
        La règle de ce champ demande trop de calculs avec ces réponses. Raccourcissez-les ou supprimez des lignes.
        Cette entrée n’existe pas dans la liste.
        Cette entrée ne va pas avec les autres réponses.
        Le formulaire n’a pas de champ de ce nom.
        Cette réponse ne peut pas être acceptée ici.
        Cette réponse a trop de niveaux.
        La réponse attendue ici est {types}.
        Veuillez choisir parmi : {options}.
        Il faut au moins {limit} caractères.
        Il faut au plus {limit} caractères.
        La valeur doit être d’au moins {limit}.
        La valeur doit être d’au plus {limit}.
        Il faut au moins {limit} éléments.
        Il faut au plus {limit} éléments.
        Rien ne peut figurer ici deux fois.
        Cette réponse n’est pas valide comme {format}.
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
        Complete este campo.
        Esta respuesta no es válida.
        La regla de este campo exige demasiados cálculos con estas respuestas. Acórtelas o elimine filas.
        Esta entrada no existe en la lista.
        Esta entrada no corresponde a las otras respuestas.
        El formulario no tiene ningún campo con ese nombre.
        Esta respuesta no se puede aceptar aquí.
        Esta respuesta tiene demasiados niveles.
        Aquí se espera {types}.
        Elija entre: {options}.
        Se necesitan al menos {limit} caracteres.
        Se admiten como máximo {limit} caracteres.
        El valor debe ser como mínimo {limit}.
        El valor debe ser como máximo {limit}.
        Se necesitan al menos {limit} elementos.
        Se admiten como máximo {limit} elementos.
        Nada puede aparecer aquí dos veces.
        Esta respuesta no es válida como {format}.
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
        Compilare questo campo.
        Questa risposta non è valida.
        La regola di questo campo richiede troppi calcoli con queste risposte. Abbreviarle o rimuovere delle righe.
        Questa voce non esiste nell’elenco.
        Questa voce non corrisponde alle altre risposte.
        Il modulo non ha un campo con questo nome.
        Questa risposta non può essere accettata qui.
        Questa risposta ha troppi livelli.
        Qui è richiesto {types}.
        Scegliere tra: {options}.
        Servono almeno {limit} caratteri.
        Sono ammessi al massimo {limit} caratteri.
        Il valore minimo è {limit}.
        Il valore massimo è {limit}.
        Servono almeno {limit} elementi.
        Sono ammessi al massimo {limit} elementi.
        Nulla può comparire qui due volte.
        Questa risposta non è valida come {format}.
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
        Vul dit veld in.
        Dit antwoord is niet geldig.
        De regel van dit veld vraagt te veel rekenwerk met deze antwoorden. Maak ze korter of verwijder rijen.
        Dit item staat niet in de lijst.
        Dit item past niet bij de andere antwoorden.
        Het formulier heeft geen veld met deze naam.
        Dit antwoord kan hier niet worden aangenomen.
        Dit antwoord heeft te veel niveaus.
        Hier wordt {types} verwacht.
        Kies uit: {options}.
        Er zijn minstens {limit} tekens nodig.
        Er zijn hoogstens {limit} tekens mogelijk.
        De waarde moet minstens {limit} zijn.
        De waarde mag hoogstens {limit} zijn.
        Er zijn minstens {limit} items nodig.
        Er zijn hoogstens {limit} items mogelijk.
        Niets mag hier twee keer staan.
        Dit antwoord is niet geldig als {format}.
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
        Proszę wypełnić to pole.
        Ta odpowiedź jest nieprawidłowa.
        Reguła tego pola wymaga przy tych odpowiedziach zbyt wielu obliczeń. Proszę je skrócić lub usunąć wiersze.
        Tej pozycji nie ma na liście.
        Ta pozycja nie pasuje do pozostałych odpowiedzi.
        Formularz nie ma pola o tej nazwie.
        Tej odpowiedzi nie można tu przyjąć.
        Ta odpowiedź ma zbyt wiele poziomów.
        Oczekiwany rodzaj odpowiedzi: {types}.
        Proszę wybrać spośród: {options}.
        Najmniejsza liczba znaków: {limit}.
        Największa liczba znaków: {limit}.
        Najmniejsza dozwolona wartość: {limit}.
        Największa dozwolona wartość: {limit}.
        Najmniejsza liczba pozycji: {limit}.
        Największa liczba pozycji: {limit}.
        Nic nie może się tu powtarzać.
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
        Preencha este campo.
        Esta resposta não é válida.
        A regra deste campo exige demasiados cálculos com estas respostas. Encurte-as ou remova linhas.
        Esta entrada não existe na lista.
        Esta entrada não corresponde às outras respostas.
        O formulário não tem nenhum campo com este nome.
        Esta resposta não pode ser aceite aqui.
        Esta resposta tem demasiados níveis.
        Aqui espera-se {types}.
        Escolha entre: {options}.
        São necessários pelo menos {limit} caracteres.
        São permitidos no máximo {limit} caracteres.
        O valor deve ser no mínimo {limit}.
        O valor deve ser no máximo {limit}.
        São necessários pelo menos {limit} itens.
        São permitidos no máximo {limit} itens.
        Nada pode aparecer aqui duas vezes.
        Esta resposta não é válida como {format}.
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
    """The sentences of a language; `de-AT` is answered in German, and what is not spoken here in English."""
    return MESSAGES.get(tag.partition("-")[0].lower(), MESSAGES["en"])
