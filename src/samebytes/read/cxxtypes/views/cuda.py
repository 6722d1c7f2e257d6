"""libcu++'s spans, which are as C++'s own."""

from __future__ import annotations

from .base import ViewClass

VIEWS = (ViewClass("cuda::std::span"),)
