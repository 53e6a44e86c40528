"""Factories: create what tests need with one line each."""
