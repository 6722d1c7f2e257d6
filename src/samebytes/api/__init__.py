"""What users call: compile and bind, from what they write to a loaded library."""
