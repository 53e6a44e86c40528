"""The event log, and its delivery to subscribers.

Promises that events stand in the order of the commits and never change, that an event is never without its deliveries,
and that each delivery is tried to the end of its schedule. Knows an event as a type and bytes only, and no room.
"""
