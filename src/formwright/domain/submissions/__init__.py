"""Submissions: filled-in forms, from the first saved answer on.

The answers of a submission are valid for the form version they were given for, and sending the same filled-in form
again never creates a second submission.
"""
