"""Uploaded workbooks (.xlsx, .xlsm and .xls) as rows of cells.

A separate process with limits on memory and processor time reads each file, so no workbook can exhaust or crash the
server. Cells hold the values that were last saved; formulas are never evaluated.
"""
