"""allocations=: a C API's allocators give arrays that know size, device and stream, and give back what they own."""

import ctypes
import enum
import gc
import subprocess
import sys
import textwrap
import weakref

import numpy as np
import pytest
from remaining import remaining

import samebytes as sb
from samebytes.arrays.view import streams

HEADER = """
#include <stddef.h>
#include <stdint.h>
typedef enum { POOL_OK, POOL_FULL, POOL_BUSY } pool_status;
typedef struct pool_s *pool_t;
typedef struct queue_s *queue_t;
pool_status pool_make(pool_t *pool);
pool_status pool_take(void **block, size_t bytes, pool_t pool);
pool_status pool_grid(float **cells, unsigned rows, int columns, pool_t pool, int *left);
pool_status pool_give(pool_t pool, void *block);
pool_status pool_later(void **block, size_t bytes, queue_t queue);
pool_status pool_device(int *number);
int pool_alive(void);
void pool_lock(int busy);
void *raw_take(size_t bytes);
void raw_give(void *block);
void raw_out(void **block, size_t bytes);
int plain_take(uint64_t *address, size_t bytes);
void text_of(char *text, size_t room, double factor);
void pool_use(int number);
void near_take(void **block, unsigned rows, size_t bytes);
"""

SOURCE = """
#include <stdlib.h>
#include "pool.h"
struct pool_s { int taken; };
static int alive, locked;
static void *spare, *latest; /* a block of 64 bytes that comes again */
static void *take(size_t n) {
  if (n > 1 << 20) return NULL;
  void *made = n == 64 && spare ? spare : calloc(n + !n, 1);
  if (n == 64) latest = made, spare = NULL;
  return ++alive, made;
}
static void give(void *block) {
  if (!block) return;
  --alive;
  if (block == latest && !spare) spare = block; else free(block);
}
pool_status pool_make(pool_t *pool) { static struct pool_s one; return *pool = &one, POOL_OK; }
pool_status pool_take(void **b, size_t n, pool_t pool) { return (*b = take(n)) ? POOL_OK : POOL_FULL; }
pool_status pool_grid(float **c, unsigned rows, int columns, pool_t pool, int *left) {
  return *left = 7, (*c = take(sizeof **c * rows * columns)) ? POOL_OK : POOL_FULL;
}
pool_status pool_give(pool_t pool, void *block) {
  if (!locked) give(block);
  return locked == 1 ? POOL_BUSY : POOL_OK;
}
pool_status pool_later(void **b, size_t n, queue_t queue) { return (*b = take(n)) ? POOL_OK : POOL_FULL; }
static int device = 3;
pool_status pool_device(int *number) { return *number = device, POOL_OK; }
void pool_use(int number) { device = number; }
void near_take(void **block, unsigned rows, size_t bytes) { *block = bytes >> 20 ? NULL : take(rows * bytes); }
int pool_alive(void) { return alive; }
void pool_lock(int busy) { locked = busy; }
void *raw_take(size_t bytes) { return take(bytes); }
void raw_give(void *block) { give(block); }
void raw_out(void **block, size_t bytes) { *block = take(bytes); }
int plain_take(uint64_t *address, size_t bytes) { return *address = (uint64_t)take(bytes), 1; }
void text_of(char *text, size_t room, double factor) {}
"""

OWNED = {"memory": "host", "free": "pool_give(pool, block)"}
ROWS = {
    "pool_take": {"pointer": "block", "size": "bytes", **OWNED},
    "pool_grid": {
        "pointer": "cells", "size": ["rows", "columns", 4], "memory": "host", "free": "pool_give(pool, cells)",
    },
    "raw_take": {"pointer": "return", "size": "bytes", "memory": "host", "free": "raw_give"},
    "raw_out": {"pointer": "block", "size": "bytes", "memory": "host"},
    "plain_take": {"pointer": "address", "size": "bytes", "memory": "cuda", "kind": "shared", "device": "pool_device"},
    "pool_later": {"pointer": "block", "size": "bytes", "memory": "hip", "stream": "queue"},
    "near_take": {
        "pointer": "block", "size": ["rows", "bytes", 2], "memory": "cuda", "kind": "shared", "device": "pool_device",
    },
}  # fmt: skip


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    here = tmp_path_factory.mktemp("pool")
    (here / "pool.h").write_text(HEADER)
    (here / "pool.c").write_text(SOURCE)
    subprocess.run(["gcc", "-shared", "-fPIC", "-o", here / "libpool.so", here / "pool.c"], check=True)
    return here


def bound(folder, rows=ROWS, **more):
    return sb.bind(folder / "pool.h", library=folder / "libpool.so", style="c_api", allocations=rows, **more)


@pytest.fixture(scope="module")
def lib(folder):
    return bound(folder)


@pytest.fixture
def pool(lib):
    return lib.pool_make()[1]


@pytest.fixture(autouse=True)
def _nothing_is_left(lib):
    before = remaining(lib.pool_alive, 0)
    yield
    assert remaining(lib.pool_alive, before) == before


class TestArrays:
    def test_bytes_that_can_be_used(self, lib, pool):
        status, block = lib.pool_take(24, pool)
        assert (status, type(block)) == (lib.POOL_OK, sb.DeviceArray)
        assert (block.shape, block.typestr, str(block.device)) == ((24,), "|u1", "host memory")
        block.configure(shape=(2, 3), typestr="f4")[1, 2] = 5
        assert np.asarray(block).tolist() == [[0, 0, 0], [0, 0, 5]]
        with pytest.raises(sb.ArrayError, match="outside the 24 bytes"):
            block.configure(shape=(5, 5))

    def test_a_product_beside_other_outputs(self, lib, pool):
        status, cells, left = lib.pool_grid(columns=3, rows=np.uint8(2), pool=pool)
        assert (status, cells.shape, left) == (lib.POOL_OK, (24,), 7)

    def test_what_is_returned(self, lib):
        block = lib.raw_take(8)
        assert (block.shape, lib.raw_give(block)) == ((8,), None)

    def test_without_a_status_or_a_free(self, lib):
        (block,) = lib.raw_out(8)
        assert block.shape == (8,)
        address = int(block)
        del block
        lib.raw_give(address)

    def test_the_device_is_asked(self, lib):
        status, block = lib.plain_take(16)
        assert (status, block.device.type, block.device.id) == (1, 13, 3)
        lib.raw_give(block)
        assert int(block), "nobody said that raw_give() takes what plain_take() gave"

    def test_each_device_has_its_own(self, lib):
        class Rows(enum.IntEnum):
            TWO = 2

        for number in (3, 0, 3, 5, 0):
            lib.pool_use(number)
            for rows in (2, np.uint8(2), Rows.TWO):
                (block,) = lib.near_take(rows, 4)
                found = (type(block), block.shape, block.typestr, block.device.type, block.device.id)
                assert found == (sb.DeviceArray, (16,), "|u1", 13, number)
                assert block[4:].device.id == number
                lib.raw_give(block)
        assert not lib.near_take(2**31, 2**62)[0]
        lib.pool_use(3)

    def test_no_memory(self, lib, pool):
        before = lib.pool_alive()
        status, block = lib.pool_take(1 << 30, pool)
        assert (status, type(block), int(block)) == (lib.POOL_FULL, sb.DeviceArray, 0)
        assert int(lib.raw_take(1 << 30)) == 0
        assert lib.pool_alive() == before

    def test_checked(self, folder, pool):
        checked = bound(folder, check=True)
        assert checked.pool_take(8, pool).shape == (8,)
        cells, left = checked.pool_grid(1, 1, pool)
        assert (cells.shape, left) == ((4,), 7)
        with pytest.raises(sb.StatusError, match=r"pool_take\(\) returned POOL_FULL"):
            checked.pool_take(1 << 30, pool)

    def test_without_a_row_it_is_a_pointer(self, folder, lib, pool):
        plain = bound(folder, {}, arg_intent={"pool_take": {"block": "out_return"}})
        pointer = plain.pool_take(8, pool)[1]
        assert type(pointer) is sb.Pointer
        assert plain.pool_give(pool, pointer) == (plain.POOL_OK,)


class TestGivingBack:
    def test_when_the_array_and_its_parts_die(self, lib, pool):
        before = lib.pool_alive()
        block = lib.pool_take(24, pool)[1].configure(shape=(2, 3), typestr="f4")
        part, seen = block[1], np.asarray(block)
        del block, part
        gc.collect()
        assert lib.pool_alive() == before + 1
        del seen
        gc.collect()
        assert lib.pool_alive() == before

    @pytest.mark.parametrize("how", [lambda block: block, int, lambda block: block.configure(shape=(2, 4))])
    def test_by_hand_and_only_once(self, lib, pool, how):
        before = lib.pool_alive()
        block = lib.pool_take(8, pool)[1]
        given = how(block)
        assert lib.pool_give(pool, given) == (lib.POOL_OK,)
        assert lib.pool_alive() == before
        assert given is not block or not block, "null: nothing is there any more"
        del block, given
        gc.collect()
        assert lib.pool_alive() == before

    def test_a_refused_free_leaves_it_owned(self, lib, pool):
        block = lib.pool_take(8, pool)[1]
        lib.pool_lock(1)
        try:
            assert lib.pool_give(pool, block) == (lib.POOL_BUSY,)
        finally:
            lib.pool_lock(0)
        assert block.shape == (8,)

    def test_null_and_foreign_memory(self, lib, pool):
        assert lib.pool_give(pool, None) == (lib.POOL_OK,)
        lib.pool_lock(2)  # all is well, and nothing is done: what Python makes of the argument is seen
        try:
            for foreign in (np.zeros(8), bytearray(8), ctypes.c_void_p(8)):
                assert lib.pool_give(pool, foreign) == (lib.POOL_OK,)
        finally:
            lib.pool_lock(0)
        assert lib.raw_give(ctypes.c_void_p(int(lib.plain_take(8)[1]))) is None
        assert lib.raw_give(lib.plain_take(8)[1]) is None

    def test_an_address_that_comes_again_is_another_array(self, lib, pool):
        block = lib.pool_take(64, pool)[1]
        address, part = int(block), block[8:]
        lib.pool_give(pool, block)
        again = lib.pool_take(64, pool)[1]
        assert int(again) == address
        del block, part
        gc.collect()
        alive = lib.pool_alive()
        del again
        gc.collect()
        assert lib.pool_alive() == alive - 1, "the first array's end gave nothing back"

    def test_what_free_needs_lives_as_long(self, folder):
        script = f"""
            import samebytes as sb
            rows = {ROWS!r}
            where = {str(folder / "libpool.so")!r}
            lib = sb.bind({str(folder / "pool.h")!r}, library=where, style="c_api", allocations=rows)
            def take():
                return lib.pool_take(8, lib.pool_make()[1])[1]
            kept = take()
            import atexit
            atexit._run_exitfuncs()
            assert lib.pool_alive() == 0, "given back when the interpreter ends"
        """
        subprocess.run([sys.executable, "-W", "ignore", "-c", textwrap.dedent(script)], check=True)


class TestFailures:
    """Between C's allocation and the array: the block is given back by its rule."""

    @pytest.mark.parametrize(("where", "name"), [(sb.DeviceArray, "_of"), (weakref, "finalize")])
    def test_nothing_is_lost(self, lib, pool, monkeypatch, where, name):
        def fail(*given):
            raise MemoryError("as if")

        alive = lib.pool_alive()
        with monkeypatch.context() as patch:
            patch.setattr(where, name, fail)
            with pytest.raises(MemoryError, match="as if"):
                lib.pool_take(64, pool)
        gc.collect()
        assert lib.pool_alive() == alive
        assert lib.pool_take(64, pool)[1].nbytes == 64


class Driver:
    def __init__(self):
        self.log = []

    def wait(self, consumer, producer, device):
        self.log.append(("wait", consumer, producer, device))

    def finish(self, stream, device):
        self.log.append(("finish", stream, device))


@pytest.fixture
def driver(monkeypatch):
    made = Driver()
    monkeypatch.setattr(streams, "driver", lambda device_type: made)
    return made


class TestStreams:
    """The array is ready after its stream's work (DLPack and the CUDA Array Interface, "streams")."""

    def later(self, lib, queue):
        return lib.pool_later(8, queue)[1]

    def test_the_array_says_its_stream(self, lib, driver):
        queue = lib.queue_t(4096)
        block = self.later(lib, queue)
        assert (block.stream, block.stream_as_int, block[2:].stream) == (4096, 4096, 4096)
        assert block.__cuda_array_interface__["stream"] == 4096
        assert not driver.log
        assert block.configure(typestr="f4", shape=2).stream == 4096
        assert block.configure(stream=None).stream is None
        lib.raw_give(block)

    @pytest.mark.parametrize(("consumer", "log"), [
        (8192, [("wait", 8192, 4096, 0)]), (None, [("wait", 0, 4096, 0)]), (4096, []), (-1, []),
    ])  # fmt: skip
    def test_a_consumer_is_ordered_after_it(self, lib, driver, consumer, log):
        block = self.later(lib, lib.queue_t(4096))
        block.__dlpack__(stream=consumer)
        assert driver.log == log
        lib.raw_give(int(block))

    @pytest.mark.parametrize("queue", [None, 0])
    def test_the_default_stream_is_one_too(self, lib, driver, queue):
        block = self.later(lib, queue)
        assert block.stream == 0
        assert block.__cuda_array_interface__["stream"] is None, "the interface forbids 0: it was waited for"
        assert driver.log == [("finish", 0, 0)]
        lib.raw_give(block)

    def test_cuda_numbers_it_otherwise(self, folder, driver):
        cuda = bound(folder, {"pool_later": {**ROWS["pool_later"], "memory": "cuda"}})
        block = cuda.pool_later(8, None)[1]
        assert block.stream == block.__cuda_array_interface__["stream"] == 1
        cuda.raw_give(block)

    def test_without_a_stream_it_is_ready(self, lib, pool):
        assert lib.pool_take(8, pool)[1].stream is None


WRONG = [
    ({"pool_takes": ROWS["pool_take"]}, "unknown function.*Did you mean 'pool_take'"),
    ({"pool_take": {"pointer": "blocks", "size": "bytes", "memory": "host"}}, "no parameter 'blocks'.*'block'"),
    ({"pool_take": {"pointer": "block", "size": "byte", "memory": "host"}}, "size: no parameter 'byte'; it has: block"),
    ({"pool_take": {"pointer": "block", "size": "pool", "memory": "host"}}, "size: 'pool' is no integer"),
    ({"pool_take": {"pointer": "block", "size": "block", "memory": "host"}}, "size: 'block' is no integer"),
    ({"pool_take": {"pointer": "pool", "size": "bytes", "memory": "host"}}, "'pool' is no output; arg_intent="),
    ({"pool_take": {"pointer": "return", "size": "bytes", "memory": "host"}}, "pointer: it returns .*, no address"),
    ({"pool_device": {"pointer": "number", "size": [4], "memory": "host"}}, "is int \\*, which gets no address"),
    ({"text_of": {"pointer": "text", "size": "factor", "memory": "host"}}, "'text' is no output"),
    ({"pool_take": {"size": "bytes", "memory": "host"}}, "does not say pointer"),
    ({"pool_take": {}}, "does not say pointer, size, memory"),
    ({"pool_take": {"pointer": "block", "size": None, "memory": "hip"}}, "does not say size"),
    ({"pool_take": {"pointer": "block", "size": [None], "memory": "hip"}}, "size is a parameter, or a list"),
    ({"pool_take": {"pointer": "block", "sise": "bytes", "memory": "host"}}, "unknown key 'sise'.*'size'"),
    ({"pool_take": {"pointer": "block", "size": "bytes", "memory": "cude"}}, "memory is .*'cude'.*'cuda'"),
    ({"pool_take": {"pointer": "block", "size": "bytes", "memory": "hip", "kind": "shard"}}, "kind is .*'shared'"),
    ({"pool_take": {"pointer": "block", "size": [0], "memory": "hip"}}, "size is a parameter, or a list"),
    *(
        ({"pool_take": {"pointer": "block", "size": size, "memory": "hip"}}, "size is a parameter, or a list")
        for size in (True, 1.5, -4, [1.5], ["bytes", None], [["bytes"]], {"bytes": 1}, b"bytes")
    ),
    ({"pool_take": {"pointer": 0, "size": "bytes", "memory": "hip"}}, "does not say pointer|pointer is a name"),
    ({"pool_take": {"pointer": "block", "size": "bytes", "memory": "host", "stream": "pool"}}, "stream means nothing"),
    ({"text_of": {"pointer": "return", "size": "room", "memory": "hip", "stream": "factor"}}, "void, no address"),
    ({"pool_take": {**ROWS["pool_take"], "free": "pool_giv"}}, "free names an unknown function.*'pool_give'"),
    ({"pool_take": {**ROWS["pool_take"], "free": "pool_give"}}, r"pool_give\(pool, block\) is not called with 1"),
    ({"pool_take": {**ROWS["pool_take"], "free": "pool_give(pol, block)"}}, "free: no parameter 'pol'.*'pool'"),
    ({"pool_take": {**ROWS["pool_take"], "free": "pool_give(pool, bytes)"}}, "does not get 'block'"),
    ({"pool_take": {**ROWS["pool_take"], "free": "pool_give(pool"}}, "free is a function, 'f', or a call of it"),
    ({"pool_take": {**ROWS["pool_take"], "device": "pool_alives"}}, "device names an unknown function.*'pool_alive'"),
    ({"pool_take": {**ROWS["pool_take"], "device": "pool_give"}}, "device: .* is not called with 0 arguments"),
    ({"pool_take": "block"}, "maps a function's name to pointer, size"),
    (["pool_take"], "function: what it allocates"),
]  # fmt: skip


@pytest.mark.parametrize(("rows", "words"), WRONG)
def test_what_cannot_be_meant_is_said(folder, rows, words):
    with pytest.raises(sb.BindError, match=rf"(?s)allocations.*{words}"):
        bound(folder, rows)


def test_only_in_that_style(folder):
    with pytest.raises(sb.BindError, match="allocations= is not for target='host': it is for style='c_api'"):
        sb.bind(folder / "pool.h", library=folder / "libpool.so", language="c", allocations=ROWS)


CONFIG = """
Allocations:
  pool_take: {pointer: block, size: bytes, memory: host, free: "pool_give(pool, block)"}
  raw_take: {pointer: return, size: bytes, memory: hip}
"""


def test_in_a_configuration(folder, lib, pool, tmp_path):
    (tmp_path / "pool.yaml").write_text(CONFIG)
    own = bound(folder, {"raw_take": ROWS["raw_take"]}, config=tmp_path / "pool.yaml")
    assert own.pool_take(8, pool)[1].shape == (8,)
    assert own.raw_take(8).device.type == 1, "what Python says counts"
    (tmp_path / "pool.yaml").write_text(CONFIG.replace("size: bytes", "length: bytes"))
    with pytest.raises(sb.BindError, match=r"pool.yaml: Allocations\['pool_take'\]: unknown key 'length'"):
        bound(folder, None, config=tmp_path / "pool.yaml")


def test_in_a_package(folder, tmp_path, monkeypatch):
    (tmp_path / "pool.yaml").write_text(CONFIG)
    from click.testing import CliRunner

    from samebytes.tools.cli import main

    options = ["--style", "c_api", "--library", str(folder / "libpool.so"), "--name", "pool_packaged"]
    done = CliRunner().invoke(
        main,
        ["bind", str(folder / "pool.h"), "-c", str(tmp_path / "pool.yaml"), "-o", str(tmp_path), *options],
    )
    assert done.exit_code == 0, done.output
    assert (
        "-> tuple[pool_status, sb.DeviceArray]" in (tmp_path / "pool_packaged" / "__init__.pyi").read_text()
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    import pool_packaged

    pool = pool_packaged.pool_make()[1]
    block = pool_packaged.pool_take(8, pool)[1]
    assert (type(block), block.shape) == (sb.DeviceArray, (8,))
    alive = pool_packaged.pool_alive()
    del block
    gc.collect()
    assert pool_packaged.pool_alive() == alive - 1


def test_a_real_library():
    """libc's own allocators, as stdlib.h declares them."""
    rows = {
        "malloc": {"pointer": "return", "size": "size", "memory": "host", "free": "free"},
        "calloc": {"pointer": "return", "size": ["nmemb", "size"], "memory": "host", "free": "free"},
        "posix_memalign": {"pointer": "memptr", "size": "size", "memory": "host", "free": "free"},
    }
    with pytest.warns(sb.BindWarning, match="long double has no counterpart"):
        libc = sb.bind("stdlib.h", library="libc.so.6", style="c_api", allocations=rows, name="libc_arrays")
    zeros = libc.calloc(6, 8)
    assert np.asarray(zeros.configure(typestr="f8", shape=(2, 3))).tolist() == [[0] * 3] * 2
    code, aligned = libc.posix_memalign(4096, 100)
    assert (code, int(aligned) % 4096, aligned.shape) == (0, 0, (100,))
    for _ in range(1000):
        libc.malloc(1 << 20)
    assert libc.free(aligned) is None
    assert not aligned
