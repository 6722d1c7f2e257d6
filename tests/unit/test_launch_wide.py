"""Records with numbers that AMD devices lay out otherwise than the host: no launch takes the host's bytes for them."""

import re

import pytest

import samebytes as sb

SOURCE = r"""
struct Plain { char a; double b; };
struct Long { char a; long double b; int c; };
struct Wide { int c; __int128 b; };
struct Unsigned { int c; unsigned __int128 b; };
struct Quad { int c; __float128 b; };
struct Complex { int c; _Complex long double b; };
struct Array { int c; long double b[2][3]; };
struct Nested { int c; struct { Long inner[2]; } deep; };
struct Derived : Long { int d; };
class Private { long double b = 0; public: int c = 0; };
union Either { int c; long double b; };
struct Apart { int c; long double* b; long double (*f)(long double); };
int known(Plain, Long, Wide, Unsigned, Quad, Complex, Array, Nested, Derived, Private, Either, Apart) { return 1; }
"""

HOLDS = {
    "Plain": "", "Long": "long double", "Wide": "__int128", "Unsigned": "unsigned __int128", "Quad": "__float128",
    "Complex": "long double", "Array": "long double", "Nested": "long double", "Derived": "long double",
    "Private": "long double", "Either": "long double", "Apart": "",
}  # fmt: skip


@pytest.fixture(scope="module")
def lib():
    return sb.compile(SOURCE, name="wide_records", std="gnu++17")


@pytest.mark.parametrize("name", HOLDS)
def test_records_with_numbers_apart(lib, name):
    record = getattr(lib, name)()
    size = sb.sizeof(type(record), "cxx")
    assert size >= 4
    if not HOLDS[name]:
        assert sb.LaunchExtra([record]).sizes == (sb.sizeof(type(record), "hip"),) == (size,)
        return
    words = rf"argument 2: .*{name} holds {re.escape(HOLDS[name])}, which devices of hip lay out otherwise"
    for args in ([1, record], (1, record)):
        with pytest.raises(sb.ArgumentError, match=words):
            sb.LaunchExtra(args)
        with pytest.raises(sb.ArgumentError, match=words):
            sb.KernelParams(args)
    with pytest.raises(sb.ArgumentError, match=words):
        sb.LaunchExtra([1, record], types=["int32", type(record)])
    with pytest.raises(sb.LayoutError, match=f"{name} holds"):
        sb.layout(type(record), "hip")
    assert sb.sizeof(type(record), "cuda") == size
