"""Importing submissions from a file: upload, preview with the mapping of columns, progress and result."""
