"""The shapes of version 1.0: what is asked and answered, and how records become it."""
