"""The proof of the webhooks: whatever is killed, nothing that was acknowledged is lost, and no receiver is overrun.

It knows the API and the signature, and nothing else of the platform. Programs post, receivers note, processes and
databases are killed; then what was noted is compared with what the API tells. `python -m chaos` runs it long.
"""
