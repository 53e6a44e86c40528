"""XLSForm in and out: the spreadsheets in which the rest of the field writes its forms (https://xlsform.org).

Promises that nothing is dropped silently: what the two do not share is in the report, by sheet, row and column, and
that no file can exhaust us. Does not know who imports a form or where it is kept.
"""
