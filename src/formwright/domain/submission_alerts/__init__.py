"""Emails about new submissions, which users ask for per form.

A worker looks for new submissions when an alert is due, so receiving one does no extra work, and a flood of submissions
results in one email per minute.
"""
