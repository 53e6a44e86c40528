"""Translated rules keep their meaning, even if answers are missing."""

import contextlib
from collections.abc import Callable, Mapping
from typing import Any

import pytest
from hypothesis import HealthCheck, given, reject, settings
from hypothesis import strategies as st

from formwright.domain.forms.fields import ChoiceField, TextField
from formwright.domain.forms.fields.choices import ChoicesField
from formwright.domain.forms.fields.numbers import DecimalField, IntegerField
from formwright.domain.forms.fields.options import Option
from formwright.domain.forms.rules.compiler import cel_types, compile_rule
from formwright.domain.forms.rules.costs import Budget
from formwright.domain.forms.xlsform import xpath_to_cel
from formwright.domain.forms.xlsform.calculations import translate_boolean
from formwright.domain.forms.xlsform.cel_to_xpath import XPathTranslator
from formwright.domain.forms.xlsform.cel_tree import parse_cel
from formwright.domain.forms.xlsform.function_calls import RowNode, RowScope
from formwright.domain.forms.xlsform.syntax_tree import Untranslatable
from formwright.domain.forms.xlsform.types import VALUE_KINDS
from formwright.domain.forms.xlsform.xpath_parser import parse_xpath

OPTIONS = [Option("a", "A"), Option("b", "B"), Option("1", "One")]
FIELDS = [
    IntegerField(name="n", label="N"),
    IntegerField(name="k", label="K"),
    DecimalField(name="d", label="D"),
    TextField(name="t", label="T"),
    ChoiceField(name="c", label="C", options=OPTIONS),
    ChoicesField(name="m", label="M", options=OPTIONS),
]
TYPES = cel_types(FIELDS)
KINDS = {field.name: VALUE_KINDS[type(field).__struct_config__.tag] for field in FIELDS} | {
    "day": "date",
    "until": "date",
    "moment": "datetime",
    "yes": "bool",
    "rows": "rows",
}
ANSWERS = st.fixed_dictionaries(
    {},
    optional={
        "n": st.integers(-2, 2),
        "k": st.integers(-2, 2),
        "d": st.sampled_from([-1.0, 0.0, 0.5, 1.0]),
        "t": st.sampled_from(["a", "b", "1", "x y"]),
        "c": st.sampled_from(["a", "b", "1"]),
        "m": st.lists(st.sampled_from(["a", "b", "1"]), unique=True, min_size=1),
    },
)
Said = tuple[str, Callable[[Mapping[str, Any]], bool]]
"""An XPath expression, and its value according to XPath 1.0: a missing answer is an empty text."""
NAN = float("nan")


ROWS = RowScope(
    {"price": ("rows", "double"), "title": ("rows", "text"), "place": ("rows", "place")},
    nodes={"price": RowNode(("rows",), "double"), "n": RowNode((), "int")},
)


def to_cel(text: str, known: frozenset[str] = frozenset()) -> str:
    return xpath_to_cel.translate_condition(parse_xpath(text, lambda name: name, "t"), KINDS, known, rows=ROWS).text


def to_xpath(text: str, me: str | None = None) -> str:
    return XPathTranslator(KINDS, me, {}).condition(parse_cel(text), frozenset({me} if me else ())).text


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("${n} = 5", "n == 5"),
        ("${d} > 5", "d > 5.0"),
        ("${n} = 1.5", "double(n) == 1.5"),
        ("${n} div 2 > ${d}", "double(n) / 2.0 > d"),
        ("${n} mod 2 = 0", "n % 2 == 0"),
        ("(${n} + 1) * 2 = -4", "(n + 1) * 2 == -4"),
        ("${c} = 1", "c == '1'"),
        ("${n} = '5'", "n == 5"),
        ("selected(${m}, 'a') or selected(${c}, 'b')", "'a' in m || c == 'b'"),
        ("not(selected(${m}, 'a'))", "!(answered.m && 'a' in m)"),
        ("${t} = ''", "!answered.t"),
        ("'' != ${t}", "answered.t"),
        ("${t} != 'x'", "!answered.t || t != 'x'"),
        ("${t} != '' and ${t} != 'x'", "answered.t && t != 'x'"),
        ("string-length(${t}) > 3", "(answered.t ? size(t) : 0) > 3"),
        ("count-selected(${m}) >= 2", "(answered.m ? size(m) : 0) >= 2"),
        ("regex(${t}, '[a-z]+')", "t.matches('^(?:[a-z]+)$')"),
        ("${yes} = 'true' and not(${yes} = 'OK')", "yes && !(answered.yes && yes)"),
        ("${day} <= ${until}", "day <= until"),
        ("${day} >= date('2020-02-29')", "day >= '2020-02-29'"),
        ("if(${n} > 1, 'a', 'b') = 'a'", "(answered.n && n > 1 ? 'a' : 'b') == 'a'"),
        ("true() or false()", "true || false"),
        ("${t} = “it”", "t == 'it'"),
        ("coalesce(${t}, 'none') = 'none'", "(answered.t ? t : 'none') == 'none'"),
        ("${day} < today()", "day < today()"),
        ("${day} <= now() and ${day} > now()", "day <= today() && day > today()"),
        ("${moment} > today() and today() > ${moment}",
         "moment.substring(0, 10) > today() && today() > moment.substring(0, 10)"),
        ("${moment} < now()", "moment.substring(0, 10) < today()"),
        ("int((today() - ${day}) div 365.25) >= 18", "int(double(daysBetween(day, today())) / 365.25) >= 18"),
        ("decimal-date-time(today()) - decimal-date-time(${day}) > 7", "daysBetween(day, today()) > 7"),
        ("(now() - ${moment}) > 0.5", "double(daysBetween(moment, now())) > 0.5"),
        ("decimal-date-time(now()) - decimal-date-time(${moment}) > 0.5",
         "(double(int(timestamp(now())) - int(timestamp(moment))) / 86400.0) > 0.5"),
        ("${day} >= today() - 30 and ${day} + ${n} < ${until}",
         "day >= addDays(today(), -30) && addDays(day, n) < until"),
        ("${day} > today() - 365.25 * 2",
         "double(daysBetween('1970-01-01', day)) > double(daysBetween('1970-01-01', today())) - 365.25 * 2.0"),
        ("7 + ${day} = ${moment} + 1", "addDays(day, 7) == addDays(moment, 1)"),
        ("decimal-date-time(${day}) > 5", "daysBetween('1970-01-01', day) > 5"),
        ("date(${n}) = ${day}",
         "answered.n == answered.day && (!answered.n || addDays('1970-01-01', n) == day)"),
        ("${n} = ${k}", "answered.n == answered.k && (!answered.n || n == k)"),
        ("${n} + ${t} = 1", "double(n) + number((answered.t ? t : '')) == 1.0"),
        ("not(${t} > 5)", "!(number((answered.t ? t : '')) > 5.0)"),
        ("round(${t}) = 1", "roundHalfUp(number((answered.t ? t : ''))) == 1.0"),
        ("selected(${t}, 'a')", "'a' in t.words()"),
        ("selected(${m}, ${c})", "answered.m && answered.c && c in m || !answered.m && !answered.c"),
        ("selected-at(${m}, ${n} - 1) = 'a'", "m[(answered.n ? n - 1 : 0)] == 'a'"),
        ("count-selected(${t}) + count-selected(${c}) > 2",
         "(answered.t ? size(t.words()) : 0) + (answered.c ? 1 : 0) > 2"),
        ("${m} = 'a b' or ${m} = ${c} or ${m} != 1",
         ("m == ['a', 'b'] || answered.m == answered.c && (!answered.m || m == [c])"
          " || number((answered.m ? m.join(' ') : '')) != 1.0")),
        ("regex(${t}, '[\\w-.]+')", "t.matches('^(?:[\\\\w\\\\-.]+)$')"),
        ("${c} = other or ${t} = 'a'", "!answered.c || t == 'a'"),
        ("concat(${m}, ${n} * 2) = 'a'",
         "(answered.m ? m.join(' ') : '') + (answered.n ? string(n * 2) : 'NaN') == 'a'"),
        ("concat(if(${n} > 1, ${n}, ''), coalesce(${k}, '')) = '2'",
         "(answered.n && n > 1 ? string(n) : '') + (answered.k ? string(k) : '') == '2'"),
        ("${until} > date(${day} + 7)", "until > addDays(day, 7)"),
        ("date(${moment} ) = ${day}",
         "answered.moment == answered.day && (!answered.moment || moment.substring(0, 10) == day)"),
        ("format-date(today(), '%Y/%m') = '2026/01'",
         "(today().substring(0, 4) + '/' + today().substring(5, 7)) == '2026/01'"),
        ("round(${d}, 2) > abs(${n})", "roundHalfUp(d, 2) > double(abs(n))"),
        ("pow(${n}, 2) = 4 and min(${n}, ${d}) < 0", ("pow(double(n), 2) == 4.0"
         " && min((answered.n ? [double(n)] : []) + (answered.d ? [d] : [])) < 0.0")),
        ("sum(${price}) > 10", "(answered.rows ? sum(rows.filter(r, has(r.price)).map(r, r.price)) : 0.0) > 10.0"),
        ("max(${price}) > 10", "max(rows.filter(r, has(r.price)).map(r, r.price)) > 10.0"),
        ("count(${price}) > 1", "(answered.rows ? size(rows) : 0) > 1"),
        ("count-non-empty(${price}) > 1", "(answered.rows ? size(rows.filter(r, has(r.price))) : 0) > 1"),
        ("count(${n}) + count-non-empty(${n}) > 1", "1 + (answered.n ? 1 : 0) > 1"),
        ("join(', ', ${title}) = 'a'",
         "(answered.rows ? rows.map(r, has(r.title) ? r.title : '').join(', ') : '') == 'a'"),
        ("substr(${t}, 0, 2) = 'ab'", "(answered.t ? t : '').substring(0, 2) == 'ab'"),
        ("string-length(concat(${t}, 'x')) > 2", "size((answered.t ? t : '') + 'x') > 2"),
        ("normalize-space(${t}) = 'a'", "(answered.t ? t : '').normalizeSpace() == 'a'"),
        ("translate(${t}, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', 'abcdefghijklmnopqrstuvwxyz') = 'a'",
         "(answered.t ? t : '').lowerAscii() == 'a'"),
        ("translate(${t}, '-/', '_') = 'a'", "(answered.t ? t : '').translate('-/', '_') == 'a'"),
        ("selected-at(${m}, 0) = 'a'", "m[0] == 'a'"),
        ("regex(${n}, '[0-9]{4}')", "string(n).matches('^(?:[0-9]{4})$')"),
        ("if(${t} = 'x', 5, '') > 3", "[5][answered.t && t == 'x' ? 0 : 1] > 3"),
        ("if(${t} = 'x', '', ${n}) > 3", "[n][!(answered.t && t == 'x') ? 0 : 1] > 3"),
        ("concat(${t}, '-', ${n}) = 'a-1'", "(answered.t ? t : '') + '-' + (answered.n ? string(n) : '') == 'a-1'"),
    ],
)  # fmt: skip
def test_translation_to_cel(text: str, rule: str) -> None:
    assert to_cel(text) == rule


def test_the_constrained_answer_exists() -> None:
    known = frozenset({"t"})
    assert to_cel("string-length(.) < 5 and . != 'x'", known) == "size(t) < 5 && t != 'x'"
    assert to_xpath("size(t) < 5 && t != 'x'", "t") == "string-length(.) < 5 and . != 'x'"


@pytest.mark.parametrize(
    "text",
    [
        "uuid() = ${t}",
        "sum(${title}) > 1",
        "min(${place}) > 1",
        "sum(${n}) > 1",
        "pow(${n}, 0.5) = 1",
        "format-date(${day}, '%B') = 'January'",
        "today(1) = ${day}",
        "round(${d}, ${n}) = 20",
        "selected(${m}, 'a b')",
        "selected(${m}, ${t})",
        "regex(${t}, '[a-z&&[^b]]')",
        "count(${nowhere}) > 1",
        "regex(${t}, ${t})",
        "not(contains(${t}))",
        "if(boolean(), 1, 2) = 1",
        "once(${t})",
        "${gone} = 1",
        "${last-saved#t} = 'a'",
        "${t} > 'a'",
        "regex(${t}, '(?=a)b')",
        "instance('x')/root/item[name = ${c}]/label = 'x'",
        "${t} = 'open",
        "${n} >",
        "((((${n} > 1)",
        "1e5 > ${n}",
        "(" * 100 + "1" + ")" * 100,
        "99999999999999999999 > ${n}",
        "a" * 5_000,
        "digest(${t}, 'SHA-3') = 'a'",
        "digest(${t}, 'MD5', 'base32') = 'a'",
        "digest(${t}, ${c}) = 'a'",
        "",
    ],
)
def test_xpath_without_an_equivalent_in_cel_is_left_out(text: str) -> None:
    def known(name: str) -> str:
        if name not in KINDS:
            raise Untranslatable(name)
        return name

    with pytest.raises(Untranslatable):
        xpath_to_cel.translate_condition(parse_xpath(text, known, "t"), KINDS)


@pytest.mark.parametrize(
    "rule",
    [
        "rows.all(row, row.x > 1)",
        "moment > '2020'",
        "m[d] == 'a'",
        "(rows.filter(r, has(r.title)).map(r, r.title).join(',')) == 'a'",
        "place.latitude > 1.0",
        "gone == 1",
        "t == null",
        "size(rows.filter(r, has(s.title))) > 1",
        """t == "it's \\"odd\\"\"""",
        "t < 'b'",
        "has(t)",
        "digest(t, '{', 'hex') == 'a'",
        "digest(t, 'MD5', t) == 'a'",
    ],
)
def test_cel_without_an_equivalent_in_xpath_is_left_out(rule: str) -> None:
    with pytest.raises(Untranslatable):
        to_xpath(rule)


@pytest.mark.parametrize(
    ("rule", "xpath"),
    [
        (r"t == r'a\d'", r"${t} = 'a\d'"),
        (r"t == '\u00e4'", "${t} = 'ä'"),
        ('t == """it\'s"""', '${t} = "it\'s"'),
        ("n > 1 // more than one\n && n < 9", "${n} > 1 and ${n} < 9"),
        ("d > 1e3 && n == 0x10", "${d} > 1000.0 and ${n} = 16"),
        ('answered["t"]', "${t} != ''"),
        ("!!answered.t", "${t} != ''"),
        ("t.replace('{', '}') == 'a'", "translate(${t}, '{', '}') = 'a'"),
        ("size(rows.filter(one, has(one.price))) > 1", "count(${rows}) > 0 and count-non-empty(${price}) > 1"),
        ("sum(rows.filter(a, has(a.price)).map(b, b.price)) > 1.0", "sum(${price}) > 1.0"),
        ("join(rows.map(x, has(x.title) ? x.title : ''), ',') == 'a,b'", "join(',', ${title}) = 'a,b'"),
    ],
)
def test_rules_that_people_write_in_other_ways_are_translated(rule: str, xpath: str) -> None:
    assert to_xpath(rule) == xpath


def test_the_xpath_tests_for_missing_answers_where_they_matter() -> None:
    assert to_xpath("t.startsWith(c)") == "${c} != '' and ${t} != '' and starts-with(${t}, ${c})"
    assert to_xpath("n > 1 && c == 'a'") == "${n} > 1 and ${c} = 'a'"
    assert to_xpath("c != 'a'") == "${c} != '' and ${c} != 'a'"


def _number(value: Any) -> float:
    return NAN if value is None else float(value)


def _parse_number(value: Any) -> float:
    return float(value) if value is not None and value.isdecimal() else NAN


def _text(value: Any) -> str:
    return "" if value is None else str(value)


@st.composite
def leaves(draw: st.DrawFn) -> Said:
    kind = draw(st.sampled_from(["number", "numbers", "text", "texts", "selected", "empty", "sum", "length", "mixed"]))
    name, sign = draw(st.sampled_from("nd")), draw(st.sampled_from(["=", "!=", "<", "<=", ">", ">="]))
    word, equal = draw(st.sampled_from("tc")), draw(st.sampled_from(["=", "!="]))
    literal, number = draw(st.sampled_from(["a", "b", "x y"])), draw(st.integers(-2, 2))
    return {
        "number": lambda: (f"${{{name}}} {sign} {number}", lambda a: _compare(sign, _number(a.get(name)), number)),
        "numbers": lambda: (
            f"${{{name}}} {sign} ${{k}}",
            lambda a: _compare(sign, *_numbers(sign, a.get(name), a.get("k"))),
        ),
        "text": lambda: (f"${{{word}}} {equal} '{literal}'", lambda a: _compare(equal, _text(a.get(word)), literal)),
        "texts": lambda: (f"${{t}} {equal} ${{c}}", lambda a: _compare(equal, _text(a.get("t")), _text(a.get("c")))),
        "selected": lambda: (f"selected(${{m}}, '{literal[0]}')", lambda a: literal[0] in a.get("m", [])),
        "empty": lambda: (f"${{m}} {equal} ''", lambda a: _compare(equal, bool(a.get("m")), False)),
        "mixed": lambda: (f"${{t}} {sign} {number}", lambda a: _compare(sign, _parse_number(a.get("t")), number)),
        "sum": lambda: (
            f"${{n}} + ${{k}} {sign} {number}",
            lambda a: _compare(sign, _number(a.get("n")) + _number(a.get("k")), number),
        ),
        "length": lambda: (
            f"string-length(${{t}}) {sign} {number}",
            lambda a: _compare(sign, len(_text(a.get("t"))), number),
        ),
    }[kind]()  # fmt: skip


def _numbers(sign: str, left: Any, right: Any) -> tuple[Any, Any]:
    """Two missing answers are equal, as empty texts, but neither is less than the other."""
    return ("", "") if sign in ("=", "!=") and left is right is None else (_number(left), _number(right))


def _compare(sign: str, left: Any, right: Any) -> bool:
    match sign:
        case "=":
            return left == right
        case "!=":
            return left != right
        case "<":
            return left < right
        case "<=":
            return left <= right
        case ">":
            return left > right
    return left >= right


def _combine(inner: st.SearchStrategy[Said]) -> st.SearchStrategy[Said]:
    return st.one_of(
        inner.map(lambda one: (f"not({one[0]})", lambda a: not one[1](a))),
        st.tuples(inner, inner).map(lambda p: (f"({p[0][0]}) and ({p[1][0]})", lambda a: p[0][1](a) and p[1][1](a))),
        st.tuples(inner, inner).map(lambda p: (f"({p[0][0]}) or ({p[1][0]})", lambda a: p[0][1](a) or p[1][1](a))),
    )


@settings(deadline=None)
@given(st.recursive(leaves(), _combine, max_leaves=6), ANSWERS)
def test_cel_and_xpath_have_the_same_value_whichever_answers_are_missing(said: Said, answers: dict[str, Any]) -> None:
    text, meaning = said
    try:
        rule = to_cel(text)
    except Untranslatable:
        reject()  # A text inside not() that might not be a number is reported instead.
    assert compile_rule(rule, TYPES).is_true(answers, Budget()) == meaning(answers)


CONDITIONS = st.recursive(
    st.sampled_from(
        ["n == 1", "n != 1", "n < k", "d >= 0.5", "n + k > 0", "n * 2 - k <= 1", "n % 2 == 0", "t == 'a'", "t != c",
         "c == t", "'a' in m", "m == ['a']", "c in ['a', 'b']", "answered.t", "answered.m", "size(t) < 2",
         "size(m) != 1",
         "t.contains('a')", "t.matches('^(?:a|b)$')", "double(n) > d", "t.startsWith('x')", "true",
         "(n > 0 ? t == 'a' : c == 'b')"]
    ),
    lambda inner: st.one_of(
        inner.map(lambda one: f"!({one})"),
        st.tuples(inner, inner).map(lambda pair: f"({pair[0]}) && ({pair[1]})"),
        st.tuples(inner, inner).map(lambda pair: f"({pair[0]}) || ({pair[1]})"),
    ),
    max_leaves=5,
)  # fmt: skip


@settings(deadline=None)
@given(CONDITIONS, ANSWERS)
def test_exported_and_imported_rules_keep_their_meaning(rule: str, answers: dict[str, Any]) -> None:
    back = to_cel(to_xpath(rule))
    assert compile_rule(back, TYPES).is_true(answers, Budget()) == compile_rule(rule, TYPES).is_true(answers, Budget())


CALCULATIONS = st.recursive(
    st.sampled_from(["n", "k", "n + k", "size(t)", "2", "-1", "n * k - 2", "size(m)"]),
    lambda inner: st.one_of(
        st.tuples(CONDITIONS, inner, inner).map(lambda three: f"({three[0]} ? {three[1]} : {three[2]})"),
        st.tuples(inner, inner).map(lambda pair: f"({pair[0]}) * ({pair[1]})"),
    ),
    max_leaves=4,
)


@settings(deadline=None, suppress_health_check=[HealthCheck.filter_too_much])
@given(CALCULATIONS, ANSWERS)
def test_exported_and_imported_calculations_keep_their_results(rule: str, answers: dict[str, Any]) -> None:
    try:
        back = xpath_to_cel.translate_value(
            parse_xpath(XPathTranslator(KINDS, None, {}).calculation(parse_cel(rule)), lambda name: name, ""), KINDS
        )
    except Untranslatable:
        reject()  # Reported instead of translated.
    assert compile_rule(back.text, TYPES).evaluate(answers, Budget()) == compile_rule(rule, TYPES).evaluate(
        answers, Budget()
    )


@settings(deadline=None)
@given(CONDITIONS, ANSWERS)
def test_calculated_booleans_are_unchanged_or_left_out(rule: str, answers: dict[str, Any]) -> None:
    try:
        said = XPathTranslator(KINDS, None, {}).calculation(parse_cel(rule))
        back = translate_boolean(parse_xpath(said, lambda name: name, ""), KINDS)
    except Untranslatable:
        reject()
    assert compile_rule(back, TYPES).evaluate(answers, Budget()) == compile_rule(rule, TYPES).evaluate(
        answers, Budget()
    )


@settings(deadline=None)
@given(st.text(max_size=60) | st.text(alphabet="${}nt()'\"=<>!&|+-*/. ,[]?:ab1", max_size=60))
def test_the_parser_accepts_or_rejects_any_text(text: str) -> None:
    with contextlib.suppress(Untranslatable):
        assert to_cel(text)
