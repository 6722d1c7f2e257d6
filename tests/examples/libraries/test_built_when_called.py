"""Headers of libraries that are built when they are called have the names and signatures of those built at once."""

from __future__ import annotations

import inspect
import warnings
from collections.abc import Iterator
from typing import Any

import pytest

import samebytes as sb
from samebytes.loading.library import Namespace
from samebytes.make import waiting
from samebytes.toolchain.compilers import find_compiler

pytestmark = [
    pytest.mark.full,
    pytest.mark.skipif(
        "Free Software Foundation" not in find_compiler("c++").identity,
        reason="shims are built when they are needed where the compiler is GCC",
    ),
]

# What is looked for beneath /usr/include, its package, a library of its; and how it is bound.
HEADERS: dict[str, tuple[str, str, dict[str, Any]]] = {
    "zlib.h": ("zlib1g-dev", "z", {}),
    "sqlite3.h": ("libsqlite3-dev", "sqlite3", {}),
    "gsl/gsl_sf.h": ("libgsl-dev", "gsl", {"libraries": ["gsl", "gslcblas"]}),
    "fftw3.h": ("libfftw3-dev", "fftw3", {}),
    "cairo/cairo.h": ("libcairo2-dev", "cairo", {"include_dirs": "/usr/include/cairo"}),
    "tinyxml2.h": ("libtinyxml2-dev", "tinyxml2", {}),
    "pugixml.hpp": ("libpugixml-dev", "pugixml", {}),
    "re2/re2.h": ("libre2-dev", "re2", {}),
    "box2d/box2d.h": ("libbox2d-dev", "box2d", {"expose": ["*/box2d/*"]}),
    "leveldb/db.h": ("libleveldb-dev", "leveldb", {"expose": ["*/leveldb/*"]}),
}


def names(space: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    """What a namespace and those in it have, by names with dots; classes with their members."""
    for name in dir(space):
        if name.startswith("__") and isinstance(space, Namespace):
            continue
        try:
            value = getattr(space, name)
        except (AttributeError, sb.Error):
            value = None
        yield path + name, value
        if isinstance(value, Namespace):
            yield from names(value, f"{path}{name}.")
        elif isinstance(value, type) and not isinstance(space, type):
            yield from ((f"{path}{name}.{member}", getattr(value, member, None)) for member in dir(value))


def signature(value: Any) -> str:
    try:
        return str(inspect.signature(value))
    except (TypeError, ValueError):
        return type(value).__name__


@pytest.mark.parametrize("header", HEADERS)
def test_names_and_signatures(needs: Any, monkeypatch: pytest.MonkeyPatch, header: str) -> None:
    package, library, options = HEADERS[header]
    needs(header, package, library)
    options = {"libraries": [library], **options}
    monkeypatch.setattr(waiting, "LARGE", 0)
    # As two programs would have it: no two libraries of a name are in one.
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        lib: Any = sb.bind(header, name="whole", **options)
        waits = lib.__build__.__name__ != "_is_built"
        eager: Any = sb.bind(header, name="whole", eager=True, **options)
    if not waits:
        pytest.skip("it is built at once")
    found, expected = dict(names(lib)), dict(names(eager))
    left = {s.name.partition("(")[0].rpartition("::")[2] for s in eager.__skipped__}
    assert not expected.keys() - found.keys()
    assert not {name for name in found.keys() - expected.keys() if name.rpartition(".")[2] not in left}
    differing = {
        name: (signature(found[name]), signature(value))
        for name, value in expected.items()
        if callable(value) and signature(found[name]) != signature(value)
    }
    assert not differing
    lib.__build__()
    assert {*map(str, lib.__skipped__)} == {*map(str, eager.__skipped__)}
