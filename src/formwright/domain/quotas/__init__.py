"""Quotas: how much may be submitted through fill links per day.

All processes together accept no more than the operator's settings allow. A rejected request writes nothing, and the
audit log records that a link has reached its limit. The package knows forms by their ids only.
"""
