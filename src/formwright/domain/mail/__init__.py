"""Mails that are to be sent, and what became of each.

Promises that a mail is sent if the change that caused it is committed, and never otherwise; at least once, and marked
where it may have been twice. Knows nothing of why it is sent: who asked is told of the outcome by its purpose.
"""
