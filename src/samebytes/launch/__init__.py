"""Kernels as functions: the driver that runs them, what is checked when they are loaded, and how they are launched."""
