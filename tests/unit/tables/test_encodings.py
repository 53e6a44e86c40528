"""Finding out how the letters of a file are encoded, or that it is not certain."""

import io
import random
from contextlib import suppress

import pytest

from formwright.core.tables.base import TableUnreadable
from formwright.core.tables.encodings import TextEncoding, detect_encoding

WORDS = {
    ("cp1252", "iso8859-15", "mac-roman", "cp850"): (
        "Müller Straße Köln Düsseldorf Größe Österreich Übersicht Nürnberg Fußball Jäger Löwe Bäcker Hütte schön Äpfel",
        "élève très Orléans Père Noël Nîmes Besançon Côte château forêt leçon été fenêtre Rhône Éric Amélie bâtiment",
    ),
    ("cp1252", "iso8859-15"): (
        "Niño España José Pérez Muñoz Málaga Córdoba León Cádiz Almería Jaén señal año próximo Ángel Íñigo jamón",
        "São João Açores Coração Évora Conceição Guimarães Bragança Setúbal três você irmã pão ações avô Brasília",
        "København Århus Ærø Sønderborg Nørre Fåborg Rødby Hjørring Skørping Bjørn Åse Kjær Søren gård æble",
        "Göteborg Malmö Växjö Åre Örebro Västerås Luleå Skövde Jönköping Björn Åsa Märta kött smör",
    ),
    ("cp1250", "iso8859-2"): (
        "Łódź Kraków Gdańsk Poznań Wrocław Częstochowa Toruń Rzeszów Białystok Świdnica Żory żółty Wałęsa źle Śląsk",
        "Příbram Plzeň Děčín Ústí Žižkov Jiří Černý Dvořák kůň žluťoučký Břeclav Kroměříž Šumperk Zlín Třebíč",
        "Győr Pécs Székesfehérvár Őrség Kőszeg fűtő gyűrű Béla László Nagykőrös Erdős Ágnes Sándor",
    ),
    ("cp1254",): ("İstanbul Eskişehir Muğla Ağrı Diyarbakır Şanlıurfa Çorum Gümüşhane Kırşehir Iğdır Ayşe Çağla",),
    ("cp1257",): ("Vilnius Šiauliai Panevėžys Klaipėda Žemaitija Šilutė Rokiškis Ąžuolas Mažeikiai Plungė Kėdainiai",),
    ("cp1251", "koi8-r"): ("Москва Петербург Казань Новосибирск Самара Омск Пермь Воронеж Краснодар Наталья город",),
    ("cp1253",): ("Αθήνα Θεσσαλονίκη Πάτρα Ηράκλειο Λάρισα Βόλος Γιάννης Μαρία Κώστας Ελένη Ιωάννινα Χανιά πόλη",),
    ("cp932", "euc_jp"): ("東京都 大阪府 京都 テスト こんにちは 山田太郎 佐藤さん 横浜市 データ 名前 営業所 場所です",),
    ("gb18030",): ("北京市 上海 广州 深圳 南京 武汉大学 名称 地址 测试数据 中华人民共和国 建筑工程 学校 医院 王小明",),
    ("big5",): ("臺北市 高雄 臺中 名稱 地址 測試資料 你好 學校 醫院 王小明 建築工程 我們的城市",),
}
CASES = [(encoding, words) for encodings, texts in WORDS.items() for encoding in encodings for words in texts]


def detect(content: bytes) -> TextEncoding:
    return detect_encoding(io.BytesIO(content), None)


@pytest.mark.parametrize(("encoding", "words"), CASES)
def test_a_file_with_some_words_is_read_as_it_was_written(encoding: str, words: str) -> None:
    text = "name;value\r\n" + "".join(f"{word};{number}\r\n" for number, word in enumerate(words.split()))
    content = text.encode(encoding)
    found = detect(content)
    assert content.decode(found.encoding) == text
    assert set(found.sample) <= set(words.split())
    assert found.sample


@pytest.mark.parametrize(("encoding", "words"), CASES)
def test_few_words_are_read_as_they_were_written_or_rejected(encoding: str, words: str) -> None:
    chosen, kinds = random.Random(7), words.split()
    for size in (4, 5, 6, 7) * 5:
        text = "name\n" + "\n".join(chosen.sample(kinds, size)) + "\n"
        content = text.encode(encoding)
        with suppress(TableUnreadable):
            assert content.decode(detect(content).encoding) == text


@pytest.mark.parametrize(
    ("text", "encoding"),
    [("5 €", "cp1252"), ("10 °C", "cp1252"), ("3 m²", "cp1252"), ("it’s “good” – ok", "cp1252"), ("Łódź", "iso8859-2")],
)
def test_a_single_cell_can_be_enough(text: str, encoding: str) -> None:
    content = f"name\n{text}\n".encode(encoding)
    assert content.decode(detect(content).encoding) == f"name\n{text}\n"


def test_the_error_shows_the_readings_and_says_what_to_do() -> None:
    with pytest.raises(TableUnreadable) as caught:
        detect("name\nplain\ntrès\n".encode("cp1252"))
    assert (caught.value.code, caught.value.line) == ("table.encoding", 3)
    assert all(text in caught.value.detail for text in ("très", "trčs", "UTF-8", "specify its encoding"))


def test_words_beyond_the_first_ones_must_be_decodable_too() -> None:
    content = b"name\n" + "Müller\nKöln\n".encode("cp1252") * 10 + b"a\x81b\n"
    with pytest.raises(TableUnreadable) as caught:
        detect(content)
    assert caught.value.code == "table.encoding"
