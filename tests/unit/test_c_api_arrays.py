"""In style="c_api", arrays that a count betrays are no outputs: C would write more than one value to them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import samebytes as sb

HEADER = """
typedef enum { OK, BAD } status;
typedef struct node_s* node_t;
typedef enum { COLD, WARM } option;
status platforms(unsigned num_entries, node_t* found, unsigned* num_found);
status load(node_t* made, const void* image, unsigned numOptions, option* options, void** optionValues);
status nodes(node_t from, node_t* nodes, unsigned long* numNodes);
status edges(node_t graph, node_t* from, node_t* to, unsigned long* numEdges);
status attributes(void** data, unsigned long* sizes, option* names, unsigned long num_attributes);
status enqueue(unsigned num_events, const node_t* waits, node_t* event, int* errcode_ret);
status add(node_t* made, node_t graph, const node_t* dependencies, unsigned long numDependencies);
status allocate(void** where, unsigned long size);
status count(int* count);
status launch(const void* f, void** args, unsigned long shared);
status range(void** base, unsigned long* size);
status children(node_t of, const node_t** children, unsigned long* num_children);
"""


@pytest.fixture(scope="module")
def outputs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[str]]:
    header = Path(tmp_path_factory.mktemp("api")) / "api.h"
    header.write_text(HEADER)
    lib = sb.bind(header, library="libnothing.so", style="c_api")
    return {f.name: [p.name for p in f.parameters if not p.intent.visible] for f in lib.__model__.functions}


@pytest.mark.parametrize(
    ("function", "expected"),
    [
        ("platforms", ["num_found"]),
        ("load", ["made"]),
        ("nodes", []),  # the count goes in and out
        ("edges", []),
        ("attributes", []),
        ("enqueue", ["event", "errcode_ret"]),
        ("add", ["made"]),
        ("allocate", ["where"]),
        ("count", ["count"]),
        ("launch", []),
        ("range", ["base", "size"]),
        ("children", ["num_children"]),
    ],
)
def test_outputs_by_rule(outputs: dict[str, list[str]], function: str, expected: list[str]) -> None:
    assert outputs[function] == expected


def test_arrays_are_the_callers(tmp_path: Path) -> None:
    (tmp_path / "api.h").write_text("int fill(unsigned num_entries, int* entries, unsigned* num_found);")
    body = "{ for (*f = 0; *f < n; ++*f) e[*f] = *f; return 0; }"
    (tmp_path / "api.c").write_text(f'#include "api.h"\nint fill(unsigned n, int* e, unsigned* f) {body}')
    lib: Any = sb.bind(tmp_path / "api.h", sources=tmp_path / "api.c", style="c_api")
    entries = np.full(4, -1, np.int32)
    assert lib.fill(3, entries) == (0, 3)
    assert entries.tolist() == [0, 1, 2, -1]
