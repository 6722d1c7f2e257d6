"""What clang is asked about templates and instances beside the header itself."""
