"""Floats of 16 and 8 bits, and vectors of them, by value: in callbacks the registers are C++'s, and no bit is lost."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest
from tests.tables import each

import samebytes as sb

SOURCE = """
#include <samebytes/vector.hpp>
using namespace samebytes;
inline int half(float16 (*f)(float16), unsigned short x) { return f({x}).bits; }
inline int brain(bfloat16 (*f)(int, bfloat16), unsigned short x) { return f(3, {x}).bits; }
inline int small(float8e4m3 (*f)(float8e4m3), unsigned char x) { return f({x}).bits; }
inline int pair(float16x2 (*f)(float16x2), unsigned short x) { return f({{x}, {1}}).x.bits; }
struct Beside { float16 h; int i; };
struct Large { double a[2]; float16 h; };
struct Alone { float16 h; };
inline int beside(Beside (*f)(Beside), unsigned short x) { return f({{x}, 5}).h.bits; }
inline int large(int (*f)(Large), unsigned short x) { return f({{1, 2}, {x}}); }
inline int alone(Alone (*f)(Alone), unsigned short x) { return f({{x}}).h.bits; }
inline double mixed(double (*f)(double, float16, float), unsigned short x) { return f(1, {x}, 4); }
"""


@pytest.fixture(scope="module")
def lib():
    return sb.compile(SOURCE, name="small_floats")


@each(
    ("name", "bits"),
    [
        ("half", 0x3C00),
        ("half", 0x0044),
        ("small", 0x40),
        ("pair", 0x3C00),
        ("pair", 0x0044),
        ("beside", 0x3C00),
    ],
)
def test_a_callback_gets_and_gives_the_bits(lib, name, bits):
    assert getattr(lib, name)(lambda x: x, bits) == bits


def test_the_others_have_their_registers(lib):
    assert lib.brain(lambda i, x: x * i, 0x3F80) == 0x4040
    assert lib.large(lambda x: int(x.h), 0x4000) == 2
    assert lib.mixed(lambda a, x, b: a + x + b, 0x4000) == 7


def test_where_nobody_can_tell_a_callback_is_refused(lib):
    with pytest.raises(sb.ArgumentError, match="float16"):
        lib.alone(lambda x: x, 0x3C00)


@each("bits", [0x7E01, 0x7C01, 0xFE2A, 0xFC3C])
def test_the_elements_of_a_vector_are_its_bytes(bits):
    nan = np.array([bits, 0x3C00], "u2").view("f2")
    v = sb.float16x2(*nan)
    assert [e.tobytes() for e in (v.x, v[0], v.y)] == [n.tobytes() for n in (nan[0], nan[0], nan[1])]


QUESTIONS = """
import clang.cindex as c
from samebytes.read.questions.questions import _FORMS
rows = [f.format("S", ".v.x") for name, f in _FORMS.items() if name.startswith("value")]
text = "struct V { int x() const; }; struct S { int a = 3; V v; };"
text += "".join("enum : long { q%d = %s };" % row for row in enumerate(rows))
c.Index.create().parse("a.cpp", ["-std=c++20"], [("a.cpp", text)])
"""


def test_an_element_that_is_a_function_ends_no_parse():
    """SYCL's vectors have such; libclang crashed."""
    subprocess.run([sys.executable, "-c", QUESTIONS], check=True, capture_output=True)
