"""Text generators: each file in this folder turns the model of a header into one kind of source."""
