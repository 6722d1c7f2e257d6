"""A container or text that C++ reads and changes by ``T&``: no intent serves, hints say so, and their advice works."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from tests.tables import each

import samebytes as sb

pytestmark = pytest.mark.full  # to read and to compile it takes seconds

HEAD = "#include <algorithm>\n#include <map>\n#include <string>\n#include <vector>\n"
SORT = "inline void change(std::vector<int>& v) { std::sort(v.begin(), v.end()); }\n"
GROW = 'inline void change(std::string& v) { v += "!"; }\n'
COUNT = "inline void change(std::map<int, int>& v) { ++v[1]; }\n"
# By value: what C++ takes, the argument, and what comes back.
TYPES = [
    (SORT, "std::vector<int>", [3, 1, 2], [1, 2, 3]),
    (GROW, "std::string", "text", "text!"),
    (COUNT, "std::map<int, int>", {1: 2}, {1: 3}),
]
ADVICE = r"'out_return' begins with an empty one; where C\+\+ reads it and changes it, write a function in C\+\+ that"


@each("source, type_, given, expected", TYPES)
def test_the_advice_works(source: str, type_: str, given: object, expected: object) -> None:
    wrapped = f"inline {type_} changed({type_} v) {{ change(v); return v; }}"
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        lib = sb.compile(HEAD + source + wrapped)
    if type_ != "std::string":  # a text is no place that Python could mean
        with pytest.raises(sb.IntentError, match=ADVICE):
            lib.change(given)
    assert all("is discarded" not in str(w.message) or "only writes there" in str(w.message) for w in said)
    found = lib.changed(given)
    assert (found.tolist() if isinstance(found, np.ndarray) else found) == expected


@each("source", [row[0] for row in TYPES])
def test_no_intent_is_advised_in_vain(source: str) -> None:
    with pytest.raises(sb.IntentError, match=ADVICE):
        sb.compile(HEAD + source, arg_intent={"change": {"v": "inout_ptr"}})


POINTED = """
inline int grow(std::vector<int>* v) { if (!v) return -1; v->push_back(3); return (int)v->size(); }
inline int count(const std::vector<int>* v) { return (int)v->size(); }
inline int read(std::map<int, int>* v) { return (int)v->size(); }
"""


def test_by_a_pointer_the_same_is_refused() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", sb.BindWarning)
        lib = sb.compile(HEAD + POINTED)
        dropped = sb.compile(HEAD + POINTED, arg_intent={"grow": {"v": "in"}})
    for given in (
        [1, 2],
        np.zeros(2, "i4"),
    ):  # what the core learns of one that only reads is not for the other
        assert [lib.count(given) for _ in range(3)] == [2, 2, 2]
    for call in (lambda: lib.grow([1]), lambda: lib.grow(np.zeros(2, "i4")), lambda: lib.read({1: 2})):
        with pytest.raises(sb.IntentError, match=ADVICE):
            call()
    assert (lib.grow(None), lib.grow((1, 2)), lib.count([1, 2])) == (-1, 3, 2)
    assert dropped.grow([1]) == 2  # as the error advises
