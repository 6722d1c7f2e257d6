"""The judge of targets: kinds of parameters × arguments × targets, each cell against the Python call and g++."""
