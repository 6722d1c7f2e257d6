"""Abseil's spans, which have no extent in their type."""

from __future__ import annotations

from .base import ViewClass

VIEWS = (
    ViewClass("absl::Span", extents=(None,), make="{type}({data}, static_cast<std::size_t>({shape[0]}))"),
)
