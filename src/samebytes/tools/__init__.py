"""Programs: the command line, the doctor, the demo, and generated packages."""
