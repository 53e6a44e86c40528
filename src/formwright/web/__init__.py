"""The pages: for the people in the office, and for those who fill a form."""
