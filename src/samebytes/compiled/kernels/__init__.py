"""What only kernels need: records among their arguments, and device code to link with."""
