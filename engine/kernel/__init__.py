"""The compiled game: the cards on the table, and every rule that decides what may be done with them."""
