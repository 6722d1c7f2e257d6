"""The spans of the Guidelines Support Library."""

from __future__ import annotations

from .base import ViewClass

VIEWS = (ViewClass("gsl::span"),)
