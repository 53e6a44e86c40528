"""The schemas of version 1.0, and functions that convert domain records to them."""
