"""What a process used last."""

from formwright.core.lru_cache import LRUCache


def test_what_was_not_used_for_longest_goes() -> None:
    cache = LRUCache[str, int](2)
    assert [cache.put("a", 1), cache.put("b", 2)] == [1, 2]
    assert cache.get("a") == 1
    cache.put("c", 3)
    assert [cache.get(key) for key in "abc"] == [1, None, 3]


def test_a_key_has_one_value_and_is_as_new_as_that() -> None:
    cache = LRUCache[str, int](2)
    for key, value in (("a", 1), ("b", 2), ("a", 3), ("c", 4)):
        cache.put(key, value)
    assert [cache.get(key) for key in "abc"] == [3, None, 4]


def test_what_is_dropped_is_not_there() -> None:
    cache = LRUCache[str, int](2)
    cache.put("a", 1)
    cache.discard("a")
    cache.discard("never there")
    assert cache.get("a") is None
