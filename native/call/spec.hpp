// What a parameter needs of an array, and where to write what was found.
#pragma once
#include <Python.h>

#include <atomic>
#include <cstdint>
#include <cstring>

namespace samebytes {

// no: not recognised or not acceptable, and no Python exception is set. later: of Python's conversions alone,
// one that is to be asked for again when every other argument fits.
enum class Match { yes, no, error, later };

// Which strides a parameter's class can show; what lies in C order is `contiguous`, too.
enum class Order : uint8_t { any, c, fortran, positive };

// DLPack's type codes (dlpack.h, DLDataTypeCode).
enum class TypeCode : uint8_t {
  integer,
  unsigned_integer,
  floating,
  opaque,
  bfloat,
  complex,
  boolean,
  float8_e3m4,
  float8_e4m3,
  float8_e4m3b11fnuz,
  float8_e4m3fn,
  float8_e4m3fnuz,
  float8_e5m2,
  float8_e5m2fnuz,
  float8_e8m0fnu,
  float6_e2m3fn,
  float6_e3m2fn,
  float4_e2m1fn,
};
constexpr int kTypeCodeCount = 18;

// An element type in DLPack's terms. Zero bits: it has no DLPack form.
struct ElementType {
  uint8_t code = 0;
  uint8_t bits = 0;
  uint16_t lanes = 0;
};

inline bool operator==(ElementType a, ElementType b) {
  uint32_t word_a, word_b;  // one comparison
  std::memcpy(&word_a, &a, sizeof a);
  std::memcpy(&word_b, &b, sizeof b);
  return word_a == word_b;
}

// np.dtype objects accepted beside the first, newest first; nodes are only ever added while the spec lives.
struct DtypeNode {
  PyObject* dtype;
  DtypeNode* next;
};

// What a parameter needs. Fill the plain fields, call prepare(), then leave them alone; `accepted` grows by
// accept_dtype(). The owner of the spec calls visit() in its tp_traverse and clear() when it dies.
struct ArraySpec {
  PyObject* dtype = nullptr;  // np.dtype compared by identity (strong); may be null
  ElementType dl;
  int ndim = 0;             // -1: any rank (pointer parameters)
  bool writable = true;     // the callee may write
  bool contiguous = false;  // C order without gaps (pointer parameters)
  bool anything = false;    // elements of any type that are plain bytes (void*)
  bool anywhere = false;    // memory of any device: only the callee knows which it wants
  Order order = Order::any;
  int64_t itemsize = 0;  // bytes of one element, a multiple of align
  int64_t align = 1;     // bytes, a power of two

  // Set by prepare(). A byte stride without bits of stride_mask is `stride >> shift` elements; others need
  // dividing.
  int64_t stride_mask = -1;
  uintptr_t align_mask = 0;  // bits that an address must not have
  int shift = 0;
  int flags = 0;      // NumPy array flags that must be set, and ...
  int flag_mask = 0;  // ... those looked at
  std::atomic<DtypeNode*> accepted{nullptr};

  void prepare();
  bool accept_dtype(PyObject* dtype);  // false: MemoryError is set; a list that is full stays as it is
  bool accepts(PyObject* dtype) const;
  int visit(visitproc visit, void* arg) const;
  void clear();
};

// Where to write what was found. The caller points `shape` and `strides` (in elements) at room for spec.ndim
// numbers each, e.g. inside a C++ array descriptor, or leaves both null when only the address is wanted.
struct ArrayRef {
  void* data = nullptr;
  int64_t* shape = nullptr;
  int64_t* strides = nullptr;
};

// Whether elements of a type in DLPack's terms are the parameter's.
inline bool is_element(const ArraySpec& spec, ElementType type) {
  return (type == spec.dl || spec.anything) && type.bits;
}

}  // namespace samebytes
