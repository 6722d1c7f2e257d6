// What keeps the targets of pointers alive: those inside values and records, and those that a call returns.
#pragma once
#include "object/instance.hpp"

namespace samebytes {

// An instance's `kept` is a dict {(address, size): target}: bytes of the instance with pointers in them, and
// what those point into: one object, or a tuple of several. Who keeps them, object/ledger.hpp says.

// Encodes into an instance's own bytes, and makes the instance keep what the new pointers point into.
Match encode_with_owners(Instance* instance, const CodecField& field, PyObject* object);

// Copies `bytes`, `(bytes, owner)` or `(bytes, {(offset, size): owner})`, as Python's converters return them.
// Errors: SystemError.
bool copy_converted(Instance* instance, char* out, Py_ssize_t size, PyObject* converted);

// Makes `keep` hold what the record keeps now, whatever is assigned to it later; false: MemoryError.
bool hold_pointee_owners(PyObject* object, CallResources& resources);

// What an instance keeps at this very moment; null: exception set.
Ref targets_now(Instance* instance);

// What must live while pointers that were read from [data, data + size) of the instance are used: the
// instance and, if they can be replaced in it, their targets.
Ref owner_of_field(Instance* instance, const char* data, Py_ssize_t size);

// A new instance (not a view) of a class with pointers, from bytes inside a record.
PyObject* copy_with_owners(PyTypeObject* type, const Codec& codec, Instance* from, const char* data);

// Makes the instance keep the objects in `targets`, a tuple, for the C++ object at `place` inside of it, in
// the stead of those that it kept for that before. False: exception set, and nothing has changed.
bool hold_targets(Instance* instance, const char* place, PyObject* targets);

// Makes the instance keep one more object, to which it refers, for as long as it is there; its copies keep
// that, too. Again and again is the same as once. False: exception set.
bool add_target(Instance* instance, PyObject* target);

// The owner of a call's results: the arguments that they may point into, and `last` (may be null).
Ref owner_of_results(PyObject* const* args, int count, PyObject* last);

// (bytes, {(offset, size): target}): a copy, and what its pointers point into at this very moment.
PyObject* snapshot(Instance* instance);

}  // namespace samebytes
