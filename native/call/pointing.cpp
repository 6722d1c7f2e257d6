// What a Pointer is made of: the address that an object stands for, and what keeps it valid.
#include "call/pointing.hpp"

#include "array/aside.hpp"
#include "call/launch.hpp"
#include "call/seen.hpp"
#include "object/dependents.hpp"

namespace samebytes {

namespace {

PyObject* rule;  // (object, readonly) -> (address, what keeps it valid); see
                 // samebytes/call/adapters/pointer_rule.py

// An address in `where`, and in `owner` what keeps it valid (or null); false: exception set.
bool resolve(PyObject* object, bool readonly, void*& where, Ref& owner, uint32_t& const_levels) {
  if (object == Py_None) return where = nullptr, true;
  if (PyObject_TypeCheck(object, pointer_type)) {
    where = as_pointer(object)->address;
    const_levels = readonly ? 0 : as_pointer(object)->const_levels;
    owner = content_of(as_pointer(object));
    return owner || !PyErr_Occurred();
  }
  if (PyLong_Check(object) && !PyBool_Check(object)) {
    where = reinterpret_cast<void*>(PyLong_AsUnsignedLongLong(object));
    if (where != reinterpret_cast<void*>(-1) || !PyErr_Occurred()) return true;
    PyErr_Clear();  // the rule has the words
  }
  if (!rule) return PyErr_SetString(PyExc_TypeError, "samebytes.call.adapters is not imported"), false;
  Ref found = Ref::steal(ask_python(rule, object, readonly ? Py_True : Py_False));
  if (!found) return false;
  PyObject *address, *held;
  if (!PyArg_ParseTuple(found.get(), "OO", &address, &held)) return false;
  where = reinterpret_cast<void*>(PyLong_AsUnsignedLongLong(address));
  if (PyErr_Occurred()) return false;
  if (held != Py_None) owner = Ref::borrow(held);
  return true;
}

PyObject* set_pointer_rule(PyObject*, PyObject* function) {
  Py_XSETREF(rule, Py_NewRef(function));
  Py_RETURN_NONE;
}

}  // namespace

Ref content_of(Pointer* from) {
  auto* object = reinterpret_cast<PyObject*>(from);
  if (Py_TYPE(object) == pointer_type) return Ref::borrow(from->owner);
  return from->owner ? Ref::steal(PyTuple_Pack(2, object, from->owner)) : Ref::borrow(object);
}

bool point(PyObject* self, PyObject* args, PyObject* kwargs) {
  static const char* names[] = {"address", "owner", "readonly", nullptr};
  PyObject *object = Py_None, *given = Py_None;
  int readonly = 0;
  if (!PyArg_ParseTupleAndKeywords(args, kwargs, "|OO$p:Pointer", const_cast<char**>(names), &object, &given,
                                   &readonly))
    return false;
  void* where;
  Ref owner;
  uint32_t const_levels = 0;
  if (!resolve(object, readonly != 0, where, owner, const_levels)) return false;
  if (given != Py_None)
    owner =
        owner && owner.get() != given ? Ref::steal(PyTuple_Pack(2, owner.get(), given)) : Ref::borrow(given);
  if (given != Py_None && !owner) return false;
  Pointer* const pointer = as_pointer(self);
  Ref old = Ref::steal(pointer->owner);
  pointer->owner = nullptr;
  pointer->address = where;
  pointer->const_levels = const_levels;
  if (old && !pointer->held) {  // a pointer that a call returned: another call may be using what it owns
    owner = Ref::steal(owner ? PyTuple_Pack(2, owner.get(), old.get()) : old.release());
    if (!owner) return pointer->address = nullptr, false;
  }
  pointer->owner = owner.release();
  if (pointer->owner) {
    enlist(pointer);
    note_viewed(pointer->owner);
  }
  pointer->held = 1;
  return true;
}

PyMethodDef rule_functions[] = {
    {"set_pointer_rule", set_pointer_rule, METH_O,
     "set_pointer_rule(function, /)\n--\n\nHow anything but None, a Pointer and an int becomes an address."},
    {"set_launch_number", set_launch_number, METH_VARARGS,
     "set_launch_number(type, size, align, boxed, /)\n--\n\nObjects of this class are numbers of so many "
     "bytes, which "
     "kernels take by value. `boxed`: the value follows the object's head; else the object is a buffer."},
    {}};

}  // namespace samebytes
