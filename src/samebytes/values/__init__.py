"""Objects that are their bytes: vectors, immutable structs, mutable records, and enumerations."""
