"""Submissions as files to take away: what stands in them, how each kind is written, how they are handed over."""
