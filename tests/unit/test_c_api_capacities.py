"""style="c_api": outputs that measure a buffer hold its room before the call, and what was used after."""

from __future__ import annotations

import array
import ctypes
import inspect
import threading
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import samebytes as sb
from samebytes.read.header import read_header
from samebytes.styles.c_api.rules import apply_style

TYPES = "typedef unsigned long size_t; typedef unsigned char u8; typedef struct thing_s *thing; typedef _Bool bool_;\n"
# A declaration of a real library, and which output measures which buffer.
ROWS: tuple[tuple[str, str], ...] = (
    ("int compress(u8* dest, size_t* destLen, const u8* source, size_t sourceLen)", "destLen:dest"),
    ("int uncompress2(u8* dest, size_t* destLen, const u8* source, size_t* sourceLen)",
     "destLen:dest sourceLen:source"),
    ("int BZ2_bzBuffToBuffCompress(char* dest, unsigned* destLen, char* source, unsigned sourceLen, int blockSize100k)",
     "destLen:dest"),
    ("int EVP_PKEY_sign(thing ctx, u8* sig, size_t* siglen, const u8* tbs, size_t tbslen)", "siglen:sig"),
    ("int EVP_DigestSignFinal(thing ctx, u8* sigret, size_t* siglen)", "siglen:sigret"),
    ("int EVP_EncryptUpdate(thing ctx, u8* out, int* outl, const u8* in, int inl)", ""),
    ("int EVP_DigestFinal_ex(thing ctx, u8* md, unsigned* s)", ""),
    ("size_t LZ4F_decompress(thing d, void* dstBuffer, size_t* dstSizePtr, const void* srcBuffer, size_t* srcSizePtr)",
     "dstSizePtr:dstBuffer srcSizePtr:srcBuffer"),
    ("int BrotliEncoderCompress(int q, size_t input_size, const u8 input_buffer[], size_t* encoded_size, "
     "u8* encoded_buffer)", "encoded_size:encoded_buffer"),
    ("int snappy_compress(const char* input, size_t input_length, char* compressed, size_t* compressed_length)",
     "compressed_length:compressed"),
    ("int getsockopt(int fd, int level, int name, void* optval, unsigned* optlen)", "optlen:optval"),
    ("int getgrouplist(const char* user, unsigned group, unsigned* groups, int* ngroups)", "ngroups:groups"),
    ("int uv_cwd(char* buffer, size_t* size)", "size:buffer"),
    ("int gnutls_get_sig(thing c, char* sig, size_t* sizeof_sig)", "sizeof_sig:sig"),
    # The capacity comes by value: what comes out is how much there is.
    ("int clGetDeviceInfo(thing d, unsigned name, size_t param_value_size, void* param_value, size_t* "
     "param_value_size_ret)", ""),
    ("int hipGetProc(char* value, size_t size, size_t* size_ret)", ""),
    ("void glGetShaderInfoLog(unsigned s, int bufSize, int* length, char* log)", ""),
    ("int lzma_easy_buffer_encode(const u8* in, size_t in_size, u8* out, size_t* out_pos, size_t out_size)", ""),
    ("int psa_hash(const u8* input, size_t input_length, u8* hash, size_t hash_size, size_t* hash_length)", ""),
    ("int curl_easy_recv(thing c, void* buffer, size_t buflen, size_t* n)", ""),
    # Another unit than the buffer's: channels, frames; things whose size is nowhere said.
    ("int process_interleaved(thing st, const float* in, unsigned* in_len, float* out, unsigned* out_len)", ""),
    ("int process_one(thing st, unsigned channel, const float* in, unsigned* in_len, float* out, unsigned* out_len)",
     "in_len:in out_len:out"),
    ("int read_frames(thing st, short* frames, unsigned* nframes)", ""),
    ("int table_entries(thing t, void* entries, unsigned* num_entries)", ""),
    ("int X509_digest(const thing data, thing type, u8* md, unsigned* len)", "len:md"),
    ("int HMAC_Final(thing ctx, u8* md, unsigned* len)", "len:md"),
    ("int inq_var_filter(int id, unsigned* params, size_t* nparams)", "nparams:params"),
    # What lies there is changed in its place, and may grow: the number is its length.
    ("int srtp_protect(thing ctx, void* rtp_hdr, int* len_ptr)", ""),
    ("int BrotliDecoderDecompress(size_t encoded_size, const u8* encoded_buffer, size_t* decoded_size, "
     "u8* decoded_buffer)",
     "decoded_size:decoded_buffer"),
    ("int buffer_encrypt(thing ctx, const u8* iv, u8* buf, size_t* buf_len)", ""),
    ("int packet_seal(thing ctx, u8* packet, size_t* packet_len)", ""),
    ("int frame_encrypt(thing ctx, const char* cipher, u8* frame, size_t* frame_len)", ""),
    # No buffer: an address that is asked about, a context, a flag, one number.
    ("int hipMemPtrGetInfo(void* ptr, size_t* size)", ""),
    ("int visit(void* user_data, int* count)", ""),
    ("int H5Pget_core_write_tracking(long id, bool_* is_enabled, size_t* page_size)", ""),
    ("int H5Pget_chunk_cache(long id, size_t* rdcc_nslots, size_t* rdcc_nbytes, double* rdcc_w0)", ""),
    ("int find(const char* name, size_t* name_len)", ""),
)  # fmt: skip


@pytest.mark.parametrize(("declaration", "found"), ROWS, ids=[r[0].split("(")[0].split()[-1] for r in ROWS])
def test_which_output_measures_which_buffer(declaration: str, found: str) -> None:
    module = apply_style(read_header(None, source=f"{TYPES}\n{declaration};", language="c"), "c_api")
    (signature,) = module.functions
    assert " ".join(f"{p.name}:{p.intent.capacity}" for p in signature.measuring) == found


# What documents say of a number beside a buffer, and whether it is that buffer's room.
DOCUMENTED = (
    ("on input the size of the buffer, on output the length written", "len:data"),
    ("length of the packet before the call, and of the longer packet after", ""),
    ("on input the number of samples per channel, on output those written", ""),
    ("capacity of data", "len:data"),
)


@pytest.mark.parametrize(("text", "found"), DOCUMENTED, ids=[d[0][:20] for d in DOCUMENTED])
def test_documents_say_whose_room_it_is(tmp_path: Path, text: str, found: str) -> None:
    header = tmp_path / "packets.h"
    header.write_text(
        f"{TYPES}\n/** @param data the bytes\n    @param len {text} */\n"
        "int packet_run(thing ctx, void* data, int* len);\n"
    )
    module = apply_style(read_header(header, language="c"), "c_api")
    (signature,) = module.functions
    assert " ".join(f"{p.name}:{p.intent.capacity}" for p in signature.measuring) == found


def test_writes_behind_the_end_are_documented(tmp_path: Path) -> None:
    header = tmp_path / "packets.h"
    header.write_text(
        f"{TYPES}\n/** It writes the trailer behind the packet, which needs room for it. */\n"
        "int packet_out(thing ctx, void* out, int* out_len);\n"
    )
    (signature,) = apply_style(read_header(header, language="c"), "c_api").functions
    assert not list(signature.measuring)


HEADER = r"""
#include <stddef.h>
#include <string.h>
typedef unsigned char u8;
/* What it was given as the room is the status; it fills all of it, at most 16. */
static int fill(u8 *dest, size_t *destLen) {
  int room = (int)*destLen;
  size_t n = *destLen < 16 ? *destLen : 16;
  if (dest) memset(dest, 7, n);
  *destLen = n;
  return room;
}
static int same(void *a, size_t *a_len, void *b, size_t *b_len) {
  int all = (int)(*a_len * 1000 + *b_len);
  return *a_len = 1, *b_len = 2, all;
}
static int halves(double *values, short *nvalues) { return *nvalues; }
static int too_much(u8 *dest, int *destLen) { return memset(destLen, 1, 64), 0; }
static int told(u8 *where, int count, size_t *used) { return (int)*used; }
static int by_call(u8 *dest, int *dest_len, void (*f)(void)) { return f(), *dest_len; }
"""


@pytest.fixture(scope="module")
def header(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("capacities") / "capacities.h"
    path.write_text(HEADER)
    return path


@pytest.fixture(scope="module")
def lib(header: Path) -> Any:
    return sb.bind(header, style="c_api")


class Offset(ctypes.Structure):
    _fields_ = [("a", ctypes.c_int), ("b", ctypes.c_int)]


BASE = np.zeros(10, np.uint8)
# What stands for a buffer of bytes, and the room that it has.
BUFFERS: tuple[tuple[str, Any, int], ...] = (
    ("an array", np.zeros(5, np.uint8), 5),
    ("of two dimensions", np.zeros((2, 3), np.uint8), 6),
    ("empty", np.zeros(0, np.uint8), 0),
    ("bytearray", bytearray(9), 9),
    ("memoryview", memoryview(bytearray(9))[3:], 6),
    ("array.array", array.array("B", bytes(4)), 4),
    ("a string buffer", ctypes.create_string_buffer(8), 8),
    ("a ctypes array", (ctypes.c_ubyte * 6)(), 6),
    ("a pointer to an array", sb.Pointer(BASE), 10),
    ("a pointer into an array", sb.Pointer(BASE)[4], 6),
    ("its end", sb.Pointer(BASE)[10], 0),
    ("a device array", sb.DeviceArray(BASE), 10),
    ("nothing", None, 0),
    ("a null pointer", sb.Pointer(None), 0),
)


@pytest.mark.parametrize(("buffer", "room"), [row[1:] for row in BUFFERS], ids=[row[0] for row in BUFFERS])
def test_the_room_is_the_arrays(lib: Any, buffer: Any, room: int) -> None:
    for _ in range(2):
        assert lib.fill(buffer) == (room, min(room, 16))


ADDRESS = BASE.ctypes.data
# Addresses: nobody says how much is there.
UNKNOWN: tuple[Any, ...] = (ADDRESS, sb.Pointer(ADDRESS), ctypes.c_void_p(ADDRESS), sb.Pointer(ADDRESS + 1))


@pytest.mark.parametrize("buffer", UNKNOWN, ids=[type(b).__name__ for b in UNKNOWN])
def test_the_room_behind_an_address_is_said(lib: Any, buffer: Any) -> None:
    with pytest.raises(sb.ArgumentError, match=r"fill\(\) cannot tell how much room 'dest' has.*destLen=n"):
        lib.fill(buffer)
    assert lib.fill(buffer, destLen=3) == (3, 3)


def test_another_room_is_said_by_name(lib: Any) -> None:
    dest = np.zeros(9, np.uint8)
    assert lib.fill(dest, destLen=4) == (4, 4)
    assert dest.tolist() == [7] * 4 + [0] * 5
    assert lib.fill(dest=dest, destLen=np.uint8(2)) == (2, 2)
    assert lib.fill(destLen=None, dest=dest) == (9, 9)
    assert lib.fill(dest) == (9, 9)  # it was said for that call alone
    with pytest.raises(TypeError):
        lib.fill(dest, 4)


WRONG: tuple[tuple[Any, type[Exception], str], ...] = (
    (10, sb.RangeError, r"fill\(\) got destLen=10, and 'dest' has 9 bytes"),
    (-1, sb.RangeError, r"fill\(\) argument .*'destLen': expected uint64.*got -1"),
    (1.5, sb.ArgumentError, r"'destLen': expected uint64.*got 1\.5"),
    ("4", sb.ArgumentError, r"'destLen': expected uint64.*got '4'"),
)


@pytest.mark.parametrize(("said", "error", "words"), WRONG, ids=[str(w[0]) for w in WRONG])
def test_a_wrong_room_is_refused(lib: Any, said: Any, error: type[Exception], words: str) -> None:
    dest = np.zeros(9, np.uint8)
    with pytest.raises(error, match=words):
        lib.fill(dest, destLen=said)
    assert not dest.any()
    assert lib.fill(dest) == (9, 9)


def test_a_failed_call_says_nothing_to_the_next(lib: Any) -> None:
    with pytest.raises(sb.ArgumentError, match="'dest'"):
        lib.fill("text", destLen=4)
    assert lib.fill(np.zeros(9, np.uint8)) == (9, 9)


def test_two_buffers(lib: Any) -> None:
    a, b = bytearray(3), np.zeros(2, np.int64)
    assert lib.same(a, b) == (3016, 1, 2)
    assert lib.same(a, b, b_len=5) == (3005, 1, 2)


def test_numbers_are_counted_and_a_small_number_says_what_it_can(lib: Any) -> None:
    assert lib.halves(np.zeros(3)) == (3, 3)
    assert lib.halves(np.zeros(40000)) == (32767, 32767)
    assert lib.halves(np.zeros(3), nvalues=2) == (2, 2)
    with pytest.raises(
        sb.RangeError, match=r"got nvalues=4, and .* has 3 elements \(24 bytes\); .*'inout_ptr'"
    ):
        lib.halves(np.zeros(3), nvalues=4)


def test_more_than_one_number_is_refused(lib: Any) -> None:
    with pytest.raises(sb.IntentError, match=r"too_much\(\) wrote past 'destLen'"):
        lib.too_much(bytearray(4))


def test_what_it_is_is_said_everywhere(lib: Any) -> None:
    assert str(inspect.signature(lib.fill)) == "(dest, *, destLen=None)"
    assert (
        "fill(dest: pointer[uint8], *, destLen: uint64 = len(dest)) -> tuple[int32, uint64]"
        in lib.fill.__doc__
    )
    with pytest.raises(TypeError, match=r"has no parameter 'length'.*destLen: uint64 = len\(dest\)"):
        lib.fill(bytearray(2), length=3)
    assert "the room in 'dest'" in str(sb.explain(lib, "fill").functions[0].arguments[1].copies)


def test_every_thread_says_its_own(lib: Any) -> None:
    meet = threading.Barrier(4)
    found: list[set[int]] = []

    def run(said: int) -> None:
        mine = bytearray(64)
        meet.wait()
        found.append({lib.by_call(mine, lambda: None, dest_len=said)[0] for _ in range(200)})

    threads = [threading.Thread(target=run, args=(n,)) for n in range(1, 5)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert sorted(map(sorted, found)) == [[1], [2], [3], [4]]


def test_a_call_inside_a_call_says_its_own(lib: Any) -> None:
    inner: list[Any] = []
    outer = lib.by_call(
        bytearray(8), lambda: inner.append(lib.by_call(bytearray(6), lambda: None)), dest_len=5
    )
    assert (outer, inner) == ((5, 5), [(6, 6)])


def test_users_choose(header: Path) -> None:
    intents: Any = {
        "fill": {"destLen": "out_return"},
        "same": {"a_len": "inout_ptr"},
        "told": {"used": {"intent": "out_return", "capacity": "where"}},
    }
    lib: Any = sb.bind(header, style="c_api", arg_intent=intents, name="chosen_capacities")
    assert lib.fill(bytearray(9)) == (0, 0)
    number = np.array([7], np.uint64)
    assert lib.same(bytearray(3), number, bytearray(4)) == (7004, 2)
    assert number[0] == 1
    assert lib.told(bytearray(11), 0) == (11, 11)
    plain: Any = sb.bind(
        header,
        arg_intent={"fill": intents["told"] and {"destLen": {**intents["told"]["used"], "capacity": "dest"}}},
    )
    assert plain.fill(bytearray(5)) == (5, 5)


REFUSED: tuple[tuple[Any, str], ...] = (
    ({"intent": "out_return", "capacity": "dest_"}, r"has capacity 'dest_', and that is no pointer.*'dest'"),
    ({"intent": "out_return", "length": 3}, r"the only option of 'out_return' is capacity"),
    ({"intent": "out_return", "capacity": 3}, r"the only option of 'out_return' is capacity"),
)


@pytest.mark.parametrize(("intent", "words"), REFUSED, ids=["unknown", "option", "kind"])
def test_what_is_no_buffer_is_refused(header: Path, intent: Any, words: str) -> None:
    with pytest.raises(sb.IntentError, match=words):
        sb.bind(header, style="c_api", arg_intent={"fill": {"destLen": intent}})


def test_a_buffer_that_the_call_makes_is_measured_by_nothing(header: Path) -> None:
    intents = {"fill": {"dest": sb.out_array_return(length=8, as_array=True)}}
    lib: Any = sb.bind(header, style="c_api", arg_intent=intents, name="made_buffers")
    room, dest, used = lib.fill()
    assert (room, dest.tolist(), used) == (0, [0] * 8, 0)


def test_compiled_code_asks_for_a_place(header: Path) -> None:
    numba = pytest.importorskip("numba")
    lib: Any = sb.bind(header, style="c_api", target="numba", name="compiled_capacities")

    @numba.njit
    def run(dest: Any) -> Any:
        return lib.fill(dest)

    with pytest.raises(Exception, match=r"the room behind 'dest'.*inout_ptr"):
        run(np.zeros(4, np.uint8))


def test_methods_and_overloads_of_cxx() -> None:
    source = """
    struct Sink { int base = 100; int take(unsigned char *out, int *n) { *n += base; return *n; } };
    inline int put(unsigned char *out, int *n) { return ++*n; }
    inline int put(unsigned char *out, int *n, double scale) { return *n * scale; }
    """
    said = {"intent": "out_return", "capacity": "out"}
    lib: Any = sb.compile(source, arg_intent={"Sink.take": {"n": said}, "put": {"n": said}})
    sink = lib.Sink()
    assert sink.take(bytearray(5)) == (105, 105)
    assert sink.take(bytearray(5), n=2) == (102, 102)
    assert lib.put(bytearray(5)) == (6, 6)
    assert lib.put(bytearray(5), n=1) == (2, 2)
    assert lib.put(bytearray(5), 2.0) == (10, 5)
    assert lib.put(bytearray(5), 2.0, n=3) == (6, 3)
    with pytest.raises(sb.ArgumentError):
        lib.put("text", n=1)
    assert lib.put(bytearray(5)) == (6, 6)


def test_stubs_have_the_keyword(lib: Any) -> None:
    from samebytes.loading.stubs import stub_text

    text = stub_text(lib, "capacities.h")
    compile(text, "stub", "exec")
    assert "*, destLen: int | None = None" in text
