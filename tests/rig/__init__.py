"""What the tests stand on: a real PostgreSQL server and a real browser."""

import pytest

# The plugin of the tests' houses is imported by others of its folder before pytest asks for it.
pytest.register_assert_rewrite("rig.houses")
