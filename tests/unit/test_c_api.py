"""style="c_api": outputs after the status, handles, adapters, and a library that is opened on first use."""

import ctypes
import pickle
import subprocess
import sys
import textwrap
import warnings

import numpy as np
import pytest

import samebytes as sb

HEADER = """
#include <stddef.h>
typedef enum { OK = 0, BAD_VALUE = 1, GONE = 7, NEVER = -5 } status_t;
typedef struct device_s *device_t;
typedef struct stream_s *stream_t;
typedef struct { int major; float speed; } info_t;
typedef enum { SLOW = 1, FAST = 5 } pace_t;

status_t device_open(device_t *device, int index);
status_t device_close(device_t device);
status_t device_destroy(device_t *device);
status_t device_info(info_t *info, device_t device);
status_t device_get_number(int *number, double *load_out, device_t device);
status_t device_pace(pace_t *pace, device_t device);
status_t stream_make(stream_t *stream, device_t device);
status_t memory_new(void **memory, size_t size);
status_t memory_fill(void *memory, int byte, size_t size);
status_t memory_delete(void *memory);
status_t sum(double *total, const double *values, int n);
status_t bounds(int range[2]);
status_t text(char *out, size_t room);
status_t scale(int *values, int n, int factor);
status_t newest(int *version);
const char *status_text(status_t status);
void nothing(void);
int plain(int x);
status_t missing(int *x);
"""

SOURCE = """
#include <stdlib.h>
#include <string.h>
#include "device.h"
struct device_s { int index; };
struct stream_s { device_t device; };
status_t device_open(device_t *d, int i) {
  if (i < 0) return *d = 0, i == -5 ? NEVER : BAD_VALUE;
  return *d = malloc(sizeof **d), (*d)->index = i, OK;
}
status_t device_close(device_t d) { return free(d), OK; }
status_t device_destroy(device_t *d) { return free(*d), *d = 0, OK; }
status_t device_info(info_t *info, device_t d) { return info->major = d->index, info->speed = 2.5f, OK; }
status_t device_get_number(int *n, double *load, device_t d) { return *n = d->index, *load = 0.5, OK; }
status_t device_pace(pace_t *pace, device_t d) { return *pace = d->index ? FAST : SLOW, OK; }
status_t stream_make(stream_t *s, device_t d) { return *s = malloc(sizeof **s), (*s)->device = d, OK; }
status_t memory_new(void **m, size_t size) { return *m = malloc(size), OK; }
status_t memory_fill(void *m, int byte, size_t size) { return memset(m, byte, size), OK; }
status_t memory_delete(void *m) { return free(m), OK; }
status_t sum(double *t, const double *v, int n) { *t = 0; while (n--) *t += *v++; return OK; }
status_t bounds(int r[2]) { return r[0] = 1, r[1] = 2, OK; }
status_t text(char *out, size_t room) { return strncpy(out, "hello", room), OK; }
status_t scale(int *v, int n, int f) { while (n--) *v++ *= f; return OK; }
const char *status_text(status_t s) { return s == OK ? "fine" : "bad"; }
void nothing(void) {}
int plain(int x) { return x + 1; }
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    here = tmp_path_factory.mktemp("c_api")
    (here / "device.h").write_text(HEADER)
    (here / "device.c").write_text(SOURCE)
    subprocess.run(["gcc", "-shared", "-fPIC", "-o", here / "libdevice.so", here / "device.c"], check=True)
    return here


def bound(folder, **more):
    given = {"library": folder / "libdevice.so", "style": "c_api"} | more
    return sb.bind(folder / "device.h", **given)


@pytest.fixture(scope="module")
def lib(folder):
    return bound(folder, arg_intent={"scale": {"values": "in"}})


class TestOutputs:
    def test_a_handle_after_the_status(self, lib):
        status, device = lib.device_open(3)
        assert status is lib.OK
        assert type(device) is lib.device_t
        assert lib.device_get_number(device) == (lib.OK, 3, 0.5)
        assert lib.device_close(device) == (lib.OK,)

    def test_a_failing_call_returns_its_status(self, lib):
        status, device = lib.device_open(-1)
        assert status is lib.BAD_VALUE
        assert not device

    def test_an_enumerator(self, lib):
        device = lib.device_open(1)[1]
        assert lib.device_pace(device) == (lib.OK, lib.FAST)

    def test_a_struct_is_the_callers(self, lib):
        device, info = lib.device_open(4)[1], lib.info_t()
        assert lib.device_info(info, device) == (lib.OK,)
        assert (info.major, info.speed) == (4, 2.5)

    def test_const_arrays_and_bytes_go_in(self, lib):
        assert lib.sum(np.array([1.0, 2.0, 3.5]), 3) == (lib.OK, 6.5)
        room = np.zeros(2, np.int32)
        assert lib.bounds(room) == (lib.OK,)
        assert room.tolist() == [1, 2]
        text = ctypes.create_string_buffer(8)
        assert lib.text(text, 8) == (lib.OK,)
        assert text.value == b"hello"

    def test_intents_decide_the_rest(self, lib):
        values = np.array([1, 2, 3], np.int32)
        assert lib.scale(values, 3, 5) == (lib.OK,)
        assert values.tolist() == [5, 10, 15]

    def test_other_results_are_tuples_too(self, lib):
        assert lib.status_text(lib.OK) == "fine"
        assert lib.plain(4) == 5
        assert lib.nothing() is None


class TestAdapters:
    def test_an_int_is_an_address(self, lib):
        memory = lib.memory_new(4)[1]
        assert type(memory) is sb.Pointer
        assert lib.memory_fill(int(memory), 65, 4) == (lib.OK,)
        assert ctypes.string_at(int(memory), 4) == b"AAAA"
        lib.memory_delete(int(memory))

    @pytest.mark.parametrize(
        "make", [np.zeros, lambda n: bytearray(8 * n), lambda n: (ctypes.c_double * n)()]
    )
    def test_memory_of_any_library(self, lib, make):
        room = make(2)
        assert lib.memory_fill(room, 1, 16) == (lib.OK,)
        assert bytes(memoryview(room)) == b"\x01" * 16

    def test_handles_are_apart(self, lib):
        device = lib.device_open(0)[1]
        stream = lib.stream_make(device)[1]
        assert type(stream) is lib.stream_t
        with pytest.raises(
            sb.ArgumentError, match=r"device_close\(\) argument 1 'device': expected a device_s handle"
        ):
            lib.device_close(stream)
        assert lib.device_get_number(int(device))[1] == 0
        assert lib.device_get_number(sb.Pointer(device))[1] == 0

    def test_a_handle_is_no_place_of_handles(self, lib):
        device = lib.device_open(0)[1]
        with pytest.raises(
            sb.ArgumentError, match=r"a list, an address.*\. handle\.createRef\(\) is where it lies"
        ):
            lib.device_destroy(device)
        assert lib.device_destroy(device.createRef()) == (lib.OK,)
        assert not device

    def test_nonsense(self, lib):
        with pytest.raises(sb.ArgumentError, match=r"memory_fill\(\) argument 1 'memory'"):
            lib.memory_fill("text", 0, 1)
        with pytest.raises(sb.Error, match=r"memory_fill\(\) argument 1 'memory'"):
            lib.memory_fill(-1, 0, 1)


class TestLookup:
    def test_a_missing_function_is_one_sentence(self, lib):
        assert "missing" in dir(lib)
        with pytest.raises(
            sb.MissingDependency, match=r"libdevice.so has no missing\(\), which the header declares"
        ):
            lib.missing  # noqa: B018

    def test_a_missing_library_is_one_sentence(self, folder):
        lib = bound(folder, library="libnowhere.so.9", name="nowhere")
        assert lib.OK == 0
        with pytest.raises(
            sb.MissingDependency, match=r"device_open\(\) is in libnowhere.so.9, which cannot be opened"
        ):
            lib.device_open(0)

    def test_the_library_is_opened_on_first_use(self, folder):
        script = textwrap.dedent(f"""
            import samebytes as sb
            lib = sb.bind({str(folder / "device.h")!r}, library={str(folder / "libdevice.so")!r}, style="c_api")
            opened = lambda: "libdevice.so" in open("/proc/self/maps").read()
            assert not opened()
            lib.plain(1)
            assert opened()
            import ctypes
            assert not hasattr(ctypes.CDLL(None), "device_open"), "its names are nobody else's"
        """)
        subprocess.run([sys.executable, "-W", "ignore", "-c", script], check=True)

    def test_without_a_style(self, folder):
        with warnings.catch_warnings():  # opaque structs are what they are meant to be: a reason for who asks
            warnings.simplefilter("error", sb.BindWarning)
            lib = sb.bind(folder / "device.h", library=folder / "libdevice.so", name="unstyled", language="c")
        with pytest.raises(AttributeError, match="only its name is declared"):
            lib.device_s  # noqa: B018
        assert lib.plain(3) == 4

    def test_functions_pickle(self, lib):
        again = pickle.loads(pickle.dumps(lib.plain))
        assert again(1) == 2

    def test_functions_are_bound_to_cxx(self, lib):
        with pytest.raises(AttributeError, match="cannot be replaced"):
            lib.sum = 3


class TestCheck:
    def test_statuses_raise(self, folder):
        lib = bound(folder, check=True)
        device = lib.device_open(2)
        assert lib.device_get_number(device) == (2, 0.5)
        assert lib.device_close(device) is None
        with pytest.raises(sb.StatusError, match=r"device_open\(\) returned BAD_VALUE \(1\)") as caught:
            lib.device_open(-1)
        assert caught.value.status is lib.BAD_VALUE
        with pytest.raises(sb.StatusError, match=r"device_open\(\) returned NEVER \(-5\)"):
            lib.device_open(-5)
        assert not caught.value.results[0]
        assert lib.plain(-1) == 0

    def test_named_functions(self, folder):
        lib = bound(folder, check={"plain"})
        assert lib.plain(-1) is None
        with pytest.raises(sb.StatusError, match=r"plain\(\) returned the status \(3\)"):
            lib.plain(2)
        assert lib.device_open(-1)[0] is lib.BAD_VALUE

    def test_where_no_status_says_so_itself(self, tmp_path):
        (tmp_path / "plain.h").write_text("static inline int shut(int valve) { return valve; }")
        with pytest.raises(sb.BindError, match=r"none here does: name those .*, check=\['shut', …\]"):
            sb.bind(tmp_path / "plain.h", style="c_api", check=True)
        assert sb.bind(tmp_path / "plain.h", style="c_api", check=["shut"]).shut(0) is None


BAD = (
    ({"style": "hip"}, "style is 'c_api' or left out, got 'hip'"),
    ({"style": None, "check": True}, "check= is not for target='host': it is for style='c_api'"),
    ({"check": {"plan"}}, "check names an unknown function 'plan'. Did you mean 'plain'"),
)


@pytest.mark.parametrize(("given", "words"), BAD)
def test_bad_options(folder, given, words):
    with pytest.raises(sb.BindError, match=words):
        bound(folder, **given)


def test_handles_that_are_named_by_value(tmp_path):
    """Cairo's way: ``typedef struct _cairo cairo_t;``, and ``cairo_t *`` everywhere."""
    (tmp_path / "brush.h").write_text("""
    typedef struct _brush brush_t;
    typedef brush_t another_t;
    typedef struct _never never_t;
    typedef int (*paint_t)(brush_t *brush, another_t *same, const brush_t *seen);
    static inline brush_t *take(void) { return (brush_t *)64; }
    static inline int paint(paint_t f) { return f(take(), take(), 0); }
    """)
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # what is only declared is worth none
        lib = sb.bind(tmp_path / "brush.h", style="c_api")
    assert [s.name for s in lib.__skipped__] == ["_never", "never_t"]
    assert lib.brush_t is lib.another_t is lib._brush
    assert type(lib.take()) is lib.brush_t
    given = []
    assert lib.paint(lambda *handles: given.extend(handles) or 7) == 7
    assert [type(handle) for handle in given] == [lib.brush_t] * 3
    assert [int(handle) for handle in given] == [64, 64, 0]
