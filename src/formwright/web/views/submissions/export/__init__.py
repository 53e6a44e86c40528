"""Exports of submissions: the table, the file formats and the downloads."""
