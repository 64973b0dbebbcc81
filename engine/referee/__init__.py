"""The rules a second time, from their text and apart from the kernel: it judges a deal action by action."""
