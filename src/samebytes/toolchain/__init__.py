"""Compilers: finding them, driving them, and keeping what they built."""
