"""Boost's spans (Boost.Core)."""

from __future__ import annotations

from .base import ViewClass

VIEWS = (ViewClass("boost::span"),)
