"""Configurations: each key has its effect or is reported, and nothing is dropped in silence."""

from __future__ import annotations

import warnings

import pytest

import samebytes as sb

HEADER = """
#pragma once
#include "detail.hpp"
struct lib_Point { int x, y; };
struct lib_Hidden { int a; };
struct lib_Holder { lib_Hidden inner; };
enum LIB_Mode { LIB_OFF, LIB_ON = 5 };
enum class LIB_Kind { LIB_A, LIB_B };
inline int lib_add(int a, int b) { return a + b; }
inline int lib_internal_sub(int a, int b) { return a - b; }
inline int old_api() { return 1; }
inline int lib_hide(lib_Hidden h) { return h.a; }
inline int lib_hold(lib_Holder h) { return h.inner.a; }
inline int lib_point(lib_Point p) { return p.x + p.y; }
inline lib_Hidden* lib_handle(lib_Hidden* h) { return h; }
inline void lib_out(float& x) { x = VALUE; }
template <class T> T lib_same(T x) { return x; }
namespace lib_ns { inline int lib_add(int a) { return a; } }
"""
DETAIL = '#pragma once\ninline int detail() { return 3; }\n#include "far/away.hpp"\n'


@pytest.fixture
def home(tmp_path):
    (tmp_path / "lib.hpp").write_text(HEADER)
    (tmp_path / "detail.hpp").write_text(DETAIL)
    (tmp_path / "inc" / "far").mkdir(parents=True)
    (tmp_path / "inc" / "far" / "away.hpp").write_text("#pragma once\ninline int away() { return 4; }\n")
    return tmp_path


BASE = """
Entry Point: lib.hpp
Clang Include Paths: [inc]
Predefined Macros: ["VALUE=2.5f"]
"""


def bind(home, text, **rest):
    base = [line for line in BASE.splitlines() if line.partition(":")[0] not in text]
    (home / "lib.yaml").write_text("\n".join([*base, text]))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", sb.BindWarning)
        return sb.bind(config=home / "lib.yaml", **rest)


class TestEffects:
    def test_paths_and_macros_are_beside_the_file(self, home, monkeypatch):
        monkeypatch.chdir("/")
        lib = bind(home, "Function Argument Intents: {lib_out: {0: out_return}}")
        assert (lib.lib_out(), lib.detail(), lib.__name__) == (2.5, 3, "lib")

    def test_a_mapping_serves_as_well(self, home, monkeypatch):
        monkeypatch.chdir(home)
        lib = sb.bind(
            "lib.hpp", include_dirs="inc",
            config={"Predefined Macros": ["VALUE=1"], "Function Argument Intents": {"lib_out": {"x": "out_return"}}},
        )  # fmt: skip
        assert lib.lib_out() == 1

    def test_python_adds_to_the_file_and_counts_where_both_speak(self, home):
        text = "Function Argument Intents: {lib_out: {x: in}}"
        lib = bind(home, text, arg_intent={"lib_out": {"x": "out_return"}, "lib_add": {"a": "in"}})
        assert lib.lib_out() == 2.5

    def test_exclude(self, home):
        lib = bind(home, "Exclude:\n  Function: [old_api]\n  Struct: lib_Hidden")
        reasons = {s.name.partition("(")[0]: s.reason for s in lib.__skipped__}
        assert reasons == {
            "old_api": "Exclude leaves it out",
            "lib_Hidden": "Exclude leaves it out",
            "lib_Holder": "its field 'inner' needs a struct that Exclude leaves out",
            "lib_hide": "its parameter 'h' needs lib_Hidden, which Exclude leaves out",
            "lib_hold": "its parameter 'h' needs lib_Hidden, which Exclude leaves out",
        }
        assert isinstance(lib.lib_handle(None), sb.Pointer)
        with pytest.raises(AttributeError, match="Exclude leaves it out"):
            lib.old_api()
        model = lib.__model__
        bound = (
            model.functions,
            model.records,
            model.enums,
            model.constants,
            model.variables,
            model.aliases,
            model.templates,
            model.skipped,
        )
        assert sum(map(len, bound)) == model.exposed

    def test_skip_prefix(self, home):
        lib = bind(home, "Skip Prefix: lib_internal_")
        (skipped,) = lib.__skipped__
        assert skipped.name == "lib_internal_sub(int, int)"
        assert "Skip Prefix" in skipped.reason

    def test_prefixes_are_removed(self, home):
        lib = bind(
            home,
            "API Prefix Removal:\n  Function: [lib_, lib_internal_]\n  Struct: lib_\n  Enum: [LIB_]\n"
            "Function Argument Intents: {lib_out: {x: out_return}}",
        )
        assert (lib.add(1, 2), lib.sub(3, 1), lib.lib_ns.add(7), lib.out()) == (3, 2, 7, 2.5)
        assert lib.point(lib.Point(1, 2)) == 3
        assert (lib.same(7), hasattr(lib, "lib_same")) == (7, False)
        assert (5, 5, lib.Kind(1)) == (lib.Mode.ON, lib.ON, lib.Kind.B)
        assert "add(a: int32, b: int32) -> int32\n    int lib_add(int a, int b)" in lib.add.__doc__
        assert not hasattr(lib, "lib_add")
        with pytest.raises(sb.ArgumentError, match=r"add\(\) argument 1 'a'"):
            lib.add("x", 1)

    def test_prefixes_that_make_two_names_one(self, home):
        (home / "lib.hpp").write_text("inline int a_f() { return 1; }\ninline int b_f() { return 2; }\n")
        with pytest.raises(sb.BindError, match="gives a_f and b_f the same name 'f'"):
            bind(home, "API Prefix Removal: {Function: [a_, b_]}")
        (home / "lib.hpp").write_text("enum Kind { A_ONE, B_ONE };\n")
        with pytest.raises(sb.BindError, match="gives A_ONE and B_ONE of Kind the same name 'ONE'"):
            bind(home, "API Prefix Removal: {Enum: [A_, B_]}")

    def test_file_list_is_what_is_exposed(self, home):
        lib = bind(home, "File List: [detail.hpp, inc/far/away.hpp]")
        assert (lib.detail(), lib.away()) == (3, 4)
        assert not hasattr(lib, "lib_add")

    def test_output_name_is_the_librarys(self, home):
        assert bind(home, "Output Name: bindings_lib.py").__name__ == "bindings_lib"
        assert bind(home, "Output Name: bindings_lib.py", name="mine").__name__ == "mine"

    def test_keys_of_our_own(self, home):
        (home / "lib.hpp").write_text("int twice(int x);\n")
        (home / "lib.cpp").write_text(
            '#include <concepts>\n#include "lib.hpp"\nint twice(int x) { return N * x; }'
        )
        lib = bind(home, "Sources: lib.cpp\nStandard: c++20\nCompiler Flags: [-DN=2]\nLanguage: c++")
        assert lib.twice(4) == 8

    def test_joined_text(self, home):
        assert bind(home, "Output Name: !numbast_join [bind, ings, .py]").__name__ == "bindings"

    def test_names_that_yaml_1_1_takes_for_booleans(self, home):
        (home / "lib.hpp").write_text("inline void f(int& on, int& no) { on = 1; no = 2; }\n")
        assert bind(home, "Function Argument Intents: {f: {on: out_return, no: out_return}}").f() == (1, 2)


class TestReports:
    def test_what_has_no_effect_here_is_said_with_its_reason(self, home):
        (home / "lib.yaml").write_text(
            BASE + "Name: x\nVersion: 1.0\nGPU Arch: [sm_80]\nHeaders: lib.hpp\nSkip Prefix: null\n"
        )
        with pytest.warns(sb.BindWarning) as caught:
            sb.bind(config=home / "lib.yaml")
        (text,) = (str(w.message) for w in caught if "not used" in str(w.message))
        told = [line.partition(":")[0].strip() for line in text.splitlines()[1:]]
        assert told == ["GPU Arch", "Headers"]
        assert caught[0].filename == __file__

    @pytest.mark.parametrize("target", ["host", "numba_cuda"])
    def test_what_never_has_an_effect_is_an_error_with_its_reason(self, home, target):
        asked = {
            "Types": {"P": "Type"}, "Data Models": {"P": "StructModel"}, "Additional Import": ["import math"],
            "Shim Include Override": "x.hpp", "Cooperative Launch Required Functions Regex": ["cg_.*"],
            "Module Callbacks": {"setup": "f"}, "Module Link Variables Used": ["a"], "Use Separate Registry": True,
            "Separate Registry": True, "Require Pynvjitlink": True,
        }  # fmt: skip
        with pytest.raises(sb.BindError) as caught:
            sb.bind(home / "lib.hpp", config=asked, target=target)
        told = [line.partition(":")[0].strip() for line in str(caught.value).splitlines()[1:]]
        assert told == list(asked)
        assert all(line.partition(": ")[2] for line in str(caught.value).splitlines()[1:])

    def test_what_asks_for_nothing_is_taken(self, home):
        idle = "Types: {}\nData Models: {}\nSeparate Registry: false\nRequire Pynvjitlink: false\n"
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            assert bind(home, idle).__name__

    def test_another_header_than_the_entry_point(self, home):
        (home / "other.hpp").write_text("inline int other() { return 5; }\n")
        (home / "lib.yaml").write_text("Entry Point: lib.hpp\n")
        with pytest.warns(sb.BindWarning, match=r"Entry Point: bind\(\) was given .*other\.hpp"):
            lib = sb.bind(home / "other.hpp", config=home / "lib.yaml")
        assert lib.other() == 5

    def test_the_same_header_is_no_news(self, home):
        (home / "lib.yaml").write_text("Entry Point: lib.hpp\nFunction Argument Intents: {f: {x: in}}\n")
        (home / "lib.hpp").write_text("inline void f(int& x) { x = 1; }\n")
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            sb.bind(home / "lib.hpp", config=home / "lib.yaml")


class TestRefused:
    @pytest.mark.parametrize(
        ("text", "words"),
        [
            (
                "Functon Argument Intents: {}",
                "lib.yaml: unknown key 'Functon Argument Intents'; known: Name, Version,",
            ),
            ("Functon Argument Intents: {}", "Did you mean 'Function Argument Intents'?"),
            ("entry_point: x.hpp", "Did you mean 'Entry Point'?"),
            ("true: 1", "unknown key True"),
            (
                "Exclude: {Functions: [f]}",
                "lib.yaml: Exclude: unknown key 'Functions'; known: Function, Struct. Did",
            ),
            ("API Prefix Removal: {Typedef: x}", "API Prefix Removal: unknown key 'Typedef'"),
            ("Exclude: [f]", "lib.yaml: Exclude is a mapping, got ['f']"),
            (
                "Exclude: {Function: [lib_ad]}",
                "unknown function 'lib_ad'; known: detail, lib_add, lib_handle,",
            ),
            (
                "Exclude: {Struct: [Hidden]}",
                "known: lib_Hidden, lib_Holder, lib_Point. Did you mean 'lib_Hidden'?",
            ),
            ("File List: [lib.hp]", "File List: "),
            ("Clang Include Paths: [nowhere]", "nowhere does not exist"),
            ("Predefined Macros: A", "lib.yaml: Predefined Macros is a list of texts, got 'A'"),
            ("Predefined Macros: [1]", "lib.yaml: Predefined Macros, item 0 is text, got 1"),
            ("Use Separate Registry: on", "is true or false, got 'on'"),
            ("Skip Prefix: 3", "Skip Prefix is text, got 3"),
            ("Function Argument Intents: [f]", "Function Argument Intents is a mapping"),
            (
                "Function Argument Intents: {lib_add: in}",
                "Function Argument Intents: lib_add is a mapping, got 'in'",
            ),
            ("Function Argument Intents: {lib_ad: {a: in}}", "unknown function 'lib_ad'"),
            ("Function Argument Intents: {lib_add: {c: in}}", "unknown parameter 'c'; known: a, b."),
            (
                "Function Argument Intents: {lib_add: {2: in}}",
                "index 2 is out of range for 2 parameters: a, b",
            ),
            (
                "Function Argument Intents: {lib_add: {true: in}}",
                "key True is neither a parameter name nor an index",
            ),
            ("Function Argument Intents: {lib_out: {x: out}}", "unknown intent 'out'"),
            ("Function Argument Intents: {lib_out: {x: {intent: in, dtpe: float}}}", "takes no options"),
            ("Skip Prefix: a\nSkip Prefix: b", "the key 'Skip Prefix' is there already, in line 4"),
            ("Exclude: {Function: [", "cannot be read as YAML"),
            ("? [a]\n: b", "is no key"),
            ("Standard: 17", "Standard is text, got 17"),
            ("Language: rust", "language is 'c' or 'c++', got 'rust'"),
        ],
    )
    def test_the_words(self, home, text, words):
        with pytest.raises(sb.Error) as caught:
            bind(home, text)
        assert words in str(caught.value)

    def test_no_file_and_no_header(self, home):
        with pytest.raises(sb.BindError, match=r"there is no file .*none\.yaml"):
            sb.bind(home / "lib.hpp", config=home / "none.yaml")
        with pytest.raises(sb.BindError, match="needs a header, or a configuration with an Entry Point"):
            sb.bind(config={})
        (home / "lib.yaml").write_text("- a\n")
        with pytest.raises(sb.BindError, match="a YAML file or a mapping of keys, got 5"):
            sb.bind(home / "lib.hpp", config=5)
        with pytest.raises(sb.BindError, match="a configuration is a mapping of keys, got list"):
            sb.bind(home / "lib.hpp", config=home / "lib.yaml")


class TestCudaHeaders:
    """Headers for CUDA's compiler, on a host without CUDA's headers."""

    def test_words_and_vectors(self):
        lib = sb.compile(
            "__host__ __device__ inline float4 up(float4 v, dim3 d) { return make_float4(v.y, v.z, v.w, d.z); }\n"
            "__forceinline__ __device__ uchar3 small(uchar3 c) { return c; }\n"
            "struct __align__(16) Pair { int a, b; }; __device__ Pair pair(Pair p) { return p; }"
        )
        assert lib.up(sb.float32x4(1, 2, 3, 4), (5, 6, 7)) == sb.float32x4(2, 3, 4, 7)
        assert lib.small((1, 2, 3)) == sb.uint8x3(1, 2, 3)
        assert sb.alignof(lib.Pair) == 16

    def test_a_header_that_helps_itself_is_left_alone(self):
        lib = sb.compile(
            "#ifndef __CUDACC__\n#define __device__\nstruct float4 { float x, y, z, w; };\n#endif\n"
            "__device__ float4 same(float4 v) { return v; }"
        )
        assert lib.same((1, 2, 3, 4)) == lib.float4(1, 2, 3, 4)

    def test_what_no_host_has_stays_an_error(self):
        with pytest.raises(sb.CompileError, match="threadIdx"):
            sb.compile("__device__ int f() { return threadIdx.x; }")

    @pytest.mark.filterwarnings("ignore::samebytes.BindWarning")
    @pytest.mark.parametrize(
        ("head", "own_headers"),
        [
            ("__global__", False),
            ("/* */ __global__ __launch_bounds__(64)", False),
            ("DEVICE_CODE", False),
            ("__global__", True),  # which make nothing of the word, and have no bounds on the host
        ],
    )
    def test_kernels_are_no_functions_of_the_host(self, head, own_headers, tmp_path):
        source = f"""#define DEVICE_CODE __global__
        // __global__ is a word of CUDA's
        int f(int a) {{ return a; }}
        {head} void k(int* p) {{ *p = 1; }}
        namespace ns {{ template <class T> {head} void t(T* p) {{ *p = 1; }} }}
        extern "C" {head} void c(int* p) {{ *p = 1; }}
        """
        if own_headers:
            (tmp_path / "host_defines.h").write_text("#define __global__\n")
            source = f'#include "host_defines.h"\n{source}'
        lib = sb.compile(source, include_dirs=[tmp_path])
        assert lib.f(3) == 3
        for space, name in ((lib, "k"), (lib, "c"), (lib.ns if hasattr(lib, "ns") else lib, "t")):
            with pytest.raises(AttributeError, match=r"it is a kernel.*dialect='cuda' compiles and launches"):
                getattr(space, name)

    def test_a_header_that_makes_functions_of_its_kernels_is_believed(self):
        assert sb.compile("#define __global__\n__global__ int k() { return 5; }").k() == 5

    @pytest.mark.parametrize(
        "source",
        [
            "__global__ void k(int* p) { *p = threadIdx.x; }",
            "__global__ void k(int* p) { __shared__ int room[4]; __syncthreads(); *p = room[0]; }",
            "__global__ void k(int* p) {} inline void f(int* p) { k<<<1, 2>>>(p); }",
        ],
    )
    def test_code_of_kernels_says_which_dialect_it_is(self, source):
        with pytest.raises(sb.CompileError, match="dialect='cuda' compiles and launches its kernels"):
            sb.compile(source)
