"""Argument intents on the host: what each means in a call, and every way in which one can contradict a declaration."""

from __future__ import annotations

import ctypes
import gc
import pickle
import sys
import threading
import warnings

import numpy as np
import pytest

import samebytes as sb

STATS = """
struct RunningStats { int count; float sum; float sum_sq; };
struct Vec { float x, y, z, w; };
inline void stats_update(RunningStats &state, float x) { state.count++; state.sum += x; state.sum_sq += x * x; }
inline void stats_get_mean(const RunningStats &state, float &mean_out) { mean_out = state.sum / state.count; }
inline bool zscore(RunningStats &state, float x, float &out) { stats_update(state, x); out = x - 1; return true; }
inline void matrix(float out[3][4]) { for (int i = 0; i < 12; ++i) out[i / 4][i % 4] = i; }
inline void vectors(Vec out[3]) { for (int i = 0; i < 3; ++i) out[i] = {i + .25f, i + .5f, i + .75f, float(i)}; }
"""

SOURCE = """
#include <array>
struct Node { int value; Node* next; };
struct Wide { alignas(64) double x; };
enum class Level : unsigned char { low = 1, high = 2 };
void iota(int n, float* out) { for (int i = 0; i < n; ++i) out[i] = i; }
long table(int rows, int cols, double* out) {
  for (int i = 0; i < rows * cols; ++i) out[i] = i;
  return rows;
}
void strips(unsigned n, int out[][4]) { for (unsigned i = 0; i < 4 * n; ++i) out[i / 4][i % 4] = i; }
void cube(int out[2][3][2]) { for (int i = 0; i < 12; ++i) out[i / 6][i / 2 % 3][i % 2] = i; }
void raw(void* out) { static_cast<float*>(out)[1] = 3; }
void two(int* a, double* b) { *a = 1; *b = 2.5; }
void moved(float&& x) { x = 7; }
void add(int* p, int by) { if (p) *p += by; }
void triple(float (&v)[3]) { for (float& x : v) x *= 3; }
void pair(std::array<double, 2>& a) { a[0] = 5; }
void grow(Node& node) { ++node.value; }
void chain(Node nodes[2]) { nodes[0] = {1, nullptr}; nodes[1] = {2, nullptr}; }
void raise_level(Level& level) { level = Level::high; }
void wide(Wide out[2]) { out[1].x = reinterpret_cast<unsigned long>(out) % 64; }
void wides(int n, Wide* out) { for (int i = 0; i < n; ++i) out[i].x = reinterpret_cast<unsigned long>(out) % 64; }
void names(const char* out[2]) { out[0] = "one"; out[1] = nullptr; }
int fill(float* out, int n = 3) { for (int i = 0; i < n; ++i) out[i] = n; return n; }
void levels(Level out[2]) { out[0] = Level::low; out[1] = Level::high; }
"""


@pytest.fixture(scope="module")
def stats():
    return sb.compile(
        STATS,
        arg_intent={
            "stats_update": {"state": "inout_ptr"},
            "stats_get_mean": {"state": "in", "mean_out": sb.out_ptr},
            "zscore": {0: "inout_ptr", "out": {"intent": "out_return"}},
            "matrix": {"out": {"intent": "out_array_return", "dtype": "float", "length": 12}},
            "vectors": {"out": sb.out_array_return(dtype="Vec", length=3)},
        },
    )


@pytest.fixture(scope="module")
def lib():
    return sb.compile(
        SOURCE,
        arg_intent={
            "iota": {"out": sb.out_array_return(length="n")},
            "table": {"out": sb.out_array_return(length="rows * cols", as_array=True)},
            "strips": {"out": sb.out_array_return(length="n * 4", shape=True)},
            "cube": {"out": sb.out_array_return(shape=True)},
            "raw": {"out": sb.out_array_return(sb.float32, 2)},
            "two": {"a": sb.out_return, "b": sb.out_return},
            "moved": {0: "out_return"},
            "add": {"p": "inout_ptr"},
            "triple": {"v": "inout_ptr"},
            "pair": {0: "inout_ptr"},
            "grow": {0: "inout_ptr"},
            "chain": {0: sb.out_array_return},
            "raise_level": {0: "out_return"},
            "wide": {0: "out_array_return"},
            "wides": {"out": sb.out_array_return(length="n")},
            "names": {0: "out_array_return"},
            "fill": {"out": sb.out_array_return(length="n")},
            "levels": {0: "out_array_return"},
        },
    )


class TestPlaces:
    """inout_ptr and out_ptr: C++ changes the caller's own object."""

    def test_a_record_is_changed(self, stats):
        state = stats.RunningStats()
        for x in (1, 2, 3):
            assert stats.stats_update(state, x) is None
        assert state == stats.RunningStats(3, 6, 14)

    @pytest.mark.parametrize(
        "make",
        [
            lambda: np.zeros(1, np.float32),
            lambda: np.zeros((1, 1), np.float32),
            lambda: np.zeros((), np.float32),
            lambda: np.zeros(4, np.float32)[2:3],
            ctypes.c_float,
            lambda: (ctypes.c_float * 1)(),
            lambda: bytearray(4),
        ],
    )
    def test_a_place_of_one_element_is_filled(self, stats, make):
        state, place = stats.RunningStats(2, 3, 0), make()
        if isinstance(place, bytearray):
            place = memoryview(place).cast("f")
        for _ in range(2):  # the second time the core knows it
            stats.stats_get_mean(state, place)
        assert np.frombuffer(np.asarray(place), np.float32)[0] == 1.5

    def test_a_ctypes_pointer_means_its_target(self, stats):
        target = ctypes.c_float()
        stats.stats_get_mean(stats.RunningStats(2, 3, 0), ctypes.pointer(target))
        assert target.value == 1.5

    def test_an_address_is_taken_as_it_is(self, stats):
        place = np.zeros(1, np.float32)
        stats.stats_get_mean(stats.RunningStats(2, 3, 0), sb.Pointer(place.ctypes.data, place))
        assert place[0] == 1.5

    def test_a_numpy_record_and_a_ctypes_structure(self, stats):
        class CStats(ctypes.Structure):
            _fields_ = (("count", ctypes.c_int), ("sum", ctypes.c_float), ("sum_sq", ctypes.c_float))

        state, records = CStats(), np.zeros(1, stats.RunningStats.dtype)
        stats.stats_update(state, 2)
        stats.stats_update(records, 2)
        assert (state.count, state.sum, state.sum_sq) == (1, 2, 4)
        assert records[0].item() == (1, 2, 4)

    def test_pointers_take_many_elements_or_none(self, lib):
        counts = np.array([1, 5], np.int32)
        lib.add(counts, 2)
        lib.add(None, 2)
        assert counts.tolist() == [3, 5]

    def test_references_to_arrays(self, lib):
        row, grid, pair = np.ones(3, np.float32), np.ones((1, 3), np.float32), np.zeros(2)
        lib.triple(row)
        lib.triple(grid)
        lib.pair(pair)
        assert (row.tolist(), grid.tolist(), pair.tolist()) == ([3, 3, 3], [[3, 3, 3]], [5, 0])

    @pytest.mark.parametrize(
        ("place", "error", "words"),
        [
            (1.0, sb.IntentError, 'float objects never change: numpy.zeros(1, "float32") is such a place'),
            (np.float32(1), sb.IntentError, "float32 objects never change"),
            (None, sb.ArgumentError, "A C++ reference is never null"),
            (sb.Pointer(0), sb.ArgumentError, "A C++ reference is never null"),
            (ctypes.POINTER(ctypes.c_float)(), sb.ArgumentError, "a null LP_c_float (ctypes)"),
            (np.zeros(2, np.float32), sb.ArrayError, "x[i:i + 1] is a place of one element"),
            (np.zeros(0, np.float32), sb.ArrayError, "x[i:i + 1] is a place of one element"),
            (np.zeros(1), sb.ArrayError, "expected a place that C++ may change: a writable float32[1]"),
            (np.broadcast_to(np.float32(1), (1,)), sb.ArrayError, "pass a writable array"),
            (ctypes.c_double(), sb.ArrayError, "float64"),
            (ctypes.pointer(ctypes.c_int()), sb.ArrayError, "int32"),
            ([1.0], sb.ArgumentError, "a list"),
        ],
    )
    def test_what_is_no_place(self, stats, place, error, words):
        state = stats.RunningStats(2, 3, 0)
        for _ in range(2):
            with pytest.raises(error) as caught:
                stats.stats_get_mean(state, place)
            assert words in str(caught.value)
            assert "stats_get_mean() argument 2 'mean_out'" in str(caught.value)

    @pytest.mark.parametrize("value", [(1, 2.0, 3.0), "value"])
    def test_an_immutable_struct_is_no_place(self, stats, value):
        state = stats.RunningStats(1, 2, 3)
        with pytest.raises(sb.IntentError, match=r"never change: pass a record, RunningStats\(\.\.\.\)"):
            stats.stats_update(state.value if value == "value" else value, 1)
        assert state.count == 1

    def test_the_number_of_elements_of_an_array_reference(self, lib):
        with pytest.raises(sb.ArrayError, match="it must have 3 elements"):
            lib.triple(np.ones(4, np.float32))

    def test_a_record_keeps_what_its_pointers_point_to(self, lib):
        node = lib.Node(1, lib.Node(2, None))
        gc.collect()
        lib.grow(node)
        assert node.value == 2


class TestReturned:
    """out_return and out_array_return: the seed's packing."""

    def test_the_seeds_results(self, stats):
        state = stats.RunningStats()
        assert stats.zscore(state, 4) == (True, 3.0)
        assert stats.matrix() == tuple(map(float, range(12)))
        assert stats.vectors()[1] == stats.Vec(1.25, 1.5, 1.75, 1)

    def test_two_outputs_are_a_tuple_and_one_is_itself(self, lib):
        assert lib.two() == (1, 2.5)
        assert lib.moved() == 7
        assert lib.raise_level() is lib.Level.high

    def test_shapes_are_the_declared_extents(self, lib):
        assert lib.cube() == (((0, 1), (2, 3), (4, 5)), ((6, 7), (8, 9), (10, 11)))

    def test_elements_of_every_kind(self, lib):
        assert [n.value for n in lib.chain()] == [1, 2]
        assert lib.names() == ("one", None)
        assert lib.raw() == (0.0, 3.0)
        assert lib.levels() == (lib.Level.low, lib.Level.high)
        assert [w.x for w in lib.wide()] == [0, 0]
        assert [w.x for w in lib.wides(3)] == [0, 0, 0]

    def test_the_call_says_the_length(self, lib):
        assert [lib.iota(n) for n in (3, 0, np.int64(1))] == [(0.0, 1.0, 2.0), (), (0.0,)]
        assert lib.iota(n=2) == (0.0, 1.0)
        assert lib.strips(2) == ((0, 1, 2, 3), (4, 5, 6, 7))
        assert lib.strips(0) == ()

    def test_a_length_that_has_a_default(self, lib):
        assert lib.fill() == (3, (3.0, 3.0, 3.0))
        assert lib.fill(1) == (1, (1.0,))

    def test_arrays_are_arrays(self, lib):
        rows, found = lib.table(2, 3)
        assert rows == 2
        assert (found.dtype, found.shape, found.flags.writeable) == (np.float64, (6,), True)
        assert found.tolist() == [0, 1, 2, 3, 4, 5]
        again = lib.table(2, 3)[1]
        again[:] = 9
        assert found[5] == 5

    def test_array_elements(self):
        made = sb.compile(
            "#include <samebytes/vector.hpp>\nstruct P { char c; int x; };\n"
            "void v(samebytes::float32x4 out[2]) { out[1].y = 3; }\n"
            "void p(P out[2]) { out[1] = {1, 2}; }\n"
            "void m(float out[2][3]) { out[1][2] = 5; } void e(int n, float out[][3]) { out[n / 3 - 1][2] = 6; }",
            arg_intent={
                "v": {0: sb.out_array_return(as_array=True)},
                "p": {0: sb.out_array_return(as_array=True)},
                "m": {0: sb.out_array_return(as_array=True, shape=True)},
                "e": {"out": sb.out_array_return(as_array=True, shape=True, length="n")},
            },
        )
        assert made.v().tolist() == [[0, 0, 0, 0], [0, 3, 0, 0]]
        assert made.p().dtype == made.P.dtype
        assert made.p()[1].item() == (1, 2)
        assert made.m().tolist() == [[0, 0, 0], [0, 0, 5]]
        assert (made.e(3).shape, made.e(6)[1, 2]) == ((1, 3), 6)

    @pytest.mark.parametrize(
        ("call", "error", "words"),
        [
            (lambda lib: lib.iota(-1), sb.RangeError, "iota() cannot make room for its output 'out'"),
            (lambda lib: lib.table(-1, -1), sb.RangeError, "a length is not negative, got -1"),
            (lambda lib: lib.iota(2.5), sb.ArgumentError, "argument 1 'n'"),
            (lambda lib: lib.iota(), sb.ArgumentError, "iota() got 0 arguments"),
            (lambda lib: lib.iota(1, np.zeros(1, np.float32)), sb.ArgumentError, "got 2 arguments"),
        ],
    )
    def test_calls_that_cannot_be(self, lib, call, error, words):
        with pytest.raises(error) as caught:
            call(lib)
        assert words in str(caught.value)

    def test_whole_rows(self):
        made = sb.compile(
            "void e(int n, float out[][3]) {}", arg_intent={"e": {"out": sb.out_array_return(length="n")}}
        )
        with pytest.raises(sb.RangeError, match="whole rows of 3 elements, got a length of 4"):
            made.e(4)

    def test_functions_pickle_and_threads_have_their_own_storage(self, lib):
        table = pickle.loads(pickle.dumps(lib.table))
        wrong = []

        def work(n):
            for _ in range(200):
                rows, found = table(n, 5)
                if rows != n or found.tolist() != list(range(5 * n)) or len(lib.iota(n)) != n:
                    wrong.append(n)

        threads = [threading.Thread(target=work, args=(n,)) for n in range(1, 5)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert not wrong

    def test_nothing_leaks(self, lib):
        held = [np.zeros(1, np.int32), lib.Node(1, None)]
        for _ in range(50):
            lib.table(3, 3), lib.iota(5), lib.add(held[0], 1), lib.grow(held[1])
        before = sys.getrefcount(held[0]), sys.getrefcount(held[1]), len(gc.get_objects())
        for _ in range(50):
            lib.table(3, 3), lib.iota(5), lib.add(held[0], 1), lib.grow(held[1])
        after = sys.getrefcount(held[0]), sys.getrefcount(held[1]), len(gc.get_objects())
        assert after[:2] == before[:2]
        assert after[2] - before[2] < 20


class TestDeclarations:
    """What a declaration may leave out, and what else may be an output."""

    def test_unnamed_parameters_have_indices(self):
        lib = sb.compile(
            "void g(int&, double&); void g(int& a, double& b) { a = 1; b = 2; }\n"
            "inline void h(int&, float*) {}",
            arg_intent={"g": {0: "out_return", 1: "out_return"}, "h": {0: "inout_ptr", 1: "out_return"}},
        )
        assert lib.g() == (1, 2.0)
        place = np.zeros(1, np.int32)
        assert lib.h(place) == 0.0
        assert lib.h(arg0=place) == 0.0

    def test_rvalue_references_and_defaults(self):
        lib = sb.compile(
            "void r(float&& x) { x = 8; } void d(int x, int* p = nullptr) { if (p) *p = x; }",
            arg_intent={"r": {0: "inout_ptr"}, "d": {"p": "inout_ptr"}},
        )
        place, number = np.zeros(1, np.float32), np.zeros(1, np.int32)
        lib.r(place)
        lib.d(1)
        lib.d(4, number)
        assert (place[0], number[0]) == (8, 4)

    def test_texts_containers_and_unions(self):
        lib = sb.compile(
            "#include <string>\n#include <vector>\nunion U { int i; float f; };\n"
            'void s(std::string& out) { out = "abc"; } void v(std::vector<double>& out) { out = {1, 2}; }\n'
            'void u(U& out) { out.f = 1; } void p(const char** out) { *out = "text"; }',
            arg_intent={name: {"out": "out_return"} for name in "svup"},
        )
        assert (lib.s(), lib.v().tolist(), lib.u().f, lib.p()) == ("abc", [1, 2], 1.0, "text")

    def test_text_is_no_place(self):
        with pytest.raises(
            sb.IntentError, match=r"s\(\) parameter 'out': 'inout_ptr' needs an object to write to"
        ):
            sb.compile("#include <string>\nvoid s(std::string& out) {}", arg_intent={"s": {0: "inout_ptr"}})


class TestSignatures:
    def test_what_is_shown(self, stats, lib):
        shown = [f.__doc__.splitlines() for f in (stats.stats_update, stats.stats_get_mean, stats.zscore)]
        lines = [next(line for line in doc if "->" in line) for doc in shown]
        assert lines == [
            "stats_update(state: pointer[RunningStats], x: float32) -> None",
            "stats_get_mean(state: RunningStats, mean_out: pointer[float32]) -> None",
            "zscore(state: pointer[RunningStats], x: float32) -> tuple[bool, float32]",
        ]
        assert "matrix() -> carray[float32, 12]" in stats.matrix.__doc__
        assert "cube() -> carray[int32, 2, 3, 2]" in lib.cube.__doc__


class TestTypes:
    @pytest.mark.parametrize("dtype", ["float", "float32", np.float32, np.dtype("f4"), sb.float32, "real"])
    def test_spellings_of_an_element(self, dtype):
        lib = sb.compile(
            "typedef float real; void f(real out[2]) { out[1] = 2; }",
            arg_intent={"f": {"out": sb.out_array_return(dtype, 2)}},
        )
        assert lib.f() == (0.0, 2.0)

    @pytest.mark.full
    def test_numba_types(self):
        types = pytest.importorskip("numba", reason="Numba's types as dtype").types
        lib = sb.compile(
            "void f(float out[2]) { out[1] = 2; }",
            arg_intent={"f": {0: sb.out_array_return(types.float32, 2)}},
        )
        assert lib.f() == (0.0, 2.0)

    def test_structs_in_namespaces_and_void(self):
        lib = sb.compile(
            "namespace n { struct S { int a; }; S s(S s) { return s; }\n"
            "void f(void* out) { static_cast<S*>(out)[1].a = 4; } }",
            arg_intent={"n::f": {0: sb.out_array_return("S", 2)}},
        )
        assert lib.n.f() == (lib.n.S(0), lib.n.S(4))


class TestMembers:
    """Keys name the class; indices do not count the object."""

    @pytest.fixture(scope="class")
    @classmethod
    def members(cls):
        return sb.compile(
            "namespace ns { struct S { int n; void get(int i, float& out) const { out = n * i; }\n"
            "bool both(int& a, double* b) { a = n++; *b = 2; return true; } static void make(S& s) { s.n = 9; }\n"
            "void fill(int k, float* out) { for (int i = 0; i < k; ++i) out[i] = n; }\n"
            "void over(int& a) { a = 3; } void over(float, int& a) { a = 4; } }; }\n"
            "struct T { int n; T(int& out) : n(1) { out = 5; } };",
            arg_intent={
                "S.get": {1: "out_return"},
                "ns::S::both": {"a": "out_return", "b": "out_return"},
                "S.make": {0: "out_return"},
                "ns::S.fill": {"out": sb.out_array_return(length="k")},
                "S.over": {"a": "out_return"},
                "T.T": {"out": "inout_ptr"},
            },
        )

    def test_methods(self, members):
        s = members.ns.S(4)
        assert (s.get(3), s.both(), s.n, s.fill(2)) == (12.0, (True, 4, 2.0), 5, (5.0, 5.0))
        assert (s.over(), s.over(1.0)) == (3, 4)
        assert members.ns.S.make() == members.ns.S(9)

    def test_constructors(self, members):
        place = np.zeros(1, np.int32)
        assert members.T(place).n == 1
        assert place[0] == 5


def test_chosen_inputs_are_no_warning():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        sb.compile("void f(int& x) { x = 1; }", arg_intent={"f": {"x": sb.in_}})


def test_an_operator_that_lost_an_operand_goes_by_its_cxx_name():
    lib = sb.compile(
        "struct S { int n; int operator*(int& o) const { o = n; return 1; } };"
        "inline int operator+(const S& s, int& o) { o = s.n; return 2; }",
        arg_intent={"operator+": {"o": "out_return"}, "S.operator*": {"o": "out_return"}},
    )
    s = lib.S(3)
    assert getattr(s, "operator*")() == (1, 3)
    assert getattr(lib, "operator+")(s) == (2, 3)
    for call in (lambda: s + 1, lambda: s * 1):
        with pytest.raises(TypeError, match="unsupported operand"):
            call()
