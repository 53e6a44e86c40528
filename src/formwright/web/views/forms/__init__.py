"""Forms in their folders, and what is done with a form as a whole."""
