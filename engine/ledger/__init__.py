"""Logged deals as hand histories, and every column of the log compared with what the referee finds."""
