"""What the mistakes of a first hour are told: which function and argument, what was expected, and what to do."""

import re
import warnings
from pathlib import Path

import numpy as np
import pytest

import samebytes as sb

SOURCE = """
void fill(double* x, int n) { for (int i = 0; i < n; ++i) x[i] = i; }
double sum(const double* x, int n) { double s = 0; for (int i = 0; i < n; ++i) s += x[i]; return s; }
int ratio(int a, double b) { return a * b; }
bool extremes(const double* x, int n, double* low, double& high) { *low = high = x[n - 1]; return n > 0; }
void make(int** out, int room) { *out = nullptr; }
struct Tank { int level; void read(int* out) const { *out = level; } };
int levels(const Tank* tanks, int n) { int s = 0; for (int i = 0; i < n; ++i) s += tanks[i].level; return s; }
"""


@pytest.fixture(scope="module")
def lib():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", sb.BindWarning)  # of what C++ writes to `high`, the subject of a test
        return sb.compile(SOURCE)


def _read_only():
    x = np.zeros(3)
    x.flags.writeable = False
    return x


MISTAKES = {
    "dtype": (lambda lib: lib.sum(np.zeros(3, int), 3), sb.ArrayError, ["'x'", "float64", "int64", "astype"]),
    "strided": (lambda lib: lib.sum(np.zeros(6)[::2], 3), sb.ArrayError, ["'x'", "ascontiguousarray"]),
    "read-only": (lambda lib: lib.fill(_read_only(), 3), sb.ArrayError, ["'x'", "read-only", "const"]),
    "list": (lambda lib: lib.fill([1.0], 1), sb.ArgumentError, ["'x'", "a list", "numpy.array"]),
    "overflow": (lambda lib: lib.ratio(2**40, 1), sb.RangeError, ["'a'", "int32", "1099511627776", "int64 would"]),
    "float": (lambda lib: lib.ratio(1.5, 1), sb.ArgumentError, ["'a'", "int32", "1.5", "int(x)"]),
    "no records": (lambda lib: lib.levels(np.zeros(3), 3), sb.ArrayError, ["'tanks'", "): the elements must be Tank"]),
    "too few": (lambda lib: lib.ratio(1), sb.ArgumentError, ["got 1 argument; it takes", "(a: int32, b: float64)"]),
    "typing": (lambda lib: lib.ratoi(1, 2), AttributeError, ["'ratoi'", "'ratio'"]),
}  # fmt: skip


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_call_that_does_not_fit_says_what_to_do(lib, mistake):
    call, kind, words = MISTAKES[mistake]
    with pytest.raises(kind) as caught:
        call(lib)
    assert [word for word in words if word not in str(caught.value)] == []


OUTPUTS = {
    "behind": (lambda lib: lib.extremes(np.zeros(3), 3), "{'extremes': {'low': 'out_return', 'high': 'out_return'}}"),
    "before": (lambda lib: lib.make(16), "{'make': {'out': 'out_return'}}"),
    "of a method": (lambda lib: lib.Tank(1).read(), "{'Tank.read': {'out': 'out_return'}}"),
}  # fmt: skip


@pytest.mark.parametrize("place", OUTPUTS)
def test_a_call_without_what_may_be_outputs_says_the_intent(lib, place):
    call, intent = OUTPUTS[place]
    with pytest.raises(sb.ArgumentError, match=re.escape(f"arg_intent={intent} returns")):
        call(lib)


def test_an_array_is_not_taken_for_an_output(lib):
    with pytest.raises(sb.ArgumentError) as caught:
        lib.fill(np.zeros(3))
    assert "arg_intent" not in str(caught.value)


def test_the_intents_that_an_error_names_are_right():
    said = {"extremes": {"low": "out_return", "high": "out_return"}}
    assert sb.compile(SOURCE, arg_intent=said).extremes(np.ones(2), 2) == (True, 1, 1)


SOURCES = {
    "syntax": ("int f(int x) { return x + ; }", r"^the compiler refused source\.cpp\n\nsource\.cpp: In function"),
    "no header": ('#include "none.h"\nint f();', r"^the compiler finds no header 'none\.h' \(include_dirs= or pkg="),
    "no definition": (
        "namespace n { int g(double); } int f() { return n::g(1); }",
        r"^the linker found no definition of n::g\(double\) \(sources= or (?s:.*)reference to `n::g\(double\)'",
    ),
}  # fmt: skip


@pytest.mark.parametrize("mistake", SOURCES)
def test_a_source_that_is_refused_is_named(mistake):
    source, words = SOURCES[mistake]
    with pytest.raises(sb.CompileError, match=words) as caught:
        sb.compile(source)
    assert "from shims" not in str(caught.value)


def test_a_library_that_is_no_file_is_named(tmp_path):
    header = tmp_path / "f.hpp"
    header.write_text("inline int f() { return 1; }\n")
    missing = tmp_path / "libnone.so"
    with pytest.raises(sb.CompileError, match=re.escape(f"the linker finds no library '{missing}'\n")):
        sb.bind(header, libraries=[str(missing)])


def test_opaque_types_are_worth_no_warning(tmp_path):
    header = tmp_path / "db.h"
    header.write_text("typedef struct db db;\nstatic inline int db_size(const db* d) { return d ? 1 : 0; }\n")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        lib = sb.bind(header)
    assert lib.db_size(None) == 0
    assert all("only its name is declared" in s.reason for s in lib.__skipped__)
    assert lib.__skipped__


def test_what_an_undefined_name_is_called_in_a_reason(tmp_path):
    header = tmp_path / "g.hpp"
    header.write_text("int g(double);\ninline int f() { return g(1); }\n")
    with pytest.warns(sb.BindWarning, match=r"uses g\(double\), which no source or library"):
        lib = sb.bind(Path(header))
    with pytest.raises(AttributeError, match=r"uses g\(double\)"):
        lib.f()


def test_a_class_to_derive_from_is_worth_no_warning():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        lib = sb.compile(
            "struct Op { int n; explicit Op(int n) : n(n) {} virtual ~Op() = default; virtual int f() = 0; };"
        )
    assert [s.reason.partition(": ")[2] for s in lib.__skipped__] == ["it is abstract"]


def test_a_list_of_records_says_how_it_becomes_an_array():
    lib = sb.compile("struct Hit { int id; double e; };")
    records = [lib.Hit(1, 2.5)]
    with pytest.raises(TypeError, match=re.escape("np.stack([np.asarray(x) for x in xs])")):
        np.array(records)
    assert np.stack([np.asarray(x) for x in records])["e"].tolist() == [2.5]


@pytest.mark.parametrize("beside", ["", "#define OTHER 3\n"])
@pytest.mark.parametrize("language", ["c", "c++"])
def test_a_macro_with_parameters_says_so_when_it_is_asked_for(tmp_path, language, beside):
    header = tmp_path / "m.h"
    header.write_text(
        f"{beside}#define TWICE(x) (2 * (x))\n#define GONE(x) x\n#undef GONE\n"
        "static inline int f(void) { return TWICE(2); }\n"
    )
    lib = sb.bind(header, language=language)
    assert lib.f() == 4
    assert [(s.name, s.location.line) for s in lib.__skipped__] == [("TWICE", 1 + bool(beside))]
    with pytest.raises(AttributeError, match="it is a macro with parameters"):
        lib.TWICE  # noqa: B018
