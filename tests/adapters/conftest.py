"""A small C library in HIP Python's style, whose parameters have adapters."""

from __future__ import annotations

import ctypes
import subprocess

import pytest

import samebytes as sb

HEADER = """
#include <stdint.h>
#include <string.h>
void double_it(int* number);
void put(int* values, int n, int value);
long letters(const char* const* names, int n);
int64_t total(const int* values, int n);
uint64_t total_unsigned(const unsigned* values, int n);
uint64_t total_unsigned_long(const unsigned long* values, int n);
uint64_t address_of(void* memory);
"""

SOURCE = """
#include "adapters.h"
void double_it(int* number) { *number *= 2; }
void put(int* values, int n, int value) { while (n--) *values++ = value; }
long letters(const char* const* names, int n) { long sum = 0; while (n--) sum += strlen(*names++); return sum; }
int64_t total(const int* values, int n) { int64_t sum = 0; while (n--) sum += *values++; return sum; }
uint64_t total_unsigned(const unsigned* values, int n) { uint64_t sum = 0; while (n--) sum += *values++; return sum; }
uint64_t total_unsigned_long(const unsigned long* values, int n) {
  uint64_t sum = 0;
  while (n--) sum += *values++;
  return sum;
}
uint64_t address_of(void* memory) { return (uint64_t)memory; }
"""


@pytest.fixture(scope="session")
def library(tmp_path_factory):
    folder = tmp_path_factory.mktemp("adapters")
    (folder / "adapters.h").write_text(HEADER)
    (folder / "adapters.c").write_text(SOURCE)
    made = folder / "libadapters.so"
    subprocess.run(["gcc", "-shared", "-fPIC", "-O1", "-o", made, folder / "adapters.c"], check=True)
    ctypes.CDLL(str(made))
    return sb.bind(
        folder / "adapters.h",
        library=str(made),
        style="c_api",
        arg_intent={"double_it": {"number": "in"}, "put": {"values": "in"}},
    )
