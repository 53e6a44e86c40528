"""Quotas: how much may come in through fill links in a day.

Promises that all processes together let in no more than the operator's settings say, that a request which is refused
writes nothing, and that the account learns that a link reached its limit. Does not know forms beyond their ids.
"""
