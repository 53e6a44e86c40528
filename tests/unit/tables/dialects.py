"""The same small table as different programs save it."""

import codecs

TABLE = [
    ["Nr", "Name", "Preis", "Notiz"],
    ["1", "Müller, Söhne", "1.234,50", "Größe 5"],
    ["2", 'Der "Hof"', "7", "zwei\nZeilen"],
    ["3", "a;b", "", "leer davor"],
]

_SEMICOLONS = (
    'Nr;Name;Preis;Notiz\r\n1;Müller, Söhne;1.234,50;Größe 5\r\n2;"Der ""Hof""";7;"zwei\nZeilen"\r\n'
    '3;"a;b";;leer davor\r\n'
)
_TABS = (
    'Nr\tName\tPreis\tNotiz\r\n1\t"Müller, Söhne"\t"1.234,50"\tGröße 5\r\n2\t"Der ""Hof"""\t7\t"zwei\nZeilen"\r\n'
    "3\ta;b\t\tleer davor\r\n"
)
_COMMAS = (
    'Nr,Name,Preis,Notiz\n1,"Müller, Söhne","1.234,50",Größe 5\n2,"Der ""Hof""",7,"zwei\nZeilen"\n3,a;b,,leer davor\n'
)
_QUOTED = (
    '"Nr";"Name";"Preis";"Notiz"\n1;"Müller, Söhne";"1.234,50";"Größe 5"\n2;"Der ""Hof""";7;"zwei\nZeilen"\n'
    '3;"a;b";;"leer davor"\n'
)
_PIPES = 'Nr|Name|Preis|Notiz\n1|Müller, Söhne|1.234,50|Größe 5\n2|"Der ""Hof"""|7|"zwei\nZeilen"\n3|a;b||leer davor\n'

PROGRAMS = {
    "Excel, German, CSV": _SEMICOLONS.encode("cp1252"),
    "Excel, German, CSV UTF-8": codecs.BOM_UTF8 + _SEMICOLONS.encode(),
    "Excel, Unicode text": codecs.BOM_UTF16_LE + _TABS.encode("utf-16-le"),
    "Excel, Unicode text, the other way round": codecs.BOM_UTF16_BE + _TABS.encode("utf-16-be"),
    "Excel, English, CSV": _COMMAS.replace("\n", "\r\n").replace("zwei\r\n", "zwei\n").encode("cp1252"),
    "Excel, with its first line": ("sep=;\r\n" + _SEMICOLONS).encode("cp1252"),
    "LibreOffice": _COMMAS.encode(),
    "LibreOffice, German, all texts quoted": _QUOTED.encode(),
    "Google Sheets": _COMMAS.replace("\n", "\r\n").replace("zwei\r\n", "zwei\n").removesuffix("\r\n").encode(),
    "Numbers, German": _SEMICOLONS.removesuffix("\r\n").encode(),
    "a Mac of old": _SEMICOLONS.replace("\r\n", "\r").encode("cp1252"),
    "a database, pipes": _PIPES.encode(),
}
