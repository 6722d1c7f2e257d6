"""A kind of parameter that one file of another distribution adds: the checks of arrays hold on targets of the host."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import samebytes as sb

# Views of two dimensions and of one, as a library might have them; nothing else is said of them to samebytes.
FILE = """
from samebytes.read.cxxtypes.views.base import ViewClass

VIEWS = (
    ViewClass("grid::View", (None, 1), layout="stride", make="{type}({data}, {shape[0]}, {strides[0]}, {strides[1]})"),
    ViewClass("grid::Row", (None,), make="{type}{{{data}, {data} + {shape[0]}}}"),
)
"""
CLASSES = """
namespace grid {
template <class T, int Columns> class View {
  T* data_;
  long long rows_, down_, right_;
 public:
  D View(T* data, long long rows, long long down, long long right)
    : data_(data), rows_(rows), down_(down), right_(right) {}
  D long long rows() const { return rows_; }
  D T& at(long long i, long long j) const { return data_[i * down_ + j * right_]; }
};
template <class T> struct Row { T* first; T* last; };
}
"""
FOLDS = """
template <class T, int N> D Digest fold_view(const grid::View<T, N>& x) {
  Digest h = 17;
  for (int i = 0; i < x.rows(); ++i) for (int j = 0; j < N; ++j) h = h * 31 + fold(x.at(i, j));
  return h;
}
"""
ARRAYS = (
    "None", "1.5", "array", "of another type", "of float32", "of int32", "a dimension more", "flat", "Fortran order",
    "transposed", "strided", "backwards", "too short", "too long", "misaligned", "big-endian", "read-only",
    "overlapping", "empty", "0-d", "in other memory", "Pointer to an array", "null Pointer", "list", "struct",
    "float64x2",
)  # fmt: skip
# What the child says of each cell: the target's outcome and Python's, for every argument of the judge.
CHILD = f"""
import json, sys
sys.path.insert(0, sys.argv[2])
from tests.targets.judge import cells, sources
from tests.targets.judge.arguments import ARGUMENTS
from tests.targets.judge.kinds import Kind
from tests.targets.judge.targets import TARGETS

said, sys.stdout = sys.stdout, sys.stderr
kinds = [
    Kind("view", "grid::View<const double, 3> x", "fold_view(x)", shape=(2, 3), tags=frozenset({{"span"}})),
    Kind("view_out", "grid::View<float, 2> x", "fold_view(x)", "if (x.rows()) x.at(0, 1) = 2;", "f4", (4, 2),
         tags=frozenset({{"span"}})),
    Kind("row", "const grid::Row<int>& x", "fold_n(x.first, int(x.last - x.first))",
         "put(x.first, int(x.last - x.first));", "i4", tags=frozenset({{"span"}})),
    Kind("rowc", "grid::Row<const R> x", "fold_n(x.first, int(x.last - x.first))", element="R",
         tags=frozenset({{"span"}})),
]
folds = {CLASSES + FOLDS!r}
sources._FOLD += folds
python, target = TARGETS["Python"](kinds), TARGETS[sys.argv[1]](kinds)
found = {{}}
for kind in kinds:
    for name in {ARRAYS!r}:
        argument = ARGUMENTS[name]
        right = python.outcome(kind, argument)
        got = right if sys.argv[1] == "Python" else target.outcome(kind, argument)
        verdict = cells.verdict(sys.argv[1], (kind.name, name), right, got)
        found.setdefault(kind.name, {{}})[name] = verdict, right[0], str(got[1])[:300]
json.dump(found, said)
"""


@pytest.fixture(scope="module")
def plug_in(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("plug_in")
    (folder / "grid_views.py").write_text(FILE)
    home = folder / "grid_views-1.dist-info"
    home.mkdir()
    (home / "METADATA").write_text("Metadata-Version: 2.1\nName: grid_views\nVersion: 1\n")
    (home / "entry_points.txt").write_text("[samebytes.views]\ngrid = grid_views:VIEWS\n")
    return folder


# Arguments whose answers the rules of an array decide, and what of each kind is right; the rest is refused.
RIGHT = {
    "view": {"array", "Fortran order", "strided", "read-only", "empty"},
    "view_out": {"array", "of float32", "Fortran order", "strided", "empty"},
    "row": {"array", "of int32", "flat", "too short", "too long", "empty"},
    "rowc": {"array", "flat", "too short", "too long", "read-only", "empty"},
}


@pytest.mark.full
@pytest.mark.parametrize("target", ["Python", "package", "@njit"])
def test_its_checks_hold(target: str, plug_in: Path) -> None:
    """Functions of a ``.cu`` take no views yet: their page says so."""
    pytest.importorskip("numba")
    root = Path(__file__).parents[2]
    done = subprocess.run(
        [sys.executable, "-c", CHILD, target, str(plug_in)], cwd=root, capture_output=True, text=True,
        env={**os.environ, "SAMEBYTES_OPTIMIZE": "0"}, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-3000:]
    found = json.loads(done.stdout)
    for kind, row in found.items():
        # Numba's dispatcher takes arrays in the other byte order for native ones.
        unlike = {name: cell for name, cell in row.items() if cell[0] not in ("same", "refused", "")}
        assert {*unlike} <= {"big-endian"} & ({"big-endian"} if target == "@njit" else set()), unlike
        assert {name for name, cell in row.items() if cell[0] == "same"} == RIGHT[kind]
        assert len(row) == len(ARRAYS)


def test_libraries_that_are_known(tmp_path: Path) -> None:
    """The spans of libraries that may not be installed: stand-ins of their names and constructors."""
    (tmp_path / "views.hpp").write_text(KNOWN)
    lib = sb.bind(tmp_path / "views.hpp")
    numbers = np.arange(4.0)
    assert (lib.of_absl(numbers), lib.of_gsl(numbers), lib.of_boost(numbers)) == (6.0, 6.0, 6.0)
    with pytest.raises(sb.ArrayError, match=r"expected float64\[3\]"):
        lib.of_gsl3(numbers)
    for wrong in (numbers.astype("f4"), numbers[::2], numbers.reshape(2, 2)):
        with pytest.raises(sb.ArrayError, match=r"float64\[n\]"):
            lib.of_absl(wrong)


KNOWN = """
#include <cstddef>
namespace absl {
template <class T> class Span {
  T* data_; std::size_t n_;
 public:
  Span(T* data, std::size_t n) : data_(data), n_(n) {}
  T* begin() const { return data_; } T* end() const { return data_ + n_; }
};
}
#define SPAN                                                                   \\
  template <class T, std::size_t N = std::size_t(-1)> class span {            \\
    T* data_; std::size_t n_;                                                  \\
   public:                                                                     \\
    using element_type = T; static constexpr std::size_t extent = N;           \\
    span(T* data, std::size_t n) : data_(data), n_(n) {}                       \\
    T* begin() const { return data_; } T* end() const { return data_ + n_; }   \\
  };
namespace gsl { SPAN }
namespace boost { SPAN }
template <class S> double sum(const S& s) { double r = 0; for (double x : s) r += x; return r; }
inline double of_absl(absl::Span<const double> s) { return sum(s); }
inline double of_gsl(gsl::span<const double> s) { return sum(s); }
inline double of_gsl3(gsl::span<const double, 3> s) { return sum(s); }
inline double of_boost(const boost::span<double>& s) { return sum(s); }
"""
