"""Plays cards: rules, kernel, strategies, referee. Reads no file but its own TOML and writes none."""
