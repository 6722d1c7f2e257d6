"""Paints a drawing as SVG, with nothing but text."""

from __future__ import annotations

from html import escape

from .drawing import Box, Drawing, Label

_FONT = "ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace"
# The lines are in each box's own colour, so one pattern per colour.
_HATCH = (
    '<pattern id="{id}" width="7" height="7" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">'
    '<rect width="7" height="7" fill="{fill}"/><line x1="0" y1="0" x2="0" y2="7" stroke="{stroke}" '
    'stroke-width="2.4"/></pattern>'
)


def svg_text(picture: Drawing) -> str:
    """The drawing as one ``<svg>`` element that scales with the room it gets."""
    width, height = f"{picture.width:g}", f"{picture.height:g}"
    hatched = {(b.fill, b.stroke) for b in picture.boxes if b.hatched}
    patterns = [_HATCH.format(id=_hatch(*pair), fill=pair[0], stroke=pair[1]) for pair in sorted(hatched)]
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
        f'viewBox="0 0 {width} {height}" style="max-width:100%;height:auto" role="img" '
        f'font-family="{_FONT}">',
        f"<title>{escape(picture.title)}</title>",
        *([f"<defs>{''.join(patterns)}</defs>"] if patterns else []),
        *map(_box, picture.boxes),
        *map(_label, picture.labels),
        "</svg>",
    ]
    return "\n".join(lines) + "\n"


def _hatch(fill: str, stroke: str) -> str:
    return f"hatch-{fill[1:]}-{stroke[1:]}"


def _box(box: Box) -> str:
    fill = f"url(#{_hatch(box.fill, box.stroke)})" if box.hatched else box.fill
    return (
        f'<rect x="{box.x:g}" y="{box.y:g}" width="{box.width:g}" height="{box.height:g}" rx="{box.radius:g}" '
        f'fill="{fill}" stroke="{box.stroke}"'
        + (f"><title>{escape(box.title)}</title></rect>" if box.title else "/>")
    )


def _label(label: Label) -> str:
    bold = ' font-weight="600"' if label.bold else ""
    turn = f' transform="rotate(-90 {label.x:g} {label.y:g})"' if label.upright else ""
    return (
        f'<text x="{label.x:g}" y="{label.y:g}"{turn} font-size="{label.size:g}" fill="{label.colour}" '
        f'text-anchor="{label.anchor}"{bold}>{escape(label.text)}</text>'
    )
