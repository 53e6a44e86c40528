"""Public links of forms: how often they can be used, and which answers they begin with."""
