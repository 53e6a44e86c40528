"""Datasources: rows of outside data (customers, products, employees) from which forms take values.

Promises that an import is whole or not at all, and that every bad row is named. Does not know which forms use one.
"""
