// The objects of classes that Python derives: whoever gets one from C++, by any of its bases, gets that very
// object. With the GIL.
#pragma once
#include "object/handle.hpp"

namespace samebytes {

extern bool overriding_is_known;  // whether there has ever been such an object

// The object of a class, or of one derived from it, that lies at an address; null: none that Python has.
// Borrowed
PyObject* overriding_at(const void* address, PyTypeObject* type);
// What stands for a method of C++'s that Python names by its class, Base.f(object), as super().f() does:
// C++'s own of the object's class, which asks Python no more. Null: the method itself. Borrowed
PyObject* own_of(PyObject* object, PyObject* name, PyObject* method);
// The object of a class of Python's is there, and found from now on. Where C++ asks its class or says when it
// ends, know_overriding() follows.
void know_derived(PyObject* handle);
// Its C++ object is about to end, or is no longer Python's.
void forget_overriding(PyObject* handle);

// C++ owns such an object from now on, which stays usable as long as C++ has it: functions of Python's class
// are called with it. C++ owns the handle, too.
void give_overriding(PyObject* handle);
// C++ gives back what it owns, and has not ended.
void take_back_overriding(PyObject* handle);
inline bool is_given(PyObject* object) {
  return is_handle_class(Py_TYPE(object)) && as_handle(object)->given;
}

int add_overriding_functions(PyObject* module);

}  // namespace samebytes
