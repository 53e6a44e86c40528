"""Data sources: tables of external data (customers, products, employees) that form fields look values up in.

An import is atomic, and reports every invalid row. The package does not know which forms use a data source.
"""
