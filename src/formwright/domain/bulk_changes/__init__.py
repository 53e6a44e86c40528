"""Changes of many submissions that a user starts on a page, in steps that are committed one by one.

A change of 50,000 submissions takes minutes, during which the server may be stopped. Each step stores the outcome of
its submissions in the transaction that changes them, so what was done is always known, and the rest can be continued.
"""
