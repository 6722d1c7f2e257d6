"""Adapters: what C functions and launches take in place of raw addresses (HIP Python, "Adapter Types")."""
