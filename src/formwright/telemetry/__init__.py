"""Metrics for Prometheus, on a port of their own, and traces for OpenTelemetry.

Labels are operations, outcomes and statuses, never an account or user input.
"""
