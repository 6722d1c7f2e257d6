"""C++'s own spans (ISO C++ [views.span])."""

from __future__ import annotations

from .base import ViewClass

VIEWS = (ViewClass("std::span"),)
