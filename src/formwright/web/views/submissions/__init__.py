"""Submissions: the list, a single one, correcting it, and taking them away."""
