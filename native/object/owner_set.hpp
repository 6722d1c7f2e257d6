// What keeps pointers' targets alive, as a set of objects.
#pragma once
#include "object/instance.hpp"

namespace samebytes {

// Views and nested records leave the keeping to the record whose bytes they are.
Instance* root_of(Instance* instance);

// A set of objects by identity, in the order of adding. Tuples and pointers stand for what they hold, so
// that passing owners on and on makes no chains.
class OwnerSet {
 public:
  OwnerSet() : found_(Ref::steal(PyDict_New())) {}

  bool add(PyObject* object);
  // Of a tuple only pointers are looked into, and of those only the first: they hold no further ones.
  bool add_item(PyObject* item);

  Py_ssize_t count() const { return PyDict_GET_SIZE(found_.get()); }
  explicit operator bool() const { return bool(found_); }

  Ref tuple() const;

  Ref object() const;  // None, the only one, or a tuple of them

 private:
  bool add_one(PyObject* object);

  Ref found_;
};

}  // namespace samebytes
