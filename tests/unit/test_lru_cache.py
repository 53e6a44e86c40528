"""What a process used last."""

from formwright.core.lru_cache import LRUCache


def test_what_was_not_used_for_longest_goes() -> None:
    kept = LRUCache[str, int](2)
    assert [kept.keep("a", 1), kept.keep("b", 2)] == [1, 2]
    assert kept.get("a") == 1
    kept.keep("c", 3)
    assert [kept.get(key) for key in "abc"] == [1, None, 3]


def test_a_key_has_one_value_and_is_as_new_as_that() -> None:
    kept = LRUCache[str, int](2)
    for key, value in (("a", 1), ("b", 2), ("a", 3), ("c", 4)):
        kept.keep(key, value)
    assert [kept.get(key) for key in "abc"] == [3, None, 4]


def test_what_is_dropped_is_not_there() -> None:
    kept = LRUCache[str, int](2)
    kept.keep("a", 1)
    kept.drop("a")
    kept.drop("never there")
    assert kept.get("a") is None
