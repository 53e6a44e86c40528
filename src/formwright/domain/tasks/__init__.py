"""Tasks: work that is sent to people as a form to fill.

Promises that a task names people and a form of its own account. Does not know how a person is told of it.
"""
