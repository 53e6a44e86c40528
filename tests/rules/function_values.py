"""Edge cases of the clock and of the functions that rules have in addition to those of CEL."""

import contextlib

from formwright.domain.forms.rules.functions import DIGESTS, OVERLOADS, digest
from rules.case_values import Row

CLOCK: list[Row] = [
    ("today()", {}, "2028-02-29"),
    ("now()", {}, "2028-02-29T00:30:00+14:00"),
    ("today( ) == now().substring(0, 10)", {}, True),
    ("start < today() && yearsBetween(start, today()) == 1", {}, True),
    ("timestamp(now()) > timestamp(moment)", {}, True),
    ("timestamp(now()).getDate()", {}, 28),
    ("today() == '2028-02-29' ? 'leap' : note", {"note": None}, "leap"),
    ("'today()' + ' now()' == note", {"note": "today() now()"}, True),
    ("{'Grüße': 'Hello', 'x': \"y'\"}[note] + '!'", {}, "Hello!"),
    ("{'Grüße': 'Hello'}[note]", {"note": "z"}, None),
    ("{'Grüße': 'Hello'}[note]", {"note": None}, None),
    ("items.exists(today, today.amount == 5) && today() > start", {}, True),
    ("[today(), now()].all(t, t.startsWith('2028'))", {}, True),
    ("today(1)", {}, "refused"),
    ("today", {}, "refused"),
    ("_today_ == ''", {}, "refused"),
    ("items.all(_now_, now() == 'x')", {}, "refused"),
    ("note.today()", {}, "refused"),
    ("today() > 5", {}, "refused"),
]

TRIGONOMETRY = ("sin", "cos", "tan", "asin", "acos", "atan", "exp", "log", "log10")


def _values_of_trigonometry() -> list[Row]:
    """Return expressions with the values that the server computes, which the page must reproduce bit by bit."""
    numbers = [0.0, 1e-9, 0.3, 0.75, 1.0, 1.5, 2.0, 3.141592653589793, 10.0, 123.456, 999_999.0]
    rows: list[Row] = []
    for name in TRIGONOMETRY:
        compute = next(one.call for one in OVERLOADS if one.name == name)
        for number in [*numbers, *(-number for number in numbers)]:
            with contextlib.suppress(ValueError):
                rows.append((f"{name}({number!r})", {}, compute(number)))
    return rows


TRACK = [
    {"latitude": 52.52, "longitude": 13.405, "accuracy": 4},
    {"latitude": 52.5206, "longitude": 13.4061},
    {"latitude": 52.5301, "longitude": 13.41},
]
PLOT = [{"latitude": a, "longitude": b} for a, b in ((47, 8), (47, 8.01), (47.01, 8.01), (47.01, 8))]
ACROSS = [{"latitude": a, "longitude": b} for a, b in ((-17, 179.99), (-17, -179.99), (-17.01, -179.99))]

# The same results as of GeographicLib (geodesics on WGS 84) within a millimetre, and a hundred-thousandth of the area:
# 1189.934, 2363.951 and 30631.57 for the track; 3744.397 and 845442.79 for the plot; 5636.456 and 1178471.37 across.
MEASURES: list[Row] = [
    ("distance(track)", {}, 1189.934004423866),
    ("perimeter(track)", {}, 2363.951447037116),
    ("area(track)", {}, 30631.56387068319),
    ("perimeter(plot)", {}, 3744.396829612214),
    ("area(plot)", {}, 845442.7911786637),
    ("perimeter(plot)", {"plot": ACROSS}, 5636.455957522334),
    ("area(plot)", {"plot": ACROSS}, 1178471.3019374032),
    ("area(plot) == area(plot.filter(p, true))", {}, True),
    ("distance([place, plot[0]]) > 5e6", {}, True),
    ("distance([place, place])", {}, 0.0),
    ("distance([place])", {}, 0.0),
    ("distance([{'latitude': 90, 'longitude': 5}, {'latitude': -90.0, 'longitude': 7.0}])", {}, 19162532.82180264),
    ("distance([{'latitude': 91, 'longitude': 5}])", {}, None),
    ("area([{'latitude': 1, 'longitude': -90}, {'latitude': 1, 'longitude': 90}, plot[0]])", {}, None),
    ("distance([{'latitude': 1.0}])", {}, None),
    ("distance(colours)", {}, None),
    ("distance(items)", {}, None),
    ("distance(place)", {}, "refused"),
    ("size(track) == 3 && track.all(p, p.latitude > 52.0)", {}, True),
    ("track[0].accuracy", {}, 4.0),
    ("track[1].accuracy", {}, None),
    ("answered.track", {"track": []}, False),
    ("size(track)", {"track": [{"latitude": 1}, "x"]}, None),
    ("size(track)", {"track": [{"latitude": 1}, {}]}, None),
]

NUMBER_FUNCTIONS: list[Row] = [
    *((f"round({value})", {}, result) for value, result in [("2.5", 3.0), ("-2.5", -3.0), ("2.4999", 2.0)]),
    *((f"round({value}, 2)", {}, result) for value, result in [("2.675", 2.68), ("1.005", 1.01), ("-0.005", -0.01)]),
    *((f"string(round({value}))", {}, result) for value, result in [("-0.4", "-0"), ("1e300", "1e+300")]),
    ("round(5e-324, 15)", {}, 0.0),
    ("round(1.7976931348623157e308, 3) > 1e308", {}, True),
    ("round(0.1 + 0.2, 15)", {}, 0.3),
    ("round(price, 16)", {}, None),
    ("round(price, -1)", {}, None),
    ("round(price, count - 6)", {}, 2.5),
    ("round(count)", {}, "refused"),
    ("int(round(price))", {}, 3),
    ("round(1.0 / 0.0) > 1.0", {}, True),
    *(
        (f"roundHalfUp({value})", {}, result)
        for value, result in [("2.5", 3.0), ("-2.5", -2.0), ("-2.51", -3.0), ("-2.675, 2", -2.67), ("2.675, 2", 2.68)]
    ),
    *((f"string(roundHalfUp({value}))", {}, result) for value, result in [("-0.4", "0"), ("-0.0, 2", "0")]),
    *((f"roundHalfUp(price, {digits})", {}, None) for digits in (-1, 16)),
    ("roundHalfUp(1.0 / 0.0) > 1.0", {}, True),
    *(
        (f"number('{text}')", {}, result)
        for text, result in [("7", 7.0), (" -7.50\\n", -7.5), ("5.", 5.0), (".5", 0.5), ("1,5", 1.5), ("007", 7.0)]
    ),
    *((f"number('{text}')", {}, None) for text in ("", "1e5", "+1", "--1", "1-", "1.2.3", "x", "0x1", "٣", "-", ".")),
    ("number('x') > 1.0 || number('x') <= 1.0 || number('x') == number('x')", {}, False),
    ("number('x') != 1.0 && number('9' + '9'.replace('9', '999999999999999999')) > 1e18", {}, True),
    ("int(number('x'))", {}, None),
    *(
        (f"digest('{text}', '{algorithm}', '{encoding}')", {}, digest(text, algorithm, encoding))
        for text in (" ", "abc", "Grüße 👍🏽", "x" * 200)
        for algorithm in DIGESTS
        for encoding in ("base64", "hex")
    ),
    ("digest('abc', 'SHA-256', 'hex').substring(0, 8)", {}, "ba7816bf"),
    ("digest('', 'MD5', 'hex')", {}, "d41d8cd98f00b204e9800998ecf8427e"),
    *((f"digest('a', {other})", {}, None) for other in ("'sha256', 'hex'", "'SHA-256', 'base32'", "'toString', 'hex'")),
    ("digest(note, 'SHA-1', 'hex')", {"note": None}, None),
    ("digest('a', 'MD5')", {}, "refused"),
    ("number(note)", {"note": None}, None),
    ("number(count)", {}, "refused"),
    *((f"floor({value})", {}, result) for value, result in [("2.9", 2.0), ("-2.1", -3.0), ("1e300", 1e300)]),
    *((f"string(ceil({value}))", {}, result) for value, result in [("2.1", "3"), ("-0.5", "-0")]),
    ("abs(-count) + abs(-3)", {}, 10),
    ("abs(-price)", {}, 2.5),
    ("abs(items[0].amount - 4) == 3", {}, True),
    ("abs(-9223372036854775807 - 1) > 0", {}, None),
    ("abs(note)", {}, "refused"),
    *((f"pow({value})", {}, result) for value, result in [("1.1, 7", 1.9487171000000012), ("2.0, -2", 0.25)]),
    ("pow(price, 0)", {}, 1.0),
    ("pow(0.0, -1)", {}, None),
    ("pow(1e300, 2) > 1.0", {}, True),
    ("pow(1.0, 1001)", {}, None),
    ("pow(2.0, 0.5)", {}, "refused"),
    ("sqrt(2.0)", {}, 1.4142135623730951),
    ("sqrt(-1.0)", {}, None),
    *_values_of_trigonometry(),
    *((f"{call}", {}, None) for call in ("asin(1.5)", "acos(-2.0)", "log(0.0)", "log(-1.0)", "exp(701.0)", "sin(1e7)")),
    *((f"{name}(number('x'))", {}, None) for name in TRIGONOMETRY),
    ("atan2(1.0, -1.0)", {}, 2.356194490192345),
    ("atan2(0.0, 0.0)", {}, 0.0),
    ("atan2(-1.0, 0.0)", {}, -1.5707963267948966),
    *((f"string(log10({value}))", {}, result) for value, result in [("1000.0", "3"), ("0.001", "-3"), ("1.0", "0")]),
    ("remainder(-7.5, 2.0)", {}, -1.5),
    ("remainder(730.5, 365.25)", {}, 0.0),
    ("remainder(1.0, 0.0)", {}, None),
    ("remainder(price, count)", {}, "refused"),
    ("sin(count)", {}, "refused"),
    ("sum([1, 2.5, count])", {}, 10.5),
    ("sum([0.1, 0.2, 0.3])", {}, 0.6000000000000001),
    ("sum([])", {}, 0.0),
    ("sum(items.map(i, i.amount))", {}, 6.0),
    ("sum(items.filter(i, has(i.new)).map(i, i.cost))", {}, 1.5),
    ("sum(items.map(i, i.title))", {}, None),
    ("sum(items.map(i, i.amount))", {"items": None}, None),
    ("sum(colours)", {}, None),
    ("sum([true])", {}, None),
    ("sum(count)", {}, "refused"),
    ("min([price, count, 1])", {}, 1.0),
    ("max([price, count, 1])", {}, 7.0),
    ("max([])", {}, None),
    ("max((answered.count ? [double(count)] : []) + (answered.price ? [price] : []))", {"count": None}, 2.5),
    ("max((answered.count ? [double(count)] : []) + [1.0])", {}, 7.0),
    ("min([-0.0, 0.0]) == max([0.0])", {}, True),
    ("size(items) > 1 && max(items.map(i, i.cost)) == 2.0", {}, True),
]

DATE_FUNCTIONS: list[Row] = [
    ("daysBetween('2026-02-28', '2026-03-01')", {}, 1),
    ("daysBetween('2028-03-01', '2028-02-28')", {}, -2),
    ("daysBetween('0001-01-01', '9999-12-31')", {}, 3652058),
    ("daysBetween(start, moment)", {}, 0),
    ("daysBetween(start, '2026-02-29')", {}, None),
    ("daysBetween(start, '2026-3-1')", {}, None),
    ("daysBetween(start, '0000-01-01')", {}, None),
    ("daysBetween(start, ' 2026-03-01')", {}, None),
    ("daysBetween(start, '2026-03-01\\n')", {}, None),
    ("daysBetween(start, note)", {"note": None}, None),
    ("daysBetween(start, count)", {}, "refused"),
    *(
        (f"monthsBetween('{start}', '{end}')", {}, months)
        for start, end, months in [
            ("2026-01-31", "2026-02-28", 0),
            ("2026-01-31", "2026-03-31", 2),
            ("2026-03-31", "2026-01-31", -2),
            ("2026-03-01", "2026-02-15", 0),
            ("2025-12-01", "2026-01-01", 1),
        ]
    ),
    *(
        (f"yearsBetween('{start}', '{end}')", {}, years)
        for start, end, years in [
            ("2008-02-29", "2026-02-28", 17),
            ("2008-02-29", "2026-03-01", 18),
            ("2026-03-01", "2008-02-29", -18),
            ("2026-03-01", "2026-02-01", 0),
            ("1926-03-29T23:59:59+02:00", "2026-03-29", 100),
        ]
    ),
    ("addDays(start, 3)", {}, "2026-04-01"),
    ("addDays(start, -count)", {}, "2026-03-22"),
    ("addDays('9999-12-31', 1)", {}, None),
    ("addDays(start, 9223372036854775807)", {}, None),
    ("addDays('0999-12-31', 1)", {}, "1000-01-01"),
    ("addMonths('2028-01-31', 1)", {}, "2028-02-29"),
    ("addMonths('2026-03-31', -1)", {}, "2026-02-28"),
    ("addMonths(start, -12 * 2026)", {}, None),
    ("addMonths(start, 12)", {}, "2027-03-29"),
    ("addMonths(start, 9999999)", {}, None),
]

TEXT_FUNCTIONS: list[Row] = [
    ("note.substring(2)", {}, "üße"),
    ("note.substring(1, 3) + note.substring(-5, 1)", {}, "rüG"),
    ("note.substring(1, 2)", {"note": "a👍🏽b"}, "👍"),
    ("note.substring(3, 1) == '' && note.substring(9223372036854775807) == ''", {}, True),
    ("note.replace('ü', 'ue')", {}, "Grueße"),
    ("note.replace('r', '$&')", {}, "G$&üße"),
    ("note.replace('', 'x')", {}, None),
    ("note.translate('rüG', 'eu')", {}, "euße"),
    ("note.translate('üuüß', 'ab')", {}, "Grae"),
    ("note.translate('👍🏽', 'x') + note.translate('', 'x')", {"note": "a👍🏽b"}, "axba👍🏽b"),
    ("note.translate('a')", {}, "refused"),
    ("note.indexOf('ß')", {}, 3),
    ("note.indexOf('b') * 10 + note.indexOf('')", {"note": "a👍🏽b👍"}, 30),
    ("note.indexOf('x')", {}, -1),
    ("note.indexOf('r') > 0 && note.substring(0, note.indexOf('?')) == ''", {}, True),
    ("note.indexOf(1)", {}, "refused"),
    ("note.upperAscii() + note.lowerAscii()", {}, "GRüßEgrüße"),
    ("note.normalizeSpace()", {"note": " \t a\n\r b\u00a0 "}, "a b\u00a0"),
    ("colours.join(', ')", {}, "red, blue"),
    ("note.words()", {"note": "  a b\t  c "}, ["a", "b\t", "c"]),
    ("note.words()[1]", {"note": "a b"}, "b"),
    ("note.words()[1]", {"note": "a "}, None),
    ("note.words()[-1]", {"note": "a "}, None),
    ("size(note.words()) + size('  '.words())", {}, 1),
    ("'b' in note.words()", {"note": "a b"}, True),
    ("colours == 'red blue'.words()", {}, True),
    ("items[1].words()", {}, "refused"),
    ("items.map(i, string(i.amount)).join('+')", {}, "1+5"),
    ("items.map(i, i.amount).join('+')", {}, None),
    ("note.join('x')", {}, "refused"),
    ("join(colours, ',')", {}, "refused"),
    ("note.round()", {}, "refused"),
]
