"""How people come in: sessions, links to set a password, the second factor, and how guessing is slowed.

Promises that of every secret only a hash or a sealed text is kept, and that each link and each code works once.
"""
