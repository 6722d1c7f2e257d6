"""GMP and MPFR from their own headers, inline functions and variables included; compared with Python's integers."""

from __future__ import annotations

import ctypes
import ctypes.util
import math
from collections.abc import Callable
from decimal import Decimal, localcontext
from typing import Any

import numpy as np
import pytest

import samebytes as sb

pytestmark = [pytest.mark.full, pytest.mark.filterwarnings("ignore::samebytes.BindWarning")]


@pytest.fixture(scope="module")
def gmp(needs: Callable[[str, str], None]) -> Any:
    needs("gmp.h", "libgmp-dev", "gmp")
    return sb.bind("gmp.h", library=ctypes.util.find_library("gmp"), style="c_api")


@pytest.fixture(scope="module")
def mpfr(needs: Callable[[str, str], None]) -> Any:
    needs("mpfr.h", "libmpfr-dev", "mpfr")
    return sb.bind("mpfr.h", library=ctypes.util.find_library("mpfr"), style="c_api")


def number(gmp: Any, value: int) -> Any:
    made = gmp.mpz_t()
    gmp.mpz_init(made)
    assert gmp.mpz_set_str(made, str(value), 10) == 0
    return made


def value(gmp: Any, number: Any) -> int:
    room = ctypes.create_string_buffer(gmp.mpz_sizeinbase(number, 10) + 2)
    gmp.mpz_get_str(room, 10, number)
    return int(room.value)


A, B = 3**400 + 17, -(7**150) - 5

ROWS: dict[str, Callable[[int, int], int]] = {
    "mpz_add": lambda a, b: a + b,
    "mpz_mul": lambda a, b: a * b,
    "mpz_fdiv_q": lambda a, b: a // b,
    "mpz_fdiv_r": lambda a, b: a % b,
    "mpz_gcd": math.gcd,
    "mpz_and": lambda a, b: a & b,
    "mpz_xor": lambda a, b: a ^ b,
}


@pytest.mark.parametrize("function", ROWS)
def test_integers(gmp: Any, function: str) -> None:
    a, b, result = number(gmp, A), number(gmp, B), number(gmp, 0)
    getattr(gmp, function)(result, a, b)
    assert value(gmp, result) == ROWS[function](A, B)
    for one in (a, b, result):
        gmp.mpz_clear(one)


def test_inline_functions(gmp: Any) -> None:
    """gmp.h compiles these into its user, and they call others of the library."""
    a, b = number(gmp, A), number(gmp, 0)
    gmp.mpz_neg(b, a)
    assert value(gmp, b) == -A
    gmp.mpz_abs(b, b)
    assert value(gmp, b) == A
    assert gmp.mpz_popcount(a) == A.bit_count()
    assert gmp.mpz_perfect_square_p(a) == 0
    assert gmp.mpz_fits_ulong_p(a) == 0
    limbs = (ctypes.c_ulong * 2)(2**64 - 1, 5)
    total = (ctypes.c_ulong * 2)()
    assert gmp.mpn_add_1(total, limbs, 2, 1) == 0
    assert list(total) == [0, 6]


def test_random_numbers(gmp: Any) -> None:
    state, n = gmp.gmp_randstate_t(), number(gmp, 0)
    gmp.gmp_randinit_mt(state)
    gmp.gmp_randseed_ui(state, 42)
    gmp.mpz_urandomb(n, state, 100)
    first = value(gmp, n)
    gmp.gmp_randseed_ui(state, 42)
    gmp.mpz_urandomb(n, state, 100)
    assert value(gmp, n) == first < 2**100
    gmp.gmp_randclear(state)


def test_variables(gmp: Any) -> None:
    assert tuple(map(int, gmp.gmp_version.split("."))) >= (6, 0)
    assert gmp.mp_bits_per_limb == 64
    assert gmp.gmp_errno == 0


def test_allocation_functions_of_pythons(gmp: Any) -> None:
    libc: Any = sb.bind("stdlib.h", library="libc.so.6", style="c_api", name="libc_for_gmp")
    sizes = []

    def allocate(size: int) -> Any:
        sizes.append(size)
        return libc.malloc(size)

    def again(block: Any, before: int, after: int) -> Any:
        return libc.realloc(block, after)

    kept = [
        sb.callback(allocate, "void*(*)(unsigned long)"),
        sb.callback(again, "void*(*)(void*, unsigned long, unsigned long)"),
        sb.callback(lambda block, size: libc.free(block) and None, "void(*)(void*, unsigned long)"),
    ]
    gmp.mp_set_memory_functions(*kept)
    try:
        n = number(gmp, A)
        gmp.mpz_clear(n)
    finally:
        gmp.mp_set_memory_functions(None, None, None)
    assert sizes


def test_reals(mpfr: Any) -> None:
    x, y = mpfr.mpfr_t(), mpfr.mpfr_t()
    mpfr.mpfr_init2(x, 400)
    mpfr.mpfr_init2(y, 400)
    mpfr.mpfr_set_ui(x, 2, mpfr.MPFR_RNDN)
    assert mpfr.mpfr_sqrt(y, x, mpfr.MPFR_RNDN) in (-1, 1)  # it was rounded
    exponent = np.zeros(1, np.int64)
    text = mpfr.mpfr_get_str(None, exponent, 10, 100, y, mpfr.MPFR_RNDN)
    digits = ctypes.string_at(int(text)).decode()
    mpfr.mpfr_free_str(text)
    with localcontext() as context:
        context.prec = 100
        assert Decimal(f"0.{digits}").scaleb(int(exponent[0])) == Decimal(2).sqrt()
    assert mpfr.mpfr_get_d(y, mpfr.MPFR_RNDN) == math.sqrt(2)
    mpfr.mpfr_clear(x)
    mpfr.mpfr_clear(y)
