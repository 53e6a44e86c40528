"""Summaries of the submissions of a form: counts, distributions and figures for each field.

Nothing is stored: a summary is computed from the submissions that match a filter, which are read in batches, or
from the index of answers.
"""
