"""What everything stands on: ids, time, errors, events, pages, secrets.

Pure values and rules. No input or output, no knowledge of databases, of HTTP or of any room.
"""
