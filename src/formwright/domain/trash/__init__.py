"""The trash: deletes records of all packages, restores them for 30 days, and then deletes them permanently.

A deleted record's row moves from its table into the trash, together with the rows that only have an effect together
with it, such as the grants of a user. So no query of another package returns a deleted record, and its name and its
external id are free again. What hangs on a record and is found through it, such as the versions of a form, stays where
it is. The submissions, tasks and invites of a form stay, too: `core.db.query.form_exists` leaves them out.
"""
