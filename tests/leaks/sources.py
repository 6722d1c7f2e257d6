"""A C++ library and a C API whose objects are counted: what the cycles make and drop."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Any

import samebytes as sb

SOURCE = r"""
#include <atomic>
#include <map>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>
#include <samebytes/array.hpp>
inline std::atomic<long>& balance() { static std::atomic<long> n{0}; return n; }
inline long alive() { return balance(); }
inline std::atomic<long>& births() { static std::atomic<long> n{0}; return n; }
inline long born() { return births(); }
struct Point { int x; double y; };
struct Nested { Point p; Point many[3]; int numbers[4]; };
union Either { int i; double d; Point p; };
struct Bits { unsigned a : 3; int b : 7; bool c : 1; };
typedef int (*unary)(int);
struct Refs { const double* p; double* q; unary f; const char* text; };
struct Outer { int n; Refs refs; };
class Item {
  std::string text; int* guard;
public:
  explicit Item(std::string t) : text(t), guard(new int(7)) {
    if (t.empty()) { delete guard; throw std::invalid_argument("empty"); }
    ++balance(); ++births();
  }
  Item(const Item& o) : text(o.text), guard(new int(*o.guard)) { ++balance(); ++births(); }
  Item& operator=(const Item& o) { text = o.text; *guard = *o.guard; return *this; }
  virtual ~Item() { --balance(); delete guard; }
  Item& itself() { return *this; }
  Item copy() const { return *this; }
  int size() const { return static_cast<int>(text.size()) + *guard - 7; }
  void set(const std::string& t) { text = t; }
};
class Box { Item item; public: Box() : item("in a box") {} Item& get() { return item; } };
class Last { int (*f)(int); public: explicit Last(int (*g)(int)) : f(g) {} ~Last() { f(1); } };
class Plain { int n; public: explicit Plain(int i) : n(i) { ++balance(); ++births(); } ~Plain() { --balance(); }
  Plain(const Plain& o) : n(o.n) { ++balance(); ++births(); } int get() const { return n; } };
class Asked { int n; public: explicit Asked(int i) : n(i) { ++balance(); ++births(); } virtual ~Asked() { --balance(); }
  Asked(const Asked&) = delete; virtual int ask(int x) const { return x; }
  virtual std::string say(const std::string& t) const { return t; } int run(int x) const { return ask(x) + n; } };
class Keeper { std::shared_ptr<Asked> it; public: explicit Keeper(std::shared_ptr<Asked> a) : it(a) {}
  int run(int x) const { return it->run(x); } Asked* get() const { return it.get(); } };
inline int asked(const Asked& a, int x) { return a.run(x); }
inline std::string says(const Asked& a, const std::string& t) { return a.say(t); }
inline Item make(const std::string& t) { return Item(t); }
inline int by_value(Item i) { return i.size(); }
inline int apply(unary f, int x) { return f(x); }
inline unary& hook() { static unary f = nullptr; return f; }
inline void store(unary f) { hook() = f; }
inline int fire(int x) { return hook()(x); }
typedef const char* (*text_t)(int);
inline std::string said(text_t f, int x) { return f(x); }
inline double at(const double* p) { return *p; }
inline double first(const Refs& r) { return *r.p; }
inline std::string longest(const char* (*f)(int), int n) {
  std::string s;
  while (n--)
    if (const char* text = f(n)) s += text;
  return s;
}
inline int call(const Refs& r, int x) { return r.f(x); }
inline std::vector<double> numbers(int n) { return std::vector<double>(n, 1.5); }
inline std::vector<std::string> words(int n) { return std::vector<std::string>(n, "a word that is not short at all"); }
inline std::map<std::string, int> table(int n) { return {{"a", n}, {"b", 2}}; }
inline std::optional<Point> maybe(int x) { return x ? std::optional<Point>({x, 1}) : std::nullopt; }
inline double total(const std::vector<double>& v) { double s = 0; for (double x : v) s += x; return s; }
inline std::string joined(const std::vector<std::string>& v) { std::string s; for (auto& x : v) s += x; return s; }
inline const double* same(const double* p) { return p; }
inline Refs refs(const double* p, double* q) { return {p, q, nullptr, nullptr}; }
inline void out(int x, double* y, Point* p) { *y = x; *p = {x, 2}; }
inline double many(samebytes::array<const double, 1> a, const double* b, const Point& p, unary f, const char* s,
                   int n, const std::vector<double>& v, Either e) {
  return a[0] + b[0] + p.y + f(1) + (s ? 1 : 0) + n + v.size() + e.i;
}
inline int over(const double*) { return 1; }
inline int over(const float*) { return 2; }
inline int over(const std::string&) { return 3; }
inline int over(Point) { return 4; }
inline int pair(const double*, const double*) { return 1; }
inline int pair(const float*, const double*) { return 2; }
inline void fail(const double*, const std::string& s) { throw std::out_of_range(s); }
template <class T> T twice(T x) { return x + x; }
template <class T> T sum(const T* p, int n) { T s{}; for (int i = 0; i < n; ++i) s += p[i]; return s; }
template <class T, int N> struct Few { T d[N]; T first() const { return d[0]; } };
struct Node { Node* next; double v; };
"""

HEADER = """
#include <stddef.h>
typedef enum { OK = 0, BAD = 1 } status_t;
typedef struct device_s *device_t;
typedef struct { int major; float speed; int range[4]; } info_t;
typedef void (*visit_t)(void *data, int i);
typedef struct { visit_t visit; void *data; } visitor_t;
status_t device_open(device_t *device, int index);
status_t device_close(device_t device);
status_t device_info(info_t *info, device_t device);
status_t device_get_number(int *number, double *load_out, device_t device);
status_t sum(double *total, const double *values, int n);
status_t bounds(int range[2]);
status_t device_each(device_t device, visit_t visit, void *data);
status_t visit_all(const visitor_t *visitor, int n);
status_t hipMalloc(void **ptr, size_t size);
status_t hipFree(void *ptr);
status_t hipGetDevice(int *device);
status_t launch(void **kernelParams, void **extra);
status_t get_first(int *value_out);
status_t get_second(int *value_out);
status_t get_third(int *value_out);
const char *status_text(status_t status);
long open_devices(void);
long allocated(void);
"""

C_SOURCE = """
#include <stdlib.h>
#include <string.h>
#include <stdatomic.h>
#include "device.h"
struct device_s { int index; };
static _Atomic long devices, blocks;
static _Thread_local unsigned char seen[256];
status_t device_open(device_t *d, int i) {
  if (i < 0) return *d = 0, BAD;
  return *d = malloc(sizeof **d), (*d)->index = i, ++devices, OK;
}
status_t device_close(device_t d) { return free(d), --devices, OK; }
status_t device_info(info_t *info, device_t d) { return info->major = d->index, info->speed = 2.5f, OK; }
status_t device_get_number(int *n, double *load, device_t d) { return *n = d->index, *load = 0.5, OK; }
status_t sum(double *t, const double *v, int n) { *t = 0; while (n--) *t += *v++; return OK; }
status_t bounds(int r[2]) { return r[0] = 1, r[1] = 2, OK; }
status_t device_each(device_t d, visit_t f, void *data) { for (int i = 0; i < 2; ++i) f(data, i); return OK; }
status_t visit_all(const visitor_t *v, int n) { for (int i = 0; i < n; ++i) v->visit(v->data, i); return OK; }
status_t hipMalloc(void **p, size_t size) { return *p = malloc(size), ++blocks, OK; }
status_t hipFree(void *p) { return p ? (free(p), --blocks) : 0, OK; }
status_t hipGetDevice(int *d) { return *d = 0, OK; }
status_t launch(void **params, void **extra) {
  if (extra) return memcpy(seen, extra[1], *(size_t *)extra[3]), OK;
  return seen[0] = *(unsigned char *)params[0], OK;
}
status_t get_first(int *x) { return *x = 1, OK; }
status_t get_second(int *x) { return *x = 2, OK; }
status_t get_third(int *x) { return *x = 3, OK; }
const char *status_text(status_t s) { return s == OK ? "fine" : "bad"; }
long open_devices(void) { return devices; }
long allocated(void) { return blocks; }
"""

INTENTS = {"out": {"y": "out_return", "p": "out_return"}}
INSTANCES = ["twice<int>", "twice<double>", "sum<double>", "sum<float>", "Few<int, 3>"]


def compiled(**more: Any) -> Any:
    """The C++ library."""
    given = {"std": "c++17", "arg_intent": INTENTS, "instantiate": INSTANCES, "name": "lifetimes"}
    return sb.compile(SOURCE, **given | more)


def built(folder: Path, name: str, header: str, source: str) -> Path:
    """A library in C, made once in a folder, beside its header."""
    made = folder / f"lib{name}.so"
    if not made.exists():
        (folder / f"{name}.h").write_text(header)
        (folder / f"{name}.c").write_text(source)
        command = ["gcc", "-shared", "-fPIC", "-O1", "-o", f"{made}.new", str(folder / f"{name}.c")]
        subprocess.run(command, check=True)
        Path(f"{made}.new").rename(made)
    return made


def bound(folder: Path) -> Any:
    """The C API, whose library is looked up on first use."""
    library = built(folder, "device", HEADER, C_SOURCE)
    return sb.bind(folder / "device.h", library=library, style="c_api")
