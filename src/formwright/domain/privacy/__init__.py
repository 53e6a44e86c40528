"""One person's data: found, and erased.

It promises that what is erased is gone from every table, from the event log and from what waits to be delivered, and
that what is interrupted can be done again. It knows the tables of all rooms, for a person's data does not stay in one;
which hold any is written down in docs/guides/personal-data.md. It knows nothing of backups, mails in mailboxes, or what
other systems have read.
"""
