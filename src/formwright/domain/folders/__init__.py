"""Folders: a tree in which forms are kept.

Promises that the tree stays one: a folder never ends up below itself. Does not know what lies in a folder.
"""
