"""The people of an account, what they may do, and how they sign in.

Promises that a password is kept only as a slow hash, and that a session can be ended at once. Knows of forms and
folders only that something can be given for them.
"""
