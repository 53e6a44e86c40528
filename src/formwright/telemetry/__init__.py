"""What an operator sees of a running installation from outside: figures for Prometheus, on a port of their own.

They name operations, outcomes and statuses, never an account, and nothing that anybody typed.
"""
