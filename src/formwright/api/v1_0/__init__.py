"""Version 1.0 of the API. Once released, it only gets additions: nothing in it changes in a breaking way."""
