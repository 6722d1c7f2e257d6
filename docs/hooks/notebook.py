"""Shows the cells of notebook.ipynb, and what they gave, on the page of that name."""

from __future__ import annotations

import html
import json
import re
from pathlib import Path
from typing import Any

_COLOURS = {"31": "ansi-red", "1": "ansi-bold", "2": "ansi-faint"}
_ESCAPE = re.compile(r"\x1b\[(\d*)m")


def on_page_markdown(markdown: str, *, page: Any, **others: Any) -> str:
    """MkDocs asks this of each page."""
    if page.file.src_uri != "notebook.md":
        return markdown
    notebook = json.loads((Path(page.file.abs_src_path).with_suffix(".ipynb")).read_text())
    return "\n\n".join([markdown, *map(_cell, notebook["cells"])])


def _cell(cell: dict[str, Any]) -> str:
    text = "".join(cell["source"])
    if cell["cell_type"] == "markdown":
        return text
    language = "cpp" if text.startswith("%%samebytes") else "python"
    shown = "".join(filter(None, map(_output, cell["outputs"])))
    output = f'\n\n<div class="cell-output">{shown}</div>' if shown else ""
    return f"```{language}\n{text}\n```{output}"


def _output(output: dict[str, Any]) -> str:
    """One output as HTML without empty lines, at which Markdown would go on."""
    data = output.get("data", {})
    if "text/html" in data:
        text = "".join(data["text/html"])
    elif "image/svg+xml" in data:
        text = "".join(data["image/svg+xml"])
    elif "image/png" in data:
        return f'<img src="data:image/png;base64,{"".join(data["image/png"]).strip()}">'
    else:
        plain = output.get("traceback") or data.get("text/plain") or output.get("text") or ()
        joined = "\n" if "traceback" in output else ""
        return f"<pre>{_coloured(joined.join(plain))}</pre>".replace("\n", "&#10;")
    return re.sub(r"\n\s*", "\n", text)


def _coloured(text: str) -> str:
    """The escape sequences of terminals as spans."""
    parts, opened = [], 0
    last = 0
    for found in _ESCAPE.finditer(text):
        parts.append(html.escape(text[last : found.start()]))
        last = found.end()
        if found[1] in _COLOURS:
            parts.append(f'<span class="{_COLOURS[found[1]]}">')
            opened += 1
        elif found[1] in ("", "0"):
            parts.append("</span>" * opened)
            opened = 0
    return "".join([*parts, html.escape(text[last:]), "</span>" * opened])
