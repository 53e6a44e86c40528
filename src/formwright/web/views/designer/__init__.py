"""The designer: forms are begun, drawn, tried, compared and published here."""
