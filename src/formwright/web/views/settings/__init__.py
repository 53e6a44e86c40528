"""Settings: what holds for the whole account."""
