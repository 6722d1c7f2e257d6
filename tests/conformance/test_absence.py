"""Absence is never silent: what clang says is public in real headers is bound, or skipped with the reason."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.conformance.public_names import Name, Walk

from samebytes.model.module import RESERVED_KIND, Module
from samebytes.read.clang.finding import locate
from samebytes.read.header import read_header
from samebytes.toolchain.compilers import find_compiler, system_includes
from samebytes.toolchain.mirrored import mirrored_macros
from samebytes.types.naming import split_name

# Debian's, as `make test-full` installs them, the C++ standard library's and the C library's.
_LIBRARIES = (
    "box2d/b2_world.h", "box2d/b2_body.h", "box2d/b2_math.h", "re2/re2.h", "re2/stringpiece.h", "taglib/tag.h",
    "taglib/fileref.h", "taglib/tstring.h", "leveldb/db.h", "leveldb/status.h", "rocksdb/db.h",
    "geos/geom/Geometry.h", "geos/geom/Envelope.h", "hnswlib/hnswlib.h", "nanoflann.hpp", "s2/s2latlng.h",
    "google/protobuf/message.h", "google/protobuf/timestamp.pb.h", "bullet/LinearMath/btVector3.h", "spdlog/logger.h",
    "assimp/scene.h", "assimp/Importer.hpp", "simdjson.h", "ql/time/date.hpp",
    "lemon/list_graph.h", "boost/graph/adjacency_list.hpp", "boost/math/special_functions/gamma.hpp",
)  # fmt: skip
_CXX = (
    *_LIBRARIES,
    "tinyxml2.h", "pugixml.hpp", "gmpxx.h", "exception", "typeinfo", "typeindex", "new", "stdexcept", "system_error",
    "complex", "bitset", "ratio", "limits", "stop_token", "compare", "charconv", "source_location", "latch",
)  # fmt: skip
_C = (
    "zlib.h", "sqlite3.h", "fftw3.h", "gmp.h", "mpfr.h", "lua5.4/lua.h", "lua5.4/lauxlib.h", "uv.h", "cairo/cairo.h",
    "git2/types.h", "gsl/gsl_rng.h", "gsl/gsl_complex_math.h", "CL/cl.h", "time.h", "dirent.h", "signal.h", "poll.h",
    "netdb.h", "termios.h", "regex.h", "pwd.h", "search.h", "elf.h", "sys/stat.h", "math.h", "pthread.h",
)  # fmt: skip


def found(header: str) -> str:
    """Where a header lies."""
    path = locate(header, system_includes(find_compiler("c++")))
    return path if path is not None else pytest.skip(f"{header} is not installed")


def _flags(language: str) -> tuple[str, ...]:
    return ("-std=c++20",) if language == "c++" else ()


def read(path: str, language: str) -> Module:
    compiler, flags = find_compiler(language), _flags(language)
    return read_header(
        Path(path), language=language, flags=flags,
        system_includes=system_includes(compiler), implied={language: mirrored_macros(compiler, flags)},
        only=(os.path.realpath(path),),
    )  # fmt: skip


def walked(path: str, language: str) -> Walk:
    compiler = find_compiler(language)
    arguments = ["-x", language, "-nostdinc", "-Wno-everything", *mirrored_macros(compiler, _flags(language))]
    arguments += ["-nostdinc++", *_flags(language)] if language == "c++" else []
    for folder in system_includes(compiler):
        arguments += ["-isystem", folder]
    return Walk(path, arguments, frozenset({path, os.path.realpath(path)}))


class Known:
    """The names that a module binds or skips, and the places of its functions."""

    def __init__(self, module: Module) -> None:
        self.names = set(names(module))
        self.reserved = {s.name for s in module.skipped if s.kind == RESERVED_KIND}
        self.places = {
            (p.location.file, p.location.line, p.location.column)
            for part in (module.functions, module.templates, module.skipped)
            for p in part if p.location is not None
        }  # fmt: skip

    def has(self, name: Name) -> bool:
        """Of a function each overload counts, and so of its redeclarations one."""
        parts = split_name(name.qualified)
        if any("::".join(parts[:i]) in self.reserved for i in range(1, len(parts) + 1)):
            return True  # C++ keeps its name, or that of what it is in, and that is said
        return bool(name.places & self.places) if name.places else name.qualified in self.names


def names(module: Module) -> Iterator[str]:
    for part in (module.functions, module.variables, module.constants, module.templates, module.aliases):
        for one in part:
            yield one.qualified.replace("::operator.", "::").removesuffix(
                "=" * ("::operator." in one.qualified)
            )
    for record in module.records:
        yield record.name
        yield from (f"{record.name}::{f.name}" for f in (*record.fields, *record.other_names))
    for enum in module.enums:
        home = enum.name if enum.scoped else enum.name.rpartition("::")[0]
        yield enum.name
        yield from ("::".join([*filter(None, [home]), name]) for name, _ in enum.members)
    yield from (name for name, _ in module.repeated)
    yield from (s.name.partition("(")[0] if "operator(" not in s.name else s.name for s in module.skipped)


def missing(walk: Walk, module: Module) -> list[str]:
    """What clang says is public and the module says nothing of."""
    known = Known(module)
    lost = [f"{n.kind} {n.qualified}" for n in walk.names() if not known.has(n)]
    bound = {record.name for record in module.records}
    unread = {
        (one.name, member) for one in module.unread for member in one.members
    }  # what binds them is said
    for name, base, member in walk.inherited():
        said = {(name, member), (base, member)} & unread
        if name in bound and not said and not {f"{name}::{member}", f"{base}::{member}"} & known.names:
            lost.append(f"{name} has {member} from {base}")
    return lost


@pytest.mark.full
@pytest.mark.parametrize("header", _CXX)
def test_each_public_name_of_a_cxx_header_is_bound_or_skipped(header: str) -> None:
    path = found(header)
    assert missing(walked(path, "c++"), read(path, "c++")) == []


@pytest.mark.full
@pytest.mark.parametrize("header", _C)
def test_each_public_name_of_a_c_header_is_bound_or_skipped(header: str) -> None:
    path = found(header)
    assert missing(walked(path, "c"), read(path, "c")) == []
