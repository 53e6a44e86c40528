"""Search in the rows of a datasource."""
