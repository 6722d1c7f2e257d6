"""What shows that an option of a build is heeded: a value for each, and what comes of it."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from functools import cached_property
from pathlib import Path
from typing import Any

import pytest

import samebytes as sb

# How each caller of `samebytes.make.applicability` is asked for.
ASKED: dict[str, dict[str, Any]] = {
    "host": {},
    "c_api": {"style": "c_api"},
    "numba": {"target": "numba"},
    "numba_c_api": {"target": "numba", "style": "c_api"},
    "numba_cuda": {"target": "numba_cuda"},
    "cuda": {"dialect": "cuda", "arch": "sm_80"},
    "hip": {"dialect": "hip", "arch": "gfx90a"},
    "sycl": {"dialect": "sycl"},
}

INCLUDED = "#pragma once\nMARK int included(int x);\n"
HEADER = """
#pragma once
#ifndef EXTENT
#if __has_include("beside.h")
#include "beside.h"
#else
#define EXTENT 3
#endif
#endif
#ifdef __cplusplus
#define SPOKEN 2
#else
#define SPOKEN 1
#endif
#include "included.h"
enum status { fine, wrong };
struct plain { int v; };
typedef unsigned char octet;
KERNEL
MARK static inline void kind(int (*q)[SPOKEN]) {}
MARK static inline void sized(int (*q)[EXTENT]) {}
MARK static inline int length(const octet* text) { return 0; }
MARK static inline enum status doubled(int x, int* out) { *out = 2 * x; return fine; }
MARK static inline struct plain* made(void) { return 0; }
MARK int other(int x);
HOLDER
"""
HOLDER = """
template <class T> struct Holder {
  T* held = nullptr;
  Holder() {}
  template <class E> Holder(T* object, E) : held(object) {}
  Holder(const Holder& other) : held(other.held) {}
  ~Holder() {}
  T* get() const { return held; }
  T* operator->() const { return held; }
};
struct Shared { int v; virtual ~Shared() {} };
inline Holder<Shared> held() { return {}; }
"""
KERNEL = {
    "cuda": "__global__ void kernel(int (*q)[EXTENT], struct plain* p) { p->v = 1; }",
    "hip": "__global__ void kernel(int (*q)[EXTENT], struct plain* p) { p->v = 1; }",
    "sycl": "namespace exp = sycl::ext::oneapi::experimental;\n"
    "SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((exp::nd_range_kernel<1>)) "
    "void kernel(int (*q)[EXTENT], plain* p) { p->v = 1; }",
}


def write_header(folder: Path, caller: str) -> Path:
    """A header for a caller, in which every option can be heeded."""
    mark = "__device__" if caller in ("numba_cuda", "cuda", "hip") else ""
    holder = f"#ifdef __cplusplus{HOLDER}#endif" if caller in ("host", "numba") else ""
    path = folder / ("header.h" if caller.endswith("c_api") else "header.hpp")
    text = HEADER.replace("KERNEL", KERNEL.get(caller, "")).replace("MARK", mark)
    # Before macros of one letter, which SYCL's headers have as names.
    first = "#include <sycl/sycl.hpp>\n" if caller == "sycl" else ""
    path.write_text(first + text.replace("HOLDER", holder))
    (folder / "included.h").write_text(INCLUDED.replace("MARK", mark))
    return path


class Build:
    """Builds the library of one caller with options beside those that ask for it.

    One header serves all options: what is read of it for one is there for the next.
    """

    def __init__(self, folder: Path, caller: str) -> None:
        self.folder, self.caller = folder, caller
        self.header = write_header(folder, caller)

    def __call__(self, **options: Any) -> Any:
        return sb.bind(self.header, **{**ASKED[self.caller], **options})

    @cached_property
    def plain(self) -> Any:
        """What the library shows of itself without options."""
        return self.shown()

    def shown(self, **options: Any) -> Any:
        """All that a library shows of itself."""
        lib = self(**options)
        return type(lib), sorted(dir(lib)), str(sb.explain(lib)), [str(s) for s in lib.__skipped__]


Proof = Callable[[Build], None]


def _changes(make: Callable[[Build], Any]) -> Callable[[str], Proof]:
    """The library shows something else with the value."""

    def of(option: str) -> Proof:
        def proof(build: Build) -> None:
            assert build.shown(**{option: make(build)}) != build.plain

        return proof

    return of


def _refused(value: Any, words: str) -> Callable[[str], Proof]:
    """Who heeds the value says that it is wrong."""

    def of(option: str) -> Proof:
        def proof(build: Build) -> None:
            with pytest.raises(sb.Error, match=words):
                build(**{option: value})

        return proof

    return of


def _warned(option: str) -> Proof:
    def proof(build: Build) -> None:
        with pytest.warns(sb.BindWarning, match="nothing_such"):
            build(**{option: ["nothing_such"]})

    return proof


def _name(option: str) -> Proof:
    def proof(build: Build) -> None:
        assert build(name="another").__name__ == "another"

    return proof


def _holders(option: str) -> Proof:
    def proof(build: Build) -> None:
        assert build().held() is not None  # the smart pointer itself
        assert build(holders=["Holder"]).held() is None

    return proof


def _stub(option: str) -> Proof:
    def proof(build: Build) -> None:
        build(stub=build.folder / "written.pyi")
        assert (build.folder / "written.pyi").read_text()

    return proof


def _beside(build: Build, *inside: str) -> Path:
    """A folder with the header that the other one includes where it finds it."""
    folder = build.folder / "more"
    (folder / "include").mkdir(parents=True, exist_ok=True)
    (folder.joinpath(*inside) / "beside.h").write_text("#define EXTENT 9\n")
    return folder


def _commands(build: Build) -> Path:
    entry = {
        "directory": str(build.folder),
        "file": str(build.header),
        "arguments": ["cc", "-DEXTENT=7", "-c", "x"],
    }
    (build.folder / "compile_commands.json").write_text(json.dumps([entry]))
    return build.folder


def _bad_source(option: str) -> Proof:
    def proof(build: Build) -> None:
        path = build.folder / "bad.cpp"
        path.write_text("int broken( { }\n")
        with pytest.raises(sb.CompileError, match=r"bad\.cpp"):
            build(sources=[path])

    return proof


def _library_dirs(option: str) -> Proof:
    def proof(build: Build) -> None:
        folder = build.folder / "libraries"
        folder.mkdir()
        (folder / "own.c").write_text("int other(int x) { return x; }\nint _Z5otheri(int x) { return x; }\n")
        subprocess.run(
            ["cc", "-shared", "-fPIC", "-o", folder / "libown_option.so", folder / "own.c"], check=True
        )
        with pytest.raises(sb.CompileError, match="own_option"):
            build(libraries=["own_option"])
        assert build.shown(libraries=["own_option"], library_dirs=[folder]) != build.plain

    return proof


def _eager(option: str) -> Proof:
    def proof(build: Build) -> None:
        large = Build(build.folder, build.caller)
        large.header = build.folder / f"large{build.header.suffix}"
        large.header.write_text(
            "".join(f"static inline int f{i}(int x) {{ return x; }}\n" for i in range(270))
        )
        assert str(large().__file__) != str(large(eager=True).__file__)

    return proof


@sb.struct
class Plain:
    v: sb.int32


_PROOFS: dict[str, Callable[[str], Proof]] = {
    "dialect": _refused("opencl", "opencl|dialect='|target='host'"),
    "arch": _refused("sm_1", "sm_1"),
    "name": _name,
    "language": _changes(lambda build: "c++" if build.caller.endswith("c_api") else "c"),
    "std": _refused("c++7", r"c\+\+7|could not start on this file"),
    "flags": _changes(lambda build: ["-DEXTENT=7"]),
    "defines": _changes(lambda build: ["EXTENT=7"]),
    "include_dirs": _changes(_beside),
    "libraries": _refused(["nosuchlibrary"], "nosuchlibrary"),
    "pkg": _refused(["nosuchpackage"], "nosuchpackage|pkg-config"),
    "cmake": _refused(["NoSuch::package"], "NoSuch|CMake"),
    "compile_commands": _changes(_commands),
    "prefixes": _changes(lambda build: _beside(build, "include")),
    "sanitize": _refused("memories", "memories"),
    "library_dirs": _library_dirs,
    "sources": _bad_source,
    "expose": _warned,
    "holders": _holders,
    "arg_intent": _changes(lambda build: {"doubled": {"out": "inout_ptr"}}),
    "owns": _refused({"nothing": None}, "nothing"),
    "keeps": _refused({"nothing": [0, 1]}, "nothing"),
    "counts": _refused({"nothing::at": "n"}, "nothing"),
    "config": _changes(lambda build: {"Predefined Macros": ["EXTENT=7"]}),
    "types": _refused({"nothing": Plain}, "nothing"),
    "nogil": _refused(["nothing"], "nothing"),
    "target": _refused("nobody", "nobody"),
    "stub": _stub,
    "instantiate": _refused(["nothing<int>"], "nothing|templates"),
    "library": _changes(lambda build: "libnosuch.so"),
    "style": _refused("d_api", "d_api"),
    "check": _refused(["nothing"], "nothing"),
    "allocations": _refused({"nothing": {"pointer": "p", "size": "n", "memory": "host"}}, "nothing"),
    "texts": _changes(lambda build: ["octet"]),
    "eager": _eager,
    "unchecked_formats": _refused(["nothing"], "nothing"),
}
# Where another value shows it.
_OF_CALLERS: dict[tuple[str, str], Callable[[str], Proof]] = {
    ("cuda", "library"): _refused("nosuch.cubin", "nosuch"),
    ("hip", "library"): _refused("nosuch.hsaco", "nosuch"),
    ("sycl", "library"): _refused("nosuch.spv", "nosuch"),
    ("hip", "arch"): _refused("sm_80", "sm_80"),
}
OPTIONS = tuple(_PROOFS)


def proof(caller: str, option: str) -> Proof:
    """What shows that a caller's library heeds an option."""
    return _OF_CALLERS.get((caller, option), _PROOFS[option])(option)
