"""The parts of the client that send requests."""
