"""Parsers of table files: CSV as written by any spreadsheet program, .xlsx and .xls. They yield rows of strings.

They report what they detected, report every invalid row with its line number, and limit the resources that any file
can use. They do not know what the rows are for.
"""
