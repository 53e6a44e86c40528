"""The parts of the client that send requests."""

# Generated from `_async/__init__.py` by `make openapi`. Do not edit.
