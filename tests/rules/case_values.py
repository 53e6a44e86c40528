"""Edge cases of rules with numbers, texts, patterns and times."""

from typing import Any

Row = tuple[str, dict[str, Any], Any]

NUMBERS: list[Row] = [
    ("count / 2", {}, 3),
    ("-count / 2", {}, -3),
    ("count % 3", {}, 1),
    ("-count % 3", {}, -1),
    ("count % -3", {}, 1),
    ("count / 0", {}, None),
    ("count % 0", {}, None),
    ("price / 0.0", {}, None),
    ("price / 0.0 > 1000.0", {}, True),
    ("0.0 / 0.0 == 0.0 / 0.0", {}, False),
    ("price / 2.0", {}, 1.25),
    ("price == 2.0", {"price": 2}, True),
    ("double(count) / 2.0", {}, 3.5),
    ("int(price) + count", {}, 9),
    ("int(-2.9)", {}, -2),
    ("0.1 + 0.2 == 0.3", {}, False),
    ("0.1 + 0.2", {}, 0.1 + 0.2),
    ("1.1 * 1.1", {}, 1.1 * 1.1),
    ("9223372036854775807 + 1", {}, None),
    ("-9223372036854775808 - 1", {}, None),
    ("9223372036854775807 * 2 > 0 || agreed", {}, True),
    ("9223372036854775807 > 9223372036854775806", {}, True),
    ("9007199254740992 + count - count", {}, 2**53),
    ("9007199254740992 + 1", {}, None),
    ("9007199254740993 == 9007199254740992", {}, False),
    ("count == 9007199254740992", {"count": 2**53}, True),
    ("count > 0", {"count": 10**30}, None),
    ("int(1e19)", {}, None),
    ("1e3 == 1000.0", {}, True),
    ("0x1F + 1", {}, 32),
    ("007 == 7", {}, True),
    ("--count", {}, 7),
    ("1 + 2 * 3 - 4 / 2 % 3", {}, 5),
    ("count in [1, 7]", {}, True),
    ("5 in items.map(i, i.amount)", {}, True),
    ("1 in [1.0, 2.0] || agreed", {}, "refused"),
    ("count > 2.5", {}, "refused"),
    ("count + price", {}, "refused"),
    ("1u == 1u", {}, "refused"),
    ("price > .5", {}, "refused"),
    ("price > 1e400", {}, "refused"),
]

TEXTS: list[Row] = [
    ("size(note)", {}, 5),
    ("note.size()", {"note": "👍🏽"}, 2),
    ("note.size()", {"note": "👨‍👩‍👧"}, 5),
    ("note.size()", {"note": "e\u0301"}, 2),
    ("note == 'é'", {"note": "e\u0301"}, False),
    ("note == '\\u00e9'", {"note": "é"}, True),
    ("note == '\\U0001F600'", {"note": "😀"}, True),
    ("note.startsWith('Gr') && note.endsWith('ße') && note.contains('ü')", {}, True),
    ("note.contains('')", {}, True),
    ("note.contains('GR')", {}, False),
    ("'B' < 'a' && 'a' < 'ä' && 'z' < 'ä'", {}, True),
    ("'10' < '9'", {}, True),
    ("note + '!' == 'Grüße!'", {}, True),
    ("'it\\'s' == \"it's\"", {}, True),
    ("r'a\\n' == 'a\\\\n'", {}, True),
    ('"""a "quoted" text""" == \'a "quoted" text\'', {}, True),
    ("note == 'count' // a comment with a ' in it", {"note": "count"}, True),
    ("note == '7'", {"note": "7"}, True),
    ("note == 7", {}, "refused"),
    ("b'a' == b'a'", {}, "refused"),
    ("note.upperCase() == 'x'", {}, "refused"),
    ("note.lastIndexOf('x') == 1", {}, "refused"),
]

PATTERNS: list[Row] = [
    ("note.matches('ü')", {}, True),
    ("note.matches('^ü')", {}, False),
    ("note.matches('^.{5}$')", {}, True),
    ("note.matches('^.$')", {"note": "👍"}, True),
    ("note.matches('^a.b$')", {"note": "a\nb"}, False),
    ("note.matches('^a.b$')", {"note": "a\rb"}, True),
    ("note.matches('^a.b$')", {"note": "a\u2028b"}, True),
    ("note.matches('b$')", {"note": "ab\n"}, False),
    ("note.matches(r'^\\s$')", {"note": "\u00a0"}, False),
    ("note.matches(r'^[\\s]$')", {"note": "\t"}, True),
    ("note.matches(r'^\\S+$')", {"note": "a\u00a0b"}, True),
    ("note.matches(r'^\\w$')", {"note": "é"}, False),
    ("note.matches(r'^\\d$')", {"note": "٣"}, False),
    ("note.matches(r'^\\p{L}+$')", {}, True),
    ("note.matches(r'^[\\p{Lu}\\-]$')", {"note": "-"}, True),
    ("note.matches(r'^a\\_b\\@c\\-d\\/$')", {"note": "a_b@c-d/"}, True),
    ("note.matches('^[^a-z]$')", {"note": "\n"}, True),
    ("note.matches('^(red|green)(,(red|green))*$')", {"note": "red,green"}, True),
    ("note.matches('')", {}, True),
    ("note.matches('(?i)GR')", {}, "refused"),
    ("note.matches('a(?=b)')", {}, "refused"),
    ("note.matches(r'(a)\\1')", {}, "refused"),
    ("note.matches('[[:alpha:]]')", {}, "refused"),
    ("note.matches(r'\\Aa\\z')", {}, "refused"),
    ("note.matches(r'\\pL')", {}, "refused"),
    ("note.matches('(a')", {}, "refused"),
    ("note.matches('^(a+)+$')", {"note": "a" * 60 + "b"}, False),
    ("note.matches('^[a-z]{2}\\\\d$')", {"note": "ab1"}, True),
    ('note.matches("^\\\\u00fc\\\\x41$")', {"note": "üA"}, "refused"),
    ('note.matches("^\\u00fc\\x41\\101$")', {"note": "üAA"}, True),
    ("note.contains('ü') && !note . matches ( '^x' )", {}, True),
    ("note.matches(note)", {}, "refused"),
    ("note.matches('[')", {}, "refused"),
]

TIMES: list[Row] = [
    ("start < '2026-04-01'", {}, True),
    ("start < '2026-3-30'", {}, True),
    ("timestamp(start + 'T00:00:00Z') < timestamp('2026-03-29T00:00:01Z')", {}, True),
    ("timestamp(start) < timestamp('2027-01-01T00:00:00Z')", {}, None),
    ("timestamp(moment) == timestamp('2026-03-29T12:30:00Z')", {}, True),
    ("moment == '2026-03-29T12:30:00Z'", {}, False),
    ("timestamp(note) > timestamp(moment)", {}, None),
    ("timestamp(moment) > timestamp(moment) - duration('1s')", {"moment": "2026-02-30T00:00:00Z"}, None),
    ("timestamp(moment).getHours()", {"moment": "2026-03-29T24:00:00Z"}, None),
    ("timestamp(moment).getDayOfWeek()", {"moment": "2026-03-29 14:30:00Z"}, None),
    ("string(timestamp(moment))", {"moment": "2026-03-29T23:59:60Z"}, "2026-03-30T00:00:00Z"),
    ("string(timestamp(moment))", {"moment": "2026-03-29t14:30:00.5z"}, "2026-03-29T14:30:00.500Z"),
    ("string(timestamp(moment))", {"moment": "0001-01-01T00:00:00Z"}, "0001-01-01T00:00:00Z"),
    ("string(timestamp(moment))", {"moment": "0001-01-01T00:00:00+01:00"}, None),
    ("int(timestamp('1970-01-01T00:01:00Z'))", {}, 60),
    ("timestamp(count) == timestamp('1970-01-01T00:00:07Z')", {}, True),
    ("timestamp(moment).getFullYear() + timestamp(moment).getMonth()", {}, 2028),
    ("timestamp(moment).getDate() - timestamp(moment).getDayOfMonth()", {}, 1),
    ("timestamp(moment).getDayOfWeek()", {}, 0),
    ("timestamp(moment).getHours() * 60 + timestamp(moment).getMinutes()", {}, 750),
    ("timestamp('2026-03-29T14:30:07.5Z').getSeconds()", {}, 7),
    ("timestamp(moment) + duration('1h30m') == timestamp('2026-03-29T14:00:00Z')", {}, True),
    ("timestamp(moment) - timestamp('2026-03-28T12:30:00Z') == duration('24h')", {}, True),
    ("(timestamp('2026-03-28T12:30:00Z') - timestamp(moment)).getHours()", {}, -24),
    ("duration('-90s').getMinutes()", {}, -1),
    ("duration('1h') - duration('2h') < duration('0s')", {}, True),
    ("string(duration('1h') + duration('1s'))", {}, "3601s"),
    ("timestamp(moment).getHours('Europe/Berlin') > 1", {}, "refused"),
    ("timestamp(moment).getDayOfYear() > 1", {}, "refused"),
    ("duration(note) > duration('1h')", {}, "refused"),
    ("duration('1.5s') > duration('1s')", {}, "refused"),
    ("duration('1d') > duration('1h')", {}, "refused"),
]

CONVERSIONS: list[Row] = [
    *((f"string({number})", {}, text) for number, text in [("1.0", "1"), ("2.5", "2.5"), ("100000.0", "100000")]),
    *((f"string({number})", {}, text) for number, text in [("1000000.0", "1e+06"), ("1234567.5", "1.2345675e+06")]),
    *(
        (f"string({number})", {}, text)
        for number, text in [("0.0001", "0.0001"), ("0.00001", "1e-05"), ("1e21", "1e+21")]
    ),
    *((f"string({number})", {}, text) for number, text in [("-0.0", "-0"), ("0.1 + 0.2", "0.30000000000000004")]),
    ("string(count) + string(agreed) + string(note)", {}, "7trueGrüße"),
    *(("int(note)", {"note": text}, value) for text, value in [("12", 12), ("-12", -12), ("+12", 12), ("012", 12)]),
    *(
        ("int(note)", {"note": text}, value)
        for text, value in [(" 1\n", 1), ("1.5", None), ("x", None), ("0x1F", None)]
    ),
    *(
        ("int(note)", {"note": text}, None)
        for text in ["0b1", "1_000", "1e3", "٣", "9223372036854775808", "- 1", "\u00a01"]
    ),
    *(
        ("double(note)", {"note": text}, value)
        for text, value in [("1.5", 1.5), ("1e3", 1000.0), (".5", 0.5), ("1.", 1.0)]
    ),
    *(
        ("double(note)", {"note": text}, None)
        for text in ["x", "1,5", "0b1", "1e", "--5", "1_0", "٣", "inf", "NaN", "1e400"]
    ),
    ("double(note) > 1.0", {"note": " Infinity "}, True),
    *(
        ("bool(note)", {"note": text}, value)
        for text, value in [("true", True), ("False", False), ("1", True), ("no", None)]
    ),
    ("int(items[1].amount) + int(items[1].cost)", {}, 6),
    ("string(items[1].cost)", {}, "1.5"),
    ("type(count) == int", {}, "refused"),
    ("dyn(count) == 7.0", {}, "refused"),
    ("uint(count) == uint(7)", {}, "refused"),
]
