"""Functions of a .cu that launch by <<<>>>: they are left out with the reason, and its kernels are bound."""

import re

import numpy as np
import pytest

import samebytes as sb
from samebytes.make.host_launches import launchers, without_bodies

pytestmark = pytest.mark.full

SOURCE = """
__global__ void axpy(float a, const float* x, float* y, int n) { int i = threadIdx.x; if (i < n) y[i] += a * x[i]; }
namespace ns { struct S { int n;
  void run(float* y) { axpy<<<1, 2>>>(1, y, y, n); } };
/* <<< { */ const char quote = '{';
void launch_axpy(float a, const float* x, float* y, int n)
{
  if (n) { axpy<<<(n + 255) / 256, 256>>>(a, x, y, n); }
} }
extern "C" { void c_launch(float* y) { axpy<<<1, 2>>>(1, y, y, 2); } }
int plus(int a) { return a + 1; }
__global__ void after(int* p) { *p = plus(1); }
"""
# Sources, and the functions whose bodies have a launch.
ROWS = (
    ("void f() { k<<<1, 1>>>(); }", ["void f()"]),
    ("void f() { if (1) { k<<<1, 1>>>(); } } void g() { }", ["void f()"]),
    ("void f() { } void g(int a = 1) { k<<<1, 1>>>(a); }", ["void g(int a = 1)"]),
    ("// k<<<1, 1>>>\nvoid f() { /* <<< */ const char* s = \"<<<\"; char c = '{'; }", []),
    ('const char* s = R"x({ <<< )x"; void f() { k<<<1, 1>>>(); }', ["void f()"]),
    ("template <class T> void f(T x) { k<T><<<1, 1>>>(x); }", ["template <class T> void f(T x)"]),
    (
        "struct S : B { int a[2] = {1, 2}; void f() const { k<<<1, 1>>>(); } int g() { return 1; } };",
        ["void f() const"],
    ),
    ("namespace a { namespace { void f() { k<<<1, 1>>>(); } } void g() {} }", ["void f()"]),
    ('extern "C" void f() { k<<<1, 1>>>(); }', ['extern "C" void f()']),
    ("enum class E { a, b }; int x[] = {1, 2}; auto y = 1 << 2;", []),
    ("void f()\n#ifdef X\n{ k<<<1, 1>>>(); }\n#else\n{ }\n#endif", ["void f()\n#ifdef X"]),
)


@pytest.mark.parametrize("row", range(len(ROWS)))
def test_the_bodies_that_launch_are_found(row):
    text, expected = ROWS[row]
    found = launchers(text)
    lines = text.splitlines()
    heads = ["\n".join(lines[f.first - 1 : f.last])[:] for f in found]
    assert [text[: f.begins].rstrip().endswith(head) for f, head in zip(found, expected, strict=True)] == [
        True
    ] * len(found)
    assert all("<<<" in head for head in heads)
    left = without_bodies(text, found)
    assert left.count("\n") == text.count("\n")
    assert not launchers(left)


@pytest.mark.parametrize("as_file", [False, True])
def test_its_kernels_are_bound_and_the_functions_are_not(as_file, tmp_path, fake):
    source = SOURCE
    if as_file:
        source = tmp_path / "wrapped.cu"
        source.write_text(SOURCE)
    with pytest.warns(
        sb.BindWarning, match=r"launch_axpy.*:6\): it launches kernels from the host by <<<>>>"
    ):
        lib = fake.knows(sb.compile(source, dialect="cuda", name="wrapped"))
    x, y = fake.array(np.arange(4, dtype=np.float32)), fake.array(np.ones(4, np.float32))
    lib.axpy[1, 4](2.5, x, y, 3)
    assert y.array.tolist() == [1, 3.5, 6, 1]
    p = fake.array(np.zeros(1, np.int32))
    lib.after[1, 1](p)
    assert p.array[0] == 2
    told = {re.sub(r"\(.*", "", s.name): s.location.line for s in lib.__skipped__ if "<<<>>>" in s.reason}
    assert told == {"ns::S::run": 4, "ns::launch_axpy": 6, "c_launch": 10}
    with pytest.raises(AttributeError, match=r"c_launch.*it launches kernels from the host by <<<>>>"):
        lib.c_launch(None)


def test_errors_show_the_users_lines(tmp_path):
    wrong, file = SOURCE.replace("plus(1)", "nowhere"), tmp_path / "wrong.cu"
    file.write_text(wrong)
    for source, name in ((wrong, "source.cu"), (file, str(file))):
        with pytest.raises(sb.CompileError, match=rf'{re.escape(name)}\(12\): error: identifier "nowhere"'):
            sb.compile(source, dialect="cuda", arch="sm_80")
