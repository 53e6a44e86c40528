"""Invites: a person without an account is asked to fill in a form, with a personal link in an email.

Each status on the way to completion is recorded exactly once, with an event, even if several are reached at the same
time. Links are stored only as hashes and stop working when the invite ends.
"""
