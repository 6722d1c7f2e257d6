"""Pointers in classes that a member counts, said by ``counts``: by name and by pattern, also in configurations."""

from __future__ import annotations

import gc
from typing import Any

import numpy as np
import pytest

import samebytes as sb

SOURCE = r"""
#include <string>
struct Point { float x, y; };
enum class Kind : unsigned char { a, b };
class Mesh {
 public:
  std::string name; Point* points = nullptr; unsigned numPoints = 0;
  Mesh(const char* s) : name(s) {}
  virtual ~Mesh() { delete[] points; }
};
class Fancy : public Mesh { public: using Mesh::Mesh; int extra = 7; };
inline int alive = 0;
struct Scene {  // which nothing here copies
  Mesh** meshes; unsigned numMeshes = 2; Mesh* const* same; Point** marks; int n = 2; int** rows; const char** texts;
  double* weights; const double* fixed; const Point* seen; Kind* kinds; Mesh* block; long k = 3; signed char less = -1;
  int* never; int* null = nullptr; unsigned none = 0; void* any = nullptr; float real = 1; Point mine{1, 2};
  Scene() : meshes{new Mesh*[2]{new Mesh("a"), new Fancy("b")}}, same{meshes}, marks{new Point*[2]{&mine, nullptr}},
      rows{new int*[2]{new int[2]{1, 2}, &n}}, texts{new const char*[2]{"x", nullptr}},
      weights{new double[3]{1, 2, 3}}, fixed{weights}, kinds{new Kind[3]{Kind::a, Kind::b, Kind::b}},
      block{new Mesh[3]{"p", "q", "r"}}, never{rows[0]} {
    meshes[0]->points = new Point[3]{{1, 2}, {3, 4}, {5, 6}};
    meshes[0]->numPoints = 3;
    seen = meshes[0]->points;
    ++alive;
  }
  ~Scene() {
    delete meshes[0]; delete meshes[1]; delete[] meshes; delete[] marks; delete[] rows[0]; delete[] rows;
    delete[] texts; delete[] weights; delete[] kinds; delete[] block; --alive;
  }
};
struct More : Scene { int own = 1; };
struct Plain { int* a; int n; };
inline Plain plain() { static int v[2] = {4, 5}; return {v, 2}; }
inline int living() { return alive; }
"""
NAMED = {f"Scene::{name}": "k" for name in ("weights", "fixed", "seen", "kinds", "block", "null")}
NAMED |= {
    "Scene::marks": "n",
    "Scene::rows": "n",
    "Scene::texts": "n",
    "Scene::same": "n",
    "Scene::never": "less",
}


SAID: dict[str, Any] = {
    "counts": {**NAMED, "m*": "numM*", "p*": "numP*"},
    "config": {"Counts": {"Plain::a": "n"}},
}


@pytest.fixture(scope="module")
def lib() -> Any:
    return sb.compile(SOURCE, **SAID)


@pytest.mark.parametrize("kind", ["Scene", "More"])
def test_they_are_what_cpp_has_there(lib: Any, kind: str) -> None:
    scene = getattr(lib, kind)()
    first, second = scene.meshes
    assert (first.name, second.name, type(second), second.extra) == ("a", "b", lib.Fancy, 7)
    assert [(p.x, p.y) for p in first.points] == [(1, 2), (3, 4), (5, 6)]
    assert (second.points, scene.null) == ((), None)
    assert [mesh.name for mesh in scene.same] == ["a", "b"]
    assert (scene.marks[0].y, scene.marks[1]) == (2, None)
    assert scene.texts == ("x", None)
    assert [type(row) for row in scene.rows] == [sb.Pointer, sb.Pointer]
    assert [mesh.name for mesh in scene.block] == ["p", "q", "r"]
    assert (scene.weights.dtype, scene.weights.tolist(), scene.kinds.tolist()) == (
        np.float64,
        [1, 2, 3],
        [0, 1, 1],
    )


def test_what_is_not_const_is_written_in_place(lib: Any) -> None:
    scene = lib.Scene()
    scene.meshes[0].points[1].x = 30
    scene.weights[2] = 4
    assert (scene.seen[1].x, scene.fixed[2]) == (30, 4)
    with pytest.raises(AttributeError, match="copy"):
        scene.seen[1].x = 2
    with pytest.raises(ValueError, match="read-only"):
        scene.fixed[0] = 2
    with pytest.raises(ValueError, match="WRITEABLE"):
        scene.fixed.setflags(write=True)


@pytest.mark.parametrize("part", ["meshes", "weights", "marks", "block"])
def test_what_is_read_keeps_the_object(lib: Any, part: str) -> None:
    before = lib.living()
    shown = getattr(lib.Scene(), part)
    gc.collect()
    assert lib.living() == before + 1
    assert len(shown) in (2, 3)
    del shown
    gc.collect()
    assert lib.living() == before


def test_a_count_below_none(lib: Any) -> None:
    with pytest.raises(
        sb.RangeError, match=r"Scene\.never cannot be read: less, which says how many there are, is -1"
    ):
        lib.Scene().never  # noqa: B018


def test_plain_bytes_stay_addresses_where_nobody_asks_for_elements(lib: Any) -> None:
    plain = lib.plain()
    assert plain.a.tolist() == [4, 5]
    assert "Pointer(0x" in repr(plain)
    assert plain == lib.plain()
    assert [type(part) for part in plain] == [sb.Pointer, int]


SMALL = """struct Mesh { int n; };
struct Scene { Mesh** meshes; unsigned numMeshes; float real; void* any; int n; };"""


@pytest.mark.parametrize(
    ("counts", "words"),
    [
        (
            {"Scene::mehses": "numMeshes"},
            r"what is no pointer that a member counts, 'Scene::mehses'.* 'Scene::meshes'\?",
        ),
        ({"Sene::meshes": "numMeshes"}, r"an unknown class, 'Sene::meshes'"),
        ({"Scene::meshes": "numMehses"}, r"Scene::numMehses does not exist\. Did you mean 'numMeshes'\?"),
        ({"Scene::meshes": "real"}, r"Scene::real is no integer, but float32"),
        ({"Scene::real": "n"}, r"Scene::real is no pointer to what the host reads, but float32"),
        ({"Scene::any": "n"}, r"Scene::any points to void, which says no size of one"),
        ({"nothing*": "n"}, r"what is no pointer that a member counts, 'nothing\*'"),
        ({"a*b*": "n"}, r"a '\*' stands once, in the names of members"),
        ({"a": "n*"}, r"'a' has no '\*', so nothing says what that in 'n\*' stands for"),
        ({1: "n"}, r"counts maps pointers of classes, .*; got 1: 'n'"),
    ],
)
def test_what_cannot_be(counts: Any, words: str) -> None:
    with pytest.raises(sb.BindError, match=words):
        sb.compile(SMALL, counts=counts)


def test_types_for_checkers(lib: Any, tmp_path: Any) -> None:
    sb.compile(SOURCE, **SAID, stub=tmp_path / "lib.pyi")
    stub = (tmp_path / "lib.pyi").read_text()
    assert "    meshes: tuple[Mesh | None, ...] | None\n" in stub
    assert "    weights: np.ndarray[Any, Any] | tuple[()] | None\n" in stub
    assert "    points: tuple[Point, ...] | None\n" in stub
