"""The least-recently-used cache."""

from formwright.core.lru_cache import LRUCache


def test_the_least_recently_used_entry_is_evicted() -> None:
    cache = LRUCache[str, int](2)
    assert [cache.put("a", 1), cache.put("b", 2)] == [1, 2]
    assert cache.get("a") == 1
    cache.put("c", 3)
    assert [cache.get(key) for key in "abc"] == [1, None, 3]


def test_a_new_value_replaces_the_old_one_and_counts_as_used() -> None:
    cache = LRUCache[str, int](2)
    for key, value in (("a", 1), ("b", 2), ("a", 3), ("c", 4)):
        cache.put(key, value)
    assert [cache.get(key) for key in "abc"] == [3, None, 4]


def test_discarded_entries_are_removed() -> None:
    cache = LRUCache[str, int](2)
    cache.put("a", 1)
    cache.discard("a")
    cache.discard("never there")
    assert cache.get("a") is None
