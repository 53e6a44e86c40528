"""Background work: webhook and email delivery, pulls of data sources, scheduled tasks, and cleanup."""
