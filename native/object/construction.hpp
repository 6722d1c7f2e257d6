// What the classes of values and records are made of: see object/construction.cpp and
// object/instance_buffer.cpp.
#pragma once
#include "object/handle.hpp"

namespace samebytes {

inline const Codec& codec_of(const Ref& codec) { return *reinterpret_cast<Codec*>(codec.get()); }

PyObject* instance_new(PyTypeObject* type, PyObject* args, PyObject* kwargs);
int record_init(PyObject* self, PyObject* args, PyObject* kwargs);
PyObject* instance_from_buffer(PyObject* type, PyObject* args, PyObject* kwargs);
PyObject* record_construct(PyObject* type, PyObject* args);
PyObject* record_make(PyObject* type, PyObject* converted);
PyObject* record_view(PyObject* type, PyObject* args, PyObject* kwargs);

// Has calls of a class of records, whose objects C++ makes, go to its constructor at once.
PyObject* set_direct(PyObject*, PyObject* cls);
// Has the __init__ of a class of Python's make its objects, or the call of the class.
PyObject* set_deferred(PyObject*, PyObject* args);
PyObject* construct_by(PyObject*, PyObject* args);

int export_value(PyObject* self, Py_buffer* view, int flags);
int export_record(PyObject* self, Py_buffer* view, int flags);

}  // namespace samebytes
