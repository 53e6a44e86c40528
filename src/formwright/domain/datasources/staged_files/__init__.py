"""Files of rows that wait between their preview and their import.

A file is sent once, looked through, and taken in when its person has seen what would happen. It is hers alone, is
removed when it was taken in, and an hour after it was last touched. What is done with it goes on when the page is left.
"""
