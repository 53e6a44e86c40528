"""The event log, and the delivery of its events to webhook subscribers.

Events are logged in commit order and never change. An event and its deliveries are stored in the same transaction, and
each delivery is attempted until it succeeds or its retry schedule ends. This package knows an event only as a type and
bytes, and does not depend on the packages whose events it delivers.
"""
