"""Invites: a form that one person is asked to fill, by a link in a mail that needs no account.

Promises that each state is reached once on the way, with its event; that the link is kept only as a hash and ends with
the invite. Does not know how a mail travels, nor how the page looks.
"""
