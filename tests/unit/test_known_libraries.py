"""What is known of a library alone stands in a file of its own, found by the names of its headers; users add theirs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import samebytes as sb
from samebytes.make.config.known_libraries import FOLDER, VARIABLE
from samebytes.make.config.reader import read

FILES = sorted(FOLDER.glob("*.yaml"))
HEADER = "int meter_ask(void *m, int *level, double *flow);\nconst unsigned char *meter_name(void *m);\n"
SOURCE = """
int meter_ask(void *m, int *level, double *flow) { return *level = 7, *flow = 0.5, 0; }
const unsigned char *meter_name(void *m) { return (const unsigned char *)"east"; }
"""
KNOWN = """
Headers: ["meters/*.h"]
Function Argument Intents:
  meter_ask: {level: out_return, 2: out_return}
Texts: [meter_name]
"""


@pytest.fixture
def header(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "meters").mkdir()
    path = tmp_path / "meters" / "meter.h"
    path.write_text(HEADER)
    (tmp_path / "meter.c").write_text(SOURCE)
    (tmp_path / "known").mkdir()
    (tmp_path / "known" / "meters.yaml").write_text(KNOWN)
    monkeypatch.setenv(VARIABLE, str(tmp_path / "known"))
    return path


def bound(header: Path, **more: Any) -> Any:
    return sb.bind(header, sources=header.parent.parent / "meter.c", style="c_api", **more)


def test_a_users_file_counts(header: Path) -> None:
    lib = bound(header)
    assert lib.meter_ask(None) == (0, 7, 0.5)
    assert lib.meter_name(None) == "east"
    (facts,) = sb.explain(lib, "meter_ask").functions
    assert [a.why for a in facts.arguments] == ["", "meters.yaml", "meters.yaml"]
    assert "level: out_return, for meters.yaml" in str(sb.explain(lib, "meter_ask"))


def test_what_is_given_to_bind_counts_more(header: Path) -> None:
    lib = bound(header, arg_intent={"meter_ask": {"flow": "in"}})
    flow = np.zeros(1)
    assert lib.meter_ask(None, flow) == (0, 7)
    assert flow[0] == 0.5
    facts = sb.explain(lib, "meter_ask").functions[0].arguments
    assert [a.intent for a in facts] == ["in", "out_return", "in"]
    assert facts[2].why == "arg_intent"


def test_a_changed_file_is_noticed(header: Path) -> None:
    assert bound(header).meter_ask(None) == (0, 7, 0.5)
    known = header.parent.parent / "known" / "meters.yaml"
    known.write_text(KNOWN.replace(", 2: out_return", ""))
    facts = sb.explain(bound(header), "meter_ask").functions[0].arguments
    assert [a.intent for a in facts] == ["in", "out_return", "in"]


def test_other_headers_and_other_styles_are_left_alone(header: Path) -> None:
    other = header.parent.parent / "meter.h"
    other.write_text(HEADER)
    found: Any = sb.bind(other, sources=other.with_name("meter.c"), style="c_api")
    # By rule: a level is one quantity, and of a flow nothing is known.
    assert [a.intent for a in sb.explain(found, "meter_ask").functions[0].arguments] == [
        "in",
        "out_return",
        "in",
    ]
    plain: Any = sb.bind(header, sources=header.parent.parent / "meter.c", language="c")
    assert [a.intent for a in sb.explain(plain, "meter_ask").functions[0].arguments] == ["in", "in", "in"]


WRONG = (
    ("Function Argument Intents: {f: {x: out_return}}", "names its Headers"),
    ("Headers: [a.h]\nLibraries: [m]", "Libraries means nothing in a library's file"),
    ("Headers: [a.h]\nFunction Argument Intents: {f: {x: outreturn}}", "unknown intent 'outreturn'"),
    ("Header: [a.h]", "Did you mean 'Headers'"),
    (KNOWN.replace("meter_ask:", "meter_asks:"),
     "Function Argument Intents names 'meter_asks', which no header.*Did you mean 'meter_ask'"),
    (KNOWN.replace("level:", "levels:"),
     r"meter_ask\(\): Function Argument Intents names an unknown parameter 'levels'; known: m, level, flow. Did you"),
    (KNOWN.replace("2:", "3:"), r"meter_ask\(\): Function Argument Intents index 3 is out of range"),
    (KNOWN.replace("level:", "m: owned, level:"), r"meter_ask\(\) parameter 'm': 'owned' needs a place"),
    (KNOWN.replace("[meter_name]", "[meter_nam]"), "Texts names 'meter_nam', which no header"),
    (KNOWN + "Unchecked Formats: [meter_log]", "Unchecked Formats names 'meter_log', which no header"),
)  # fmt: skip


@pytest.mark.parametrize(("text", "words"), WRONG, ids=[w[1] for w in WRONG])
def test_a_wrong_file_is_named(header: Path, text: str, words: str) -> None:
    (header.parent.parent / "known" / "meters.yaml").write_text(text)
    with pytest.raises(sb.Error, match="meters.yaml.*" + words):
        bound(header)


def test_what_another_header_of_the_library_has_is_left_to_it(header: Path) -> None:
    """One file may be about many headers, of which one is bound; and a function may be declared under a condition."""
    known = header.parent.parent / "known" / "meters.yaml"
    known.write_text(KNOWN.replace("Texts:", "  meter_stop: {x: out_return}\nTexts:"))
    with pytest.raises(sb.BindError, match="'meter_stop', which no header"):
        bound(header)
    header.with_name("more.h").write_text("int meter_stop(void *m, int *x);\n")
    assert bound(header).meter_ask(None) == (0, 7, 0.5)
    header.with_name("more.h").unlink()
    header.write_text(f"{HEADER}#ifdef WITH_STOP\nint meter_stop(void *m, int *x);\n#endif\n")
    assert bound(header).meter_ask(None) == (0, 7, 0.5)


def test_a_folder_that_is_not_there(header: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, "/nowhere/at/all")
    with pytest.raises(sb.BindError, match="SAMEBYTES_LIBRARIES names the folder /nowhere/at/all"):
        bound(header)


@pytest.mark.parametrize("file", FILES, ids=[f.stem for f in FILES])
def test_our_files_say_what_they_are_for(file: Path) -> None:
    found = read(file.read_text())
    assert found["Headers"]
    assert found["Name"]
    assert all(found["Function Argument Intents"].values())
