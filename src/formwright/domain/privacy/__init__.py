"""The personal data of one person: finding, exporting and erasing it.

Erased data is removed from every table, from the event log and from pending deliveries. An interrupted erasure can be
repeated. Unlike other packages, this one accesses the tables of all packages, because personal data is in many of them;
docs/guides/personal-data.md lists them. It does not cover backups, delivered mails, or data that other systems have
read.
"""
