// Recognises array objects of any library and checks them against what one C++ parameter needs.
#pragma once
#include <Python.h>

#include <cstdint>

namespace samebytes {

constexpr int kMaxRank = 32;

enum class Match { yes, no, error };  // no: not recognised or not acceptable, no Python exception set

// What the parameter needs. Built once with its Codec; only the two caches change later.
struct ArraySpec {
  PyObject* dtype = nullptr;  // np.dtype compared by identity (strong)
  struct {
    uint8_t code;
    uint8_t bits;
    uint16_t lanes;
  } dl = {0, 0, 0};           // the same type for DLPack producers; bits == 0: no DLPack form
  int ndim = 0;               // -1: any rank (pointer parameters)
  bool writable = true;       // the callee may write
  bool contiguous = false;    // C order without gaps (pointer parameters)
  int64_t itemsize = 0;       // bytes
  int64_t align = 1;          // bytes, of one element
};

// What was found. Strides are in elements. `release` (may be null) unlocks `held` after the call.
struct ArrayRef {
  void* data;
  int ndim;
  int64_t shape[kMaxRank];
  int64_t strides[kMaxRank];
};

}  // namespace samebytes
