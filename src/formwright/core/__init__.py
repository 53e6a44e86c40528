"""What every layer above builds on: ids, time, errors, pagination, authorisation, the databases and the network.

Knows nothing of HTTP handlers, settings or any domain package.
"""
