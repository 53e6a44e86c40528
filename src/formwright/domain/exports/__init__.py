"""Exports of submissions: tables, file formats, and reading a list of any length.

A batch of submissions is read as one JSON text, decoded once, and converted column by column. Both are done outside
of the event loop, while the database reads the next batch.
"""
