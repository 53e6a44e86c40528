"""Imports of submissions from CSV files and workbooks, as background jobs.

All rows are checked as `createSubmission` checks them before the first is written. They are then written in batches,
each in a transaction that also saves how far the import has come: after a kill, a worker continues there, so no row is
written twice.
"""
