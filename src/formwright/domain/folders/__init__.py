"""Folders: the tree that organises forms.

The package prevents cycles in the tree. It does not know which forms a folder contains.
"""
