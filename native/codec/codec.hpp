// Codec: how one type sits in memory, and the functions that read and write it.
#pragma once
#include <Python.h>

#include <atomic>
#include <cstdint>

#include "array/array.hpp"
#include "ref.hpp"

namespace samebytes {

// Numbers come first: is_number() is one comparison. The names are in codec/build.cpp, in this order.
enum class Kind : uint8_t {
  boolean,
  int8,
  int16,
  int32,
  int64,
  uint8,
  uint16,
  uint32,
  uint64,
  float16,
  bfloat16,
  float32,
  float64,
  float8e4m3,
  float8e5m2,
  complex64,
  complex128,
  enumeration,
  structure,
  carray,
  pointer,
  string,
  array,
  text,      // a wire: address and number of units
  sequence,  // a wire: address and number of element wires
  maybe,     // a wire: the element's, and whether there is one
  held,      // a wire behind what keeps alive what it describes
  read,      // the element, given to a Python callable
  handle,
  view,
  owner,  // a wire: the address of an object that a smart pointer owns, and that smart pointer
};

inline bool is_number(Kind kind) { return kind <= Kind::complex128; }

// Which argument of a kernel launch a pointer parameter is.
enum class Launch : uint8_t { none, params, extra };

// Bytes from null on where no program has memory: an int below is a number that was meant for C, and Python
// says so.
constexpr uintptr_t kFirstPage = 4096;

struct Codec;

struct CodecField {
  PyObject* name;  // interned str
  const Codec* codec;
  Py_ssize_t offset;  // bytes
  int bit_offset;     // bits after `offset`
  int bit_width;      // 0: an ordinary field
  Kind kind;          // the codec's, and its scalar type
  PyTypeObject* scalar;
};

// What an accepted object is: bytes that C++ may read, an address in its own bytes, ctypes' reference.
enum class Holds : uint8_t { bytes, address, reference };

struct Reference {
  PyObject_HEAD void* ffi_type;
  char tag;
  alignas(16) void* value;
};

constexpr Py_ssize_t kNowhere = PY_SSIZE_T_MAX / 2;  // no object is so large

// Types whose instances are copied as bytes; nodes are only ever added while the codec lives.
struct AcceptedType {
  PyTypeObject* type;  // remembered: see object/classes.hpp
  Py_ssize_t offset;   // bytes, of the accepted part in an instance; kNowhere: of a virtual base
  AcceptedType* next;
  void (*upcast)(void**);  // null, or: each object says itself where it has a virtual base, and ...
  Py_ssize_t behind;       // ... so many bytes behind that one is the accepted part
  Holds holds;
};

// Immutable but for what it has learnt to accept, so it needs no tp_clear: every cycle through a codec passes
// through a class or a container that has one.
struct Codec {
  PyObject_HEAD Kind kind;
  bool is_const;
  bool nullable;
  bool least;         // of a pointer: count is how many elements there are at least
  bool has_pointers;  // instances refer to memory that something else must keep alive
  bool hides;         // ... without Python's seeing it: there are members that it does not know
  bool dense;         // fields cover every byte exactly once: nothing to zero
  bool lists;         // a list stands for a C array, as a tuple does
  bool tuples;        // a tuple of the fields stands for a struct, if ...
  bool disjoint;      // ... they do not overlap: then this is true
  bool plain;         // disjoint numbers, no bit-fields
  bool reads_arrays;  // an array or a pointer whose pointee has an array element type
  bool described;     // of an array: its reader takes the descriptor, not the elements
  bool adapts;        // an adapter stands for the pointer: see call/adapter_arguments.cpp
  Launch launch;
  // Of a pointer, where C++ may only read, and where it may write: bit 0 for what it points to, bit 1 for
  // what a pointer there points to, and so on.
  uint32_t const_levels, mutable_levels;
  Py_ssize_t size;   // bytes
  Py_ssize_t align;  // bytes
  PyTypeObject* python;
  PyTypeObject* scalar;
  void (*destroy)(void**);  // of a handle: what destroys the C++ object at its first argument
  void (*room)(void**);     // of a handle that C++ may take over: stores the address of free memory there
  void (*unroom)(void**);   // ... and gives it back
  void (*dynamic)(void**);  // of a polymorphic class: tells of which known class an object really is
  PyObject* derived;        // ... tuple of those classes
  const Codec* element;
  const Codec* items;  // of the lists that the adapter of a pointer takes, or null
  Py_ssize_t count;    // elements of a carray; bytes of a text's unit; the offset of a held wire
  Py_ssize_t field_count;
  CodecField* fields;
  PyObject* members;    // an enumeration's value -> member dictionary
  PyObject* reader;     // makes the Python object of what was decoded: of a read's element, an array's bytes
  PyObject* type;       // the description it was built from
  PyObject* callbacks;  // of a pointer to a function: the CallbackPlan of callables that it takes, or null
  PyObject* fields_tuple;
  std::atomic<AcceptedType*> accepted;
  ArraySpec array;
  mutable RouteCache route;  // for arrays met inside tuples; a plan's slots have their own
};

extern PyTypeObject* codec_type;

inline Codec* as_codec(PyObject* object) { return reinterpret_cast<Codec*>(object); }

inline bool is_codec(PyObject* object) { return Py_IS_TYPE(object, codec_type); }

const char* kind_name(Kind kind);

// A new codec, from the arguments of Python's constructor.
PyObject* codec_new(PyTypeObject* type, PyObject* args, PyObject* kwargs);

// How the codec takes a class that it has learnt; null: it has not.
inline const AcceptedType* find_accepted(const Codec& codec, PyTypeObject* type) {
  const AcceptedType* node = codec.accepted.load(std::memory_order_acquire);
  while (node && node->type != type) node = node->next;
  return node;
}

inline bool accepts(const Codec& codec, PyTypeObject* type) {
  return likely(type == codec.python) || find_accepted(codec, type);
}

// Writes `object` to the codec.size bytes at `out`. What it finds there is valid while `object` and `keep`
// live.
Match encode(const Codec& codec, PyObject* object, char* out, RouteCache& route, CallResources& resources);
Match encode_structure(const Codec& codec, PyObject* object, char* out, CallResources& resources);
Match encode_pointer(const Codec& codec, PyObject* object, void** out, RouteCache& route,
                     CallResources& resources);
Match encode_field(const CodecField& field, PyObject* object, char* base, CallResources& resources);

inline Match encode(const Codec& codec, PyObject* object, char* out, CallResources& resources) {
  return encode(codec, object, out, codec.route, resources);
}

// A new object from the bytes at `data`; `owner` (may be null) is what its pointers point into.
PyObject* decode(const Codec& codec, const char* data, PyObject* owner);
PyObject* decode_field(const CodecField& field, const char* base, PyObject* owner);

// Its methods in codec/learn.cpp.
PyObject* codec_accept(PyObject* self, PyObject* args);
PyObject* codec_accept_dtype(PyObject* self, PyObject* dtype);
PyObject* codec_accept_address(PyObject* self, PyObject* args);
PyObject* codec_accept_callables(PyObject* self, PyObject* plan);
PyObject* codec_set_destroy(PyObject* self, PyObject* address);
PyObject* codec_set_room(PyObject* self, PyObject* args);
PyObject* codec_set_dynamic(PyObject* self, PyObject* args);

int add_codec_type(PyObject* module);

}  // namespace samebytes
