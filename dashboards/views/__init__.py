"""One page a file: a `show` that asks `data` and hands tables to `charts`; no SQL, no arithmetic."""
