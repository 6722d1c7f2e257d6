// Searches what an argument stands for: see call/reach.hpp.
#include "call/reach.hpp"

#include <new>

#include "array/array.hpp"
#include "call/claim.hpp"
#include "call/memory.hpp"
#include "call/resources.hpp"
#include "object/result_owner.hpp"
#include "object/smart_pointer.hpp"
#include "view/view.hpp"

namespace samebytes {

namespace {

bool is_ndarray(PyObject* object) {
  PyTypeObject* const type = plain_ndarray.load(std::memory_order_acquire);
  return type && PyObject_TypeCheck(object, type);
}

// What holds other objects and shows them to the garbage collector. A class of Python's is none: what its
// instances do with an object is nothing that a call uses.
bool is_container(PyObject* object) {
  PyTypeObject* const type = Py_TYPE(object);
  return PyTuple_Check(object) || PyList_Check(object) || PyDict_Check(object) || PyAnySet_Check(object) ||
         is_pointer_class(type) || is_view(object) || keeps_results(type) || is_memory(type) ||
         is_claim(object);
}

}  // namespace

Reach::Reach(PyObject* target, bool by_bytes) : target_(target) {
  if (!is_record_class(Py_TYPE(target))) return;
  PyObject* const owner = as_instance(target)->owner;
  if (owner && is_share(Py_TYPE(owner))) share_ = owner;
  if (!by_bytes) return;
  begin_ = as_instance(target)->data;
  size_ = begin_ ? Py_SIZE(target) : 0;
}

bool Reach::meets(const char* begin, Py_ssize_t size) const {
  return size_ && begin < begin_ + size_ && begin_ < begin + size;
}

int Reach::visit(PyObject* object, void* self) {
  static_cast<Reach*>(self)->meet(object);
  return 0;
}

// One object on the way: found, or to be followed. Two handles may be views of the same object of C++'s, and
// what Python sees of an object's inside may know nothing of the object: so bytes are compared, too.
void Reach::meet(PyObject* object) {
  if (is_claim(object) && as_claim(object)->input >= 0) {
    PyObject* const claimed = as_claim(object)->object;
    return claimed == target_ ? void(++claims_) : meet(claimed);
  }
  PyTypeObject* const type = Py_TYPE(object);
  const bool instance = is_instance_class(type);
  found_ |= object == target_ || (share_ && object == share_);
  if (instance) {
    found_ |= meets(as_instance(object)->data, Py_SIZE(object));
  } else if (is_pointer_class(type)) {
    found_ |= meets(static_cast<char*>(as_pointer(object)->address), 1);
  } else if (is_view(object)) {
    found_ |= meets(as_view(object)->data, 1);
  } else if (is_ndarray(object)) {
    found_ |= meets(array_fields(object)->data, 1);
  }
  const bool leads =
      instance || is_container(object) || is_ndarray(object) || PyMemoryView_Check(object) || is_share(type);
  if (!found_ && leads && seen_.insert(object).second) todo_.push_back(object);
}

void Reach::follow(PyObject* object) {
  PyObject* next[2] = {};
  if (is_instance_class(Py_TYPE(object))) {
    next[0] = as_instance(object)->owner;
    next[1] = as_instance(object)->pointee_owners;
  } else if (is_ndarray(object)) {
    next[0] = array_fields(object)->base;
  } else if (PyMemoryView_Check(object)) {
    next[0] = PyMemoryView_GET_BUFFER(object)->obj;
  } else if (is_share(Py_TYPE(object))) {
    next[0] = owner_of_share(object);
  } else {
    Py_TYPE(object)->tp_traverse(object, visit, this);
  }
  for (PyObject* const found : next)
    if (found) meet(found);
}

bool Reach::drain() {
  while (!found_ && !todo_.empty()) {
    PyObject* const object = todo_.back();
    todo_.pop_back();
    follow(object);
  }
  return found_;
}

void Reach::forget() {
  found_ = false;
  todo_.clear();
  seen_.clear();
}

bool Reach::from(PyObject* object) try {
  meet(object);
  return drain();
} catch (const std::bad_alloc&) {
  return found_ = true;
}

bool Reach::from(const CallResources& resources) try {
  resources.visit(visit, this);
  return drain();
} catch (const std::bad_alloc&) {
  return found_ = true;
}

}  // namespace samebytes
