"""Which declarations of a header are bound: by file, by name, by group."""
