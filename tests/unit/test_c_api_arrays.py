"""In style="c_api", arrays that a count betrays are no outputs: C would write more than one value to them."""

from __future__ import annotations

import resource
import threading
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
status create(node_t* made, node_t graph, const node_t* dependencies, unsigned long numDependencies);
status allocate(void** where, unsigned long size);
status count(int* count);
status launch(const void* f, void** args, unsigned long shared);
status range(void** base, unsigned long* size);
status get_optimum(node_t of, double* x, double* cost_out);
status get_place(node_t of, double* x, double* y);
status get_color(double* red, double* green, double* blue, double* alpha);
int METIS_Part(int* nvtxs, int* ncon, int* xadj, float* tpwgts, int* numflag, int* edgecut, int** r_xadj);
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
        ("enqueue", ["errcode_ret"]),
        ("create", ["made"]),
        ("allocate", ["where"]),
        ("count", ["count"]),
        ("launch", []),
        ("range", ["base", "size"]),
        ("get_optimum", ["cost_out"]),
        ("get_place", ["x", "y"]),
        ("get_color", ["red", "green", "blue", "alpha"]),
        ("METIS_Part", ["r_xadj"]),
        ("children", ["children", "num_children"]),
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


# What a rule takes for one value, though it is an array, cannot be overrun unseen.


@pytest.fixture(scope="module")
def watched(tmp_path_factory: pytest.TempPathFactory) -> Any:
    folder = tmp_path_factory.mktemp("watched")
    (folder / "watched.h").write_text(
        "typedef enum { OK, BAD } status; typedef struct leaf_s* leaf;\n"
        "status get_one(double* value); status get_both(int* low, double* high);\n"
        "status get_three(double* slope); status get_many(int* grade, int* after); status names(leaf* found);\n"
        "double get_zero(float* gain);\n"
        "status get_large(double* slope_out, int* grade); status get_before(double* slope);\n"
        "status get_late(double* slope); void write_late(int n); double* get_back(leaf from, double* slope);\n"
        "status get_within(double* slope, int (*f)(void));\n"
    )
    (folder / "watched.c").write_text(
        '#include "watched.h"\n'
        "status get_one(double* v) { return *v = 2.5, OK; }\n"
        "status get_both(int* a, double* b) { return *a = 7, *b = 0.5, OK; }\n"
        "status get_three(double* v) { return v[0] = 1, v[1] = 2, v[2] = 3, OK; }\n"
        "status get_many(int* t, int* after) { for (int i = 0; i < 128; ++i) t[i] = i; return *after = 9, OK; }\n"
        "status names(leaf* f) { return f[0] = (leaf)f, f[1] = 0, OK; }\n"
        "double get_zero(float* w) { return w[0] = w[1] = 0, 1.5; }\n"
        "static double* place;\n"
        "status get_large(double* v, int* n) { for (int i = 0; i < 1000000; ++i) v[i] = i; return *n = 3, OK; }\n"
        "status get_before(double* v) { for (int i = -1000; i <= 0; ++i) v[i] = 4; return OK; }\n"
        "status get_late(double* v) { place = v; return *v = 1.5, OK; }\n"
        "void write_late(int n) { for (int i = 0; i < n; ++i) place[i] = i; }\n"
        "double* get_back(leaf from, double* v) { return *v = 2.5, v; }\n"
        "status get_within(double* v, int (*f)(void)) { *v = f(); return OK; }\n"
    )
    return sb.bind(folder / "watched.h", sources=folder / "watched.c", style="c_api")


def test_one_value_comes_back(watched: Any) -> None:
    assert watched.get_one() == (watched.OK, 2.5)
    assert watched.get_both() == (watched.OK, 7, 0.5)


@pytest.mark.parametrize(
    ("function", "parameter", "one"),
    [
        ("get_three", "slope", "float64"),
        ("get_many", "grade", "int32"),
        ("names", "found", "pointer[leaf_s]"),
        ("get_zero", "gain", "float32"),
        ("get_large", "slope_out", "float64"),
    ],
)
def test_more_is_an_error(watched: Any, function: str, parameter: str, one: str) -> None:
    for _ in range(3):
        with pytest.raises(sb.IntentError) as caught:
            getattr(watched, function)()
    assert str(caught.value) == (
        f"{function}() wrote past {parameter!r}, which style='c_api' took for one {one} that comes back: it is an "
        f"array. arg_intent={{{function!r}: {{{parameter!r}: 'in'}}}} makes it an argument"
    )


def test_whatever_c_writes_harms_nothing(watched: Any) -> None:
    """Far behind the one value, before it, and later: that memory is nobody else's, and the next call's is whole."""
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    for _ in range(50):
        with pytest.raises(sb.IntentError, match="wrote past 'slope_out'"):
            watched.get_large()
        assert watched.get_before() == (watched.OK, 4.0)
        assert watched.get_late() == (watched.OK, 1.5)
        watched.write_late(5000)
        assert watched.get_one() == (watched.OK, 2.5)
    assert (
        resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 60_000
    )  # kB; 50 times 8 MB were written


def test_calls_within_calls_have_places_of_their_own(watched: Any) -> None:
    def deeper(depth: int) -> int:
        if not depth:
            with pytest.raises(sb.IntentError):
                watched.get_three()
            return 1
        return int(watched.get_within(lambda: deeper(depth - 1))[1]) + 1

    assert deeper(20) == 21
    threads = [threading.Thread(target=deeper, args=(10,)) for _ in range(8)]
    for one in threads:
        one.start()
    for one in threads:
        one.join()


def test_a_result_that_points_to_it_stays(watched: Any) -> None:
    """What C returns may be the output's own address: nobody else gets that place."""
    pointers = [watched.get_back(None) for _ in range(3)]
    assert len({int(p[0]) for p in pointers}) == 3
    assert watched.get_one() == (watched.OK, 2.5)


def test_what_it_advises(watched: Any) -> None:
    folder = Path(watched.__model__.included[0]).parent
    again: Any = sb.bind(
        folder / "watched.h",
        sources=folder / "watched.c",
        style="c_api",
        arg_intent={"get_three": {"slope": "in"}},
    )
    slope = np.zeros(3)
    assert again.get_three(slope) == (again.OK,)
    assert slope.tolist() == [1, 2, 3]
