"""What C++ gives by ``const T*`` of a record is the object, as it is now, and cannot be written."""

from __future__ import annotations

import copy
from typing import Any

import pytest
from tests.tables import each

import samebytes as sb

pytestmark = pytest.mark.full  # to read and to compile it takes seconds

HEADER = """
#include <functional>
#include <memory>
#include <optional>
#include <vector>
struct Part { int n = 1; };
struct Config { int level = 3; Part part; int twice() const { return 2 * level; } int up() { return ++level; } };
struct App {
  Config c; const Config* field; App() { field = &c; } App(const App&) = delete;
  const Config* config() const { return &c; } Config* edit() { return &c; }
  const Config* none() const { return nullptr; }
  const Config* operator[](int) const { return &c; } virtual const Config* given() const { return &c; }
  virtual ~App() {}
  std::vector<const Config*> all() const { return {&c}; } std::optional<const Config*> maybe() const { return &c; }
  std::function<const Config*()> call() { return [this]() -> const Config* { return &c; }; }
  void each(const std::function<void(const Config*)>& f) { f(&c); }
  const Config* begin() const { return &c; } const Config* end() const { return &c + 1; }
};
inline const Config* same(const Config* p) { return p; }
inline int read(const Config* p) { return p->level; }
inline int read_by_reference(const Config& p) { return p.level; }
inline int write(Config* p) { return ++p->level; }
template <class T> const T* of(const T& x) { return &x; }
static const Config* shared = new Config;
struct Shape { int n = 7; virtual ~Shape() {} }; struct Poly : Shape {};
struct Scene {
  std::vector<std::unique_ptr<Shape>> all; Config c;
  Shape* add(const std::vector<double>& xs) { all.push_back(std::make_unique<Poly>());
  all.back()->n = int(xs.size()); return all.back().get(); }
  Config* grow(const std::vector<double>& xs) { c.level = int(xs.size()); return &c; }
  const Config* seen(const std::vector<double>& xs) { return grow(xs); }
  Shape* none(const std::vector<double>&) { return nullptr; }
};
inline Shape* raw(const std::shared_ptr<Shape>& p) { return p.get(); }
inline const Config* first(const std::vector<Config>& v) { return v.data(); }
"""


@pytest.fixture(scope="module")
def lib() -> Any:
    return sb.compile(HEADER)


def called_back(a: Any) -> Any:
    got: list[Any] = []
    a.each(got.append)
    return got[0]


FORMS = [
    lambda m, a: a.config(),
    lambda m, a: a.given(),
    lambda m, a: a.field,
    lambda m, a: a.all()[0],
    lambda m, a: a.maybe(),
    lambda m, a: a.call()(),
    lambda m, a: called_back(a),
    lambda m, a: m.same(a.c),
    lambda m, a: m.of(a.c),
    lambda m, a: a[0],
]


@each("form", FORMS)
def test_it_is_the_object_and_cannot_be_written(lib: Any, form: Any) -> None:
    a = lib.App()
    seen = form(lib, a)
    a.edit().level = 8
    assert (seen.level, seen.twice(), lib.read(seen), lib.read_by_reference(seen)) == (8, 16, 8, 8)
    with pytest.raises(AttributeError, match=r"C\+\+ gave it as const"):
        seen.level = 9
    with pytest.raises(AttributeError, match=r"C\+\+ gave it as const"):
        seen.part.n = 9
    for changes in (seen.up, lambda: lib.write(seen)):
        with pytest.raises(sb.IntentError, match=r"C\+\+ gave it as const"):
            changes()
    own = copy.copy(seen)
    assert (own.up(), a.c.level) == (9, 8)


def test_null_and_variables(lib: Any) -> None:
    assert lib.App().none() is None
    assert lib.shared.level == 3
    with pytest.raises(AttributeError, match=r"C\+\+ gave it as const"):
        lib.shared.level = 4


@each(
    ("use", "expected"),
    [
        (lambda m, s: [type(s.add([1.0, 2.0])) is m.Poly, s.add([1.0]).n], [True, 1]),
        (lambda m, s: [s.grow([1.0, 2.0]).level, s.c.level], [2, 2]),
        (lambda m, s: s.seen([1.0]).level, 1),
        (lambda m, s: s.none([]), None),
        (lambda m, s: (p := m.Poly()) and m.raw(p).n, 7),
        (lambda m, s: m.first([m.Config(level=6), m.Config()]).level, 6),
    ],
)
def test_results_beside_containers_are_objects(lib: Any, use: Any, expected: Any) -> None:
    assert use(lib, lib.Scene()) == expected
