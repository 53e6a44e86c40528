"""The platform's pages, a folder a room; beside them stands what several rooms use."""
