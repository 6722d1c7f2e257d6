"""The commands about headers, one file each."""
