"""The web pages: the application for signed-in people, and the pages on which forms are filled in."""
