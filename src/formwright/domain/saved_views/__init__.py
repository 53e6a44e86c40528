"""Saved views: named filters of the list of submissions, with an order, columns and a tab.

A view belongs to one user, or to the account and then to everyone who may read its submissions.
"""
