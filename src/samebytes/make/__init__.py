"""From a request to a library on disk: what is asked for, what is read, written and compiled for it, and stored."""
