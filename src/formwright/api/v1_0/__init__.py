"""Version 1.0 of the API. Once released it is closed for change and open for additions."""
