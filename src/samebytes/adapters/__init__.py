"""Adapters: what C functions and launches take in place of raw addresses (HIP Python, "Adapter Types")."""

from .pointing import checked, pointing, shown

__all__ = ["checked", "pointing", "shown"]
