"""Import and export of XLSForm, the spreadsheet format for forms (https://xlsform.org).

Nothing is lost silently: whatever cannot be converted is reported with its sheet, row and column. The size of workbooks
and the resources to read them are limited.
"""
