// The C++ iterations that Python has begun, and which of them what is written to may have put out of step:
// the iterators of a container need not be good after a call that may change it. Which calls do, and when
// they do it: call/writes.hpp.
#pragma once
#include "../src/samebytes/include/samebytes/iterating/head.hpp"
#include "object/instance.hpp"

namespace samebytes {

// Those of all libraries; shims enter them, and take them out. With the GIL.
extern iteration_head* live_iterations;

// These bytes may be written to, or have been.
void note_written_bytes(const char* data, Py_ssize_t size);

// ... an object of Python's.
inline void note_written(PyObject* object) {
  if (unlikely(live_iterations) && is_record_class(Py_TYPE(object)))
    note_written_bytes(as_instance(object)->data, Py_SIZE(object));
}

// What Python has of an iteration that a call began: a handle that ends the loop with itself. The elements
// keep the iteration, and that what is iterated, but no loop: see steps_of(). Null: exception set.
PyObject* new_iterator(PyObject* iteration, const Codec& codec);
bool is_iterator(PyObject* object);
// The iteration that an iterator makes steps of; an object that is none, itself.
PyObject* steps_of(PyObject* object);

int add_iterations(PyObject* module);

}  // namespace samebytes
