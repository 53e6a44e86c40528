"""Tables in files: CSV as any spreadsheet program writes it, and .xlsx or .xls, as rows of texts.

Promises that nothing is guessed silently, that every bad row is named with its line, and that no file can exhaust us.
Does not know what becomes of a row.
"""
