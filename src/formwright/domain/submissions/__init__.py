"""Submissions: what people answered, from the first answer on.

Promises that answers fit the version they were made with, and that sending the same filled form again makes no second
submission. Does not know who reads them.
"""
