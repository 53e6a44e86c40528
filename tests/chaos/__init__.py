"""Fault-injection tests of the webhooks: whatever is killed, nothing acknowledged is lost, no receiver is overloaded.

They use only the API and the signature. Clients post, receivers record, processes and databases are killed; then the
records are compared with the API. `python -m chaos` runs them at full length.
"""
