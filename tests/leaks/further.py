"""Cycles of owners that C++ and Python share, callables that C++ keeps, outputs, allocations, memory that travels."""

from __future__ import annotations

import copy
import ctypes
import pickle
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
from shared import BUFFER_VIEW, INTERFACE, F, X, plus, raises, refused
from sources import built

import samebytes as sb

SOURCE = r"""
#include <atomic>
#include <cstring>
#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <variant>
#include <vector>
#include <samebytes/array.hpp>
inline std::atomic<long>& balance() { static std::atomic<long> n{0}; return n; }
inline long alive() { return balance(); }
struct Counted {
  Counted() { ++balance(); }
  Counted(const Counted&) { ++balance(); }
  Counted& operator=(const Counted&) = default;
  ~Counted() { --balance(); }
};
class Shape { Counted counted; public: virtual ~Shape() = default; virtual int sides() const { return 0; } };
class Square : public Shape { std::string name = "a square whose name is long"; public: int side = 4;
  int sides() const override { return 4; } };
class Root { Counted counted; public: int root = 1; virtual ~Root() = default; int up() const { return root; } };
class Left : public virtual Root { public: int left = 2; };
class Both : public Left, public virtual Root { public: int both = 3; };
struct Given { int n; Counted counted; explicit Given(int i) : n(i) {} Given(const Given&) = delete; };
class Throws { int n; Counted counted; public: explicit Throws(int i) : n(i) {} Throws(const Throws&) = default;
  Throws(Throws&& o) : n(std::exchange(o.n, 0)) {}
  ~Throws() noexcept(false) { if (n) throw std::runtime_error("a destructor's"); } int get() const { return n; } };
inline std::unique_ptr<Given> give(int n) { return n ? std::make_unique<Given>(n) : nullptr; }
inline int own(std::unique_ptr<Given> p) { return p ? p->n : -1; }
inline int lend(const std::unique_ptr<Given>& p) { return p ? p->n : -1; }
inline std::shared_ptr<Shape> share(bool square) {
  return square ? std::make_shared<Square>() : std::make_shared<Shape>(); }
inline int use(std::shared_ptr<Shape> p) { return p ? p->sides() : -1; }
inline std::shared_ptr<Shape> back(std::shared_ptr<Shape> p) { return p; }
inline std::shared_ptr<Shape>& slot() { thread_local std::shared_ptr<Shape> p; return p; }
inline void put(std::shared_ptr<Shape> p) { slot() = p; }
inline const Shape& seen(const Shape& s) { return s; }
using text_or = std::variant<std::monostate, int, std::string, std::vector<double>>;
inline text_or same(const text_or& v) { return v; }
inline std::optional<std::string> maybe(std::optional<std::string> s) { return s; }
class Button { std::function<std::string(const std::string&, int)> f; public:
  void set(std::function<std::string(const std::string&, int)> g) { f = g; }
  std::string press(int n) { return f ? f("a word that is not short at all", n) : ""; }
  int quiet(int n) noexcept { return static_cast<int>(f("noexcept", n).size()); } };
inline double apply(std::function<double(double)> f, double x) { return f(x); }
inline int look(const std::function<int(const Shape&)>& f) { return f(Square()); }
inline std::pair<Throws, int> thrown(int n) { return {Throws(n), n}; }
struct Wide { double d[700]; };
inline double wide(Wide a, Wide b) { return a.d[0] + b.d[699]; }
inline double eight(double a, double b, double c, double d, double e, double f, double g, double h) {
  return a + b + c + d + e + f + g + h; }
inline float eighth(float a, short b, unsigned char c, bool d, long e, float f, const float* g, float h) {
  return a + b + c + d + e + f + *g + h; }
inline double lines(const double* a, const double* b, const double* c, const double* d, const double* e,
                    const double* f) { return *a + *b + *c + *d + *e + *f; }
inline void image(int rows, int cols, unsigned char* out) { std::memset(out, 7, rows * cols); }
inline void iota(int n, double* out) { for (int i = 0; i < n; ++i) out[i] = i; }
struct Table { int (*twice)(int); struct { int (*inner)(int); const char* name; } deep[2]; double fill[2]; };
inline int ask(const Table& t, int x) { return t.deep[1].inner(t.twice(x)); }
struct Bits { int a : 5; unsigned b : 9; short c[3]; };
struct Vec { double x, y; double norm() const { return x * x + y * y; } int count() const { return 2; } };
inline double grid(samebytes::array<const float, 2> a) { return a(0, 0); }
"""

API = """
#include <stddef.h>
typedef enum { OK = 0 } status_t;
typedef int (*visit_t)(void *data, int i);
typedef struct { visit_t visit; struct { visit_t inner; void *data; } part; int n; } ops_t;
status_t take(void **p, size_t size);
status_t give(void *p);
status_t names(const char **list, int n, int *total);
status_t sizes(const unsigned *list, int n, int *total);
status_t run(const ops_t *ops, int *result_out);
long out(void);
typedef struct { const char *data; size_t size; } text_t;
typedef void *(*place_t)(size_t size);
status_t doubled(int *list, int n);
status_t places(void **handles, int n);
status_t fill(unsigned char *dest, size_t *dest_len);
void text(text_t *it);
const char *key(size_t *len);
status_t put(place_t place, size_t n);
"""
API_SOURCE = """
#include <stdlib.h>
#include <string.h>
#include <stdatomic.h>
#include "pool.h"
static _Atomic long blocks;
status_t take(void **p, size_t n) { return *p = calloc(1, n), ++blocks, OK; }
status_t give(void *p) { return free(p), --blocks, OK; }
status_t names(const char **l, int n, int *t) { *t = 0; while (n--) *t += strlen(*l++); return OK; }
status_t sizes(const unsigned *l, int n, int *t) { *t = 0; while (n--) *t += *l++; return OK; }
status_t run(const ops_t *o, int *r) { return *r = o->visit(0, o->n) + o->part.inner(0, o->n), OK; }
long out(void) { return blocks; }
status_t doubled(int *l, int n) { while (n--) *l++ *= 2; return OK; }
status_t places(void **handles, int n) { void **l = handles; while (n--) l[n] = (void *)(16L * n); return OK; }
status_t fill(unsigned char *d, size_t *n) { memset(d, 7, *n); *n /= 2; return OK; }
/* A block without a NUL: its end is that of the memory. */
static const char *block(void) {
  static _Atomic(char *) made;
  char *fresh, *none = 0;
  if (made) return made;
  fresh = memcpy(malloc(3), "abc", 3);
  if (!atomic_compare_exchange_strong(&made, &none, fresh)) free(fresh);
  return made;
}
void text(text_t *it) { it->data = block(); it->size = 3; }
const char *key(size_t *len) { return *len = 3, block(); }
status_t put(place_t place, size_t n) { void *to = place(n); return to ? memset(to, 1, n), OK : OK; }
"""
INTENTS = {
    "image": {"out": sb.out_array_return(length="rows * cols", as_array=True)},
    "iota": {"out": sb.out_array_return(length="n")},
}


def compiled(**more: Any) -> Any:
    """The C++ library."""
    return sb.compile(SOURCE, **{"std": "c++17", "arg_intent": INTENTS, "name": "further"} | more)


def bound(folder: Path) -> Any:
    """A C API that allocates, and takes back what it gave."""
    made = built(folder, "pool", API, API_SOURCE)
    allocations = {"take": {"pointer": "p", "size": "size", "memory": "host", "free": "give"}}
    return sb.bind(folder / "pool.h", library=made, style="c_api", allocations=allocations)


def owners(lib: Any) -> dict[str, Callable[[], Any]]:
    """Smart pointers both ways, derived objects, virtual bases, throwing destructors."""
    square = lib.Square()

    def taken() -> None:
        made = lib.Given(3)
        assert lib.lend(made) == 3
        assert lib.own(made) == 3
        refused(lib.own, made)

    def shared() -> None:
        made = lib.Square()
        again = lib.back(made)
        lib.put(made)
        del made
        assert again.sides() == 4
        lib.put(None)

    def thrown() -> None:
        before, sys.unraisablehook = sys.unraisablehook, lambda told: None
        try:
            assert lib.Throws(3).get() == 3
            assert lib.thrown(2)[1] == 2
        finally:
            sys.unraisablehook = before

    return {
        "an object given away": taken,
        "an object given and given back": lambda: lib.own(lib.give(4)),
        "a null smart pointer": lambda: (lib.give(0), lib.own(None), lib.use(None)),
        "shared objects": shared,
        "objects of derived classes": lambda: (lib.share(True).side, lib.share(False).sides()),
        "a reference to a base": lambda: (lib.seen(square).side, square == lib.seen(square), hash(square)),
        "virtual bases": lambda: (lib.Both().up(), lib.Both().root, lib.Both().left),
        "views of objects": lambda: lib.Square.__samebytes_view__(
            square.__samebytes_address__, square
        ).sides(),
        "destructors that throw": thrown,
        "copies of objects": lambda: (copy.copy(square), copy.deepcopy(square)),
    }


def callables(lib: Any) -> dict[str, Callable[[], Any]]:
    """std::function, what it keeps and what goes wrong in it."""

    def pressed() -> None:
        made = lib.Button()
        made.set(lambda word, n: f"{word} {n}")
        assert made.press(3).endswith("3")
        assert made.quiet(1) > 3

    def failing() -> None:
        made = lib.Button()
        made.set(lambda word, n: raises(n))
        refused(made.press, 1, error=KeyError)
        refused(made.quiet, 1, error=KeyError)
        made.set(lambda word, n: 3)
        refused(made.press, 1)
        made.set(None)

    def empty() -> None:
        made = lib.Button()
        made.set(None)
        assert made.press(1) == ""

    return {
        "a std::function": lambda: lib.apply(lambda x: x + 1, 2.0),
        "a std::function that is kept": pressed,
        "a std::function that fails": failing,
        "objects shown to callables": lambda: lib.look(lambda shape: shape.sides()),
        "an empty std::function": empty,
    }


def values(lib: Any) -> dict[str, Callable[[], Any]]:
    """Variants, outputs, wide and many arguments, records with callables inside."""
    wide, vec = lib.Wide(), lib.Vec(3, 4)
    lines = [np.ones(2) for _ in range(6)]

    def table() -> None:
        made = lib.Table()
        made.twice = lambda x: 2 * x
        part = made.deep[1]
        part.inner = lambda x: x + 1
        part.name = "a name"
        del part
        assert lib.ask(made, 3) == 7
        made.deep[1].inner = plus
        assert lib.ask(made, 3) == 7
        made.fill[:] = (1, 2)

    def bits() -> None:
        made = lib.Bits(a=-3, b=300)
        assert (made.a, made.b) == (-3, 300)
        made.c[:] = (1, 2, 3)
        assert tuple(made.c) == (1, 2, 3)
        assert pickle.loads(pickle.dumps(made)) == made
        repr(made)

    return {
        "variants": lambda: (lib.same(None), lib.same(3), lib.same("text"), lib.same([1.0, 2.0])),
        "a refused variant": lambda: refused(lib.same, object()),
        "optional texts": lambda: (lib.maybe("a text that is rather long"), lib.maybe(None)),
        "wide arguments": lambda: (lib.wide(wide, wide), lib.wide(((1.0,) * 700,), wide)),
        "eight arguments": lambda: (
            lib.eight(1, 2.0, 3, 4, 5, 6, 7, 8.5),
            lib.eighth(1.5, 2, 3, True, 5, 6, F, 8),
        ),
        "six arrays": lambda: (
            lib.lines(*lines),
            lib.lines(*lines[:5], BUFFER_VIEW),
            lib.lines(a=X, b=X, c=X, d=X, e=X, f=X),
        ),
        "output arrays": lambda: (lib.image(2, 3), lib.iota(3)),
        "records with callables": table,
        "bit-fields and arrays": bits,
        "methods of records": lambda: (vec.norm(), vec.count()),
        "arrays of two dimensions": lambda: (
            lib.grid(np.ones((2, 2), "f4")),
            lib.grid(sb.view(np.ones((2, 2), "f4"))),
            refused(lib.grid, X),
        ),
    }


def api(pool: Any) -> dict[str, Callable[[], Any]]:
    """Allocations that free themselves, adapters' lists, structs of callables."""

    def memory() -> None:
        array = pool.take(32)[1].configure(typestr="<f4", shape=(8,))
        part = array[2:4]
        np.asarray(part)[:] = 1
        del array
        assert part.shape == (2,)

    def ops() -> None:
        made = pool.ops_t(n=3)
        made.visit = lambda data, i: i
        made.part.inner = lambda data, i: 2 * i
        assert pool.run(made) == (pool.OK, 9)
        made.visit = None

    def lists() -> None:
        numbers, handles = [1, 2, 3], [None, None]
        pool.doubled(numbers, 3)
        pool.places(handles, 2)
        assert (numbers, int(handles[1])) == ([2, 4, 6], 16)
        refused(pool.doubled, (1, 2), 2)
        refused(pool.doubled, [1, "x"], 2)

    def buffers() -> None:
        room = bytearray(8)
        assert pool.fill(room) == (pool.OK, 4)
        assert pool.fill(room, dest_len=2) == (pool.OK, 1)
        assert pool.put(lambda size: room, 8) == (pool.OK,)
        assert room == bytes([1] * 8)
        refused(lambda: pool.fill(room, dest_len=9))

    def texts() -> None:
        it = pool.text_t(b"a\0b", 3)
        assert it.data == b"a\0b"
        pool.text(it)
        assert (it.data, it.value.data, repr(it)) == (b"abc", b"abc", "text_t(data=b'abc', size=3)")
        assert pool.key() == (b"abc", 3)

    return {
        "memory that frees itself": memory,
        "lists of texts": lambda: (
            pool.names([b"one", b"two"], 2),
            pool.names(sb.ListOfBytes([b"one"]), 1),
            refused(pool.names, [1.5], 1),
        ),
        "lists of numbers": lambda: (
            pool.sizes([1, 2, 3], 3),
            pool.sizes(sb.ListOfUnsigned([1, 2]), 2),
            refused(pool.sizes, ["x"], 1),
        ),
        "structs of callables": ops,
        "lists that C writes to": lists,
        "buffers and their room": buffers,
        "texts with their lengths": texts,
    }


def travelling() -> dict[str, Callable[[], Any]]:
    """Memory between libraries: capsules consumed once, twice, never; views that outlive what they show."""

    class Cai:
        __cuda_array_interface__: ClassVar = {**X.__array_interface__, "version": 3, "strides": None}

    class Suai:
        __sycl_usm_array_interface__: ClassVar = {
            **X.__array_interface__,
            "version": 1,
            "syclobj": None,
            "offset": 0,
        }

    class Fake:
        def __init__(self, capsule: Any) -> None:
            self.capsule = capsule

        def __dlpack__(self, **more: Any) -> Any:
            return self.capsule

        def __dlpack_device__(self) -> Any:
            return (1, 0)

    def capsules() -> None:
        for version in (None, (1, 0)):
            capsule = sb.view(np.arange(4.0)).__dlpack__(max_version=version)
            kept = sb.view(Fake(capsule))
            refused(sb.view, Fake(capsule))
            assert kept[3] == 3
            del capsule
            assert np.asarray(kept).sum() == 6

    def outlived() -> None:
        shown = sb.view(bytearray(b"12345678"))[2:6][::-1]
        array, exported = np.asarray(shown), memoryview(shown)
        del shown
        assert bytes(exported) == bytes(array) == b"6543"

    def pointers() -> None:
        made = sb.Pointer(X)
        again = sb.Pointer(made)
        assert (made == again, hash(made) == hash(again), int(made), bool(made)) == (
            True,
            True,
            X.ctypes.data,
            True,
        )
        repr(made)
        del made
        sb.Pointer(ctypes.c_int(3))
        sb.DeviceArray(again)

    return {
        "capsules": capsules,
        "views that outlive": outlived,
        "CUDA's interface": lambda: sb.view(Cai()).__cuda_array_interface__,
        "SYCL's interface": lambda: refused(sb.view, Suai(), error=Exception),
        "pointers of pointers": pointers,
        "items of views": lambda: (len(sb.view(X)), list(sb.view(X)), sb.view(INTERFACE).__dlpack_device__()),
    }


def further(lib: Any, pool: Any) -> dict[str, Callable[[], Any]]:
    """All of them by name; a Square is what they share."""
    parts = (owners(lib), callables(lib), values(lib), api(pool), travelling())
    return {name: cycle for part in parts for name, cycle in part.items()}
