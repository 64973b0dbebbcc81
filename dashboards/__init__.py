"""The dashboard: pages in `views`, charts that need no page, and how both look."""
