"""Tasks: forms that users are asked to fill in.

A task only refers to users, groups and a form of its own account. Emails are queued with `domain.mail`, which delivers
them.
"""
