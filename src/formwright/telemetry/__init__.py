"""Metrics for Prometheus, on a separate port, and traces for OpenTelemetry.

Labels are operations, outcomes and statuses, never accounts or user input.
"""
