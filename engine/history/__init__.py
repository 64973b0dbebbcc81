"""Hand histories: one deal in a small text file, read, written and shown."""
