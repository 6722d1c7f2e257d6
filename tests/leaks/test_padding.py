"""Padding is zero wherever bytes become visible, though stack and heap were full of other bytes before."""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap

SCRIPT = r"""
import ctypes, warnings
import numpy as np, samebytes as sb

warnings.simplefilter("ignore")
lib = sb.compile('''
#include <cstring>
struct P { char a; double b; short c; };
struct N { char x; P p; P many[2]; bool z; };
struct B { unsigned a : 3; int b : 20; char c; };
union U { char c; double d; P p; };
struct alignas(32) W { char c; };
inline unsigned char* seen() { static unsigned char bytes[512]; return bytes; }
inline void spoil() {
  volatile unsigned char stack[65536];
  for (unsigned i = 0; i < sizeof stack; ++i) stack[i] = 0xA5;
}
template <class T> void keep(const T& x) { std::memcpy(seen(), &x, sizeof x); }
inline void take_p(const P& x) { keep(x); }
inline void take_n(const N& x) { keep(x); }
inline void take_b(const B& x) { keep(x); }
inline void take_u(const U& x) { keep(x); }
inline void take_w(const W& x) { keep(x); }
inline P make_p() { spoil(); P p; p.a = 1; p.b = 2; p.c = 3; return p; }
inline void out_p(P* p) { p->a = 1; p->b = 2; p->c = 3; }
''', std="c++17", name="padding", arg_intent={"out_p": {"p": "out_return"}})
memory, libc = ctypes.string_at, ctypes.CDLL(None)
libc.malloc.restype = ctypes.c_void_p
assert memory(libc.malloc(512), 512) != bytes(512), "the heap is not spoiled"

def image(cls, **fields):
    made = np.zeros((), cls.dtype)
    for name, value in fields.items():
        made[name] = value
    return made.tobytes()

def passed(take, x, size):
    lib.spoil()
    take(x)
    return memory(lib.seen().address, size)

three = (1, 2.0, 3)
P, N, B, U, W = (image(lib.P, a=1, b=2.0, c=3), image(lib.N, x=1, p=three, many=[three, three], z=True),
                 bytes([0x11, 0, 0, 3]), bytes([7]) + bytes(23), bytes([7]) + bytes(31))
nested = (1, three, (three, three), True)
extra = sb.LaunchExtra([ctypes.c_char(1), ctypes.c_double(2), lib.P(*three), ctypes.c_short(3)])
launch = b"\1" + bytes(7) + np.float64(2).tobytes() + P + b"\3\0"

@sb.struct
class Value:
    a: sb.int8
    b: sb.float64
    c: sb.int16

for _ in range(20):
    lib.spoil()
    rows = {
        "record": (bytes(lib.P(*three)), P),
        "by name": (bytes(lib.P(a=1, b=2.0, c=3)), P),
        "replaced": (bytes(lib.P(*three).replace(a=1)), P),
        "nested": (bytes(lib.N(*nested)), N),
        "bits": (bytes(lib.B(1, 2, 3)), B),
        "union": (bytes(lib.U(c=7)), U),
        "wide": (bytes(lib.W(7)), W),
        "value": (bytes(lib.P(*three).value), P),
        "struct": (bytes(Value(*three)), P),
        "packed": (sb.pack(three, Value), P),
        "on CUDA": (sb.pack(Value(*three), dialect="cuda"), P),
        "a result": (bytes(lib.make_p()), P),
        "an output": (bytes(lib.out_p()), P),
        "a tuple": (passed(lib.take_p, three, 24), P),
        "a nested tuple": (passed(lib.take_n, nested, len(N)), N),
        "a record's own": (passed(lib.take_p, lib.P(*three), 24), P),
        "bits of a tuple": (passed(lib.take_b, (1, 2, 3), 4), B),
        "a union's own": (passed(lib.take_u, lib.U(c=7), 24), U),
        "a wide tuple": (passed(lib.take_w, (7,), 32), W),
        "a launch": (extra.data, launch),
        "device memory": (bytes(np.asarray(sb.DeviceArray.zeros(2, lib.P.dtype))), bytes(48)),
    }
    for name, (came, expected) in rows.items():
        assert came == expected, (name, came.hex(" "), expected.hex(" "))
print(len(rows), "zeroed")
"""


def test_padding_is_zero_over_spoiled_memory() -> None:
    spoiled = {
        "MALLOC_PERTURB_": "90",
        "PYTHONMALLOC": "malloc",
    }  # glibc fills what it gives and what it gets back
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(SCRIPT)], capture_output=True, text=True, check=False, timeout=300,
        env={**os.environ, **spoiled},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-3000:]
    assert "21 zeroed" in done.stdout
