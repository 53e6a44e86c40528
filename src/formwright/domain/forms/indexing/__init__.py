"""The fields of forms whose answers are indexed for filters."""
