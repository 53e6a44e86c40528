"""The statements that may look at more than one account, each with its reason. All others name their customer."""

WHOSE = "whose this is, is asked by a secret, a link or a mail address that leads to one person"
WORK = "a worker asks in which accounts there is something to do, and then does it account by account"
OLD = "what has ended is cleared away, whoever it belonged to"
COUNT = "the operator is told how much there is in the whole installation, and nothing of any account"
MANY = "accounts whose writers share a commit are asked about together; where accounts are distributed none do"
WHOLE = "it is asked whether there is any account at all, or whether the database answers"

ACROSS = {
    "api/health.py _database": WHOLE,
    "domain/people/store.py anybody": WHOLE,
    "domain/forms/store.py link_target": WHOSE,
    "domain/invites/linkstore.py target": WHOSE,
    "domain/keys/store.py known": WHOSE,
    "domain/people/signin/linkstore.py find": WHOSE,
    "domain/people/signin/linkstore.py mailable": WHOSE,
    "domain/people/signin/linkstore.py use": WHOSE,
    "domain/people/signin/sessionstore.py find": WHOSE,
    "domain/people/store.py sign_ins": WHOSE,
    "domain/tasks/store.py link_target": WHOSE,
    "core/storage/order.py recorded": COUNT,
    "domain/mail/sending.py backlog": COUNT,
    "domain/webhooks/backlog.py backlog": COUNT,
    "core/storage/order.py take_free": MANY,
    "domain/webhooks/beginning.py _heads": MANY,
    "core/storage/order.py accounts": WORK,
    "domain/datasources/pulling.py anything_due": WORK,
    "domain/datasources/pulling.py take": WORK,
    "domain/datasources/rowstore.py with_ended": WORK,
    "domain/datasources/store.py never_made": WORK,
    "domain/datasources/uploads/store.py idle": WORK,
    "domain/files/store.py accounts_with_idle": WORK,
    "domain/forms/fieldstore.py unfinished": WORK,
    "domain/invites/store.py due": WORK,
    "domain/submissions/indexstore.py untimed": WORK,
    "domain/mail/sending.py anything_due": WORK,
    "domain/mail/sending.py take": WORK,
    "domain/tasks/store.py due": WORK,
    "domain/mail/sending.py set_right": WORK,
    "domain/webhooks/ahead.py _found": WORK,
    "domain/webhooks/claims.py _waiting": WORK,
    "domain/webhooks/claims.py anything_due": WORK,
    "domain/webhooks/healthstore.py ailing": WORK,
    "domain/keys/replystore.py forget": OLD,
    "domain/mail/store.py delete_ended": OLD,
    "domain/people/signin/linkstore.py delete_ended": OLD,
    "domain/people/signin/sessionstore.py delete_ended": OLD,
}
"""By the file and the function in which the statement stands."""
