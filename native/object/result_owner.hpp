// What a result describes, kept in C++ until nothing in Python needs it.
#pragma once
#include "codec/codec.hpp"
#include "object/instance.hpp"

namespace samebytes {

// The head of a held result's slot; the wire follows at codec.count bytes.
struct ResultOwnerHead {
  void* held;
  void (*drop)(void*);
};

// The object that a held result describes.
PyObject* decode_owned_result(const Codec& codec, const char* data, PyObject* owner);
// Gives up a held result that nobody has read.
void drop_owned_result(const Codec& codec, const char* data);
// What `owner` keeps for those that are copied out of a result: not the result. Borrowed; null: nothing.
PyObject* owners_of_result(PyObject* owner);
// Has a new object keep `owner`, which may be null, and not what it had.
void keep_owners(Instance* made, PyObject* owner);
// What ends when nobody has it any more.
PyObject* new_result_owner(const ResultOwnerHead& head, PyObject* owner);
// A writable buffer over `size` bytes that lives in what `owner` keeps.
PyObject* new_piece(void* data, Py_ssize_t size, PyObject* owner);

// Calls `act` with each object that keeps what a result describes, until it says false. False: it did so.
bool each_result_dependent(bool (*act)(PyObject* object, void* arg), void* arg);
// Whether a type's objects keep what results describe.
bool keeps_results(PyTypeObject* type);

int add_result_owner_types(PyObject* module);

}  // namespace samebytes
