"""Background work: webhook and email delivery, datasource sync, scheduled tasks, and cleanup."""
