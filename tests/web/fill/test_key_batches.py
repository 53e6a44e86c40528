"""The page asks for the rows of long keys in several requests, because the server limits the length of a query."""

from pathlib import Path
from urllib.parse import urlencode

from fixtures.node import run_script

from formwright.asgi.request_limits import MAX_QUERY_BYTES


def test_each_batch_of_keys_fits_into_a_query() -> None:
    with run_script(Path(__file__).with_name("key_batches.mjs")) as script:
        for letter in ("a", "€", "😀"):
            keys = [f"{number}{letter * 499}" for number in range(100)]
            batches = script.ask(keys)
            assert [key for batch in batches for key in batch] == keys
            assert max(len(urlencode([("key", key) for key in batch])) for batch in batches) < MAX_QUERY_BYTES
        assert [len(batch) for batch in script.ask(["K"] * 50)] == [20, 20, 10]
        assert script.ask([]) == []
