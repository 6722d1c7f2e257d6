// The objects of Python's that depend on others: those with an owner, or whose pointers have owners. Each is
// in a list from when it gets the first until it dies, so that whoever ends an object asks nobody else for
// them.
#pragma once
#include <cstddef>

#include "object/instance.hpp"

namespace samebytes {

// One list for each struct. With the GIL, as all of these; constant time; no Python code runs.
template <class Object>
struct Dependents {
  static inline Dependent* first = nullptr;
};

// The object has got an owner. Again and again is the same as once.
template <class Object>
void enlist(Object* self) {
  link_in(Dependents<Object>::first, self->dependent);
}

// The object dies. The trashcan may come here twice.
template <class Object>
void delist(Object* self) {
  link_out(self->dependent);
}

// Calls `act` with each object, until it says false. What `act` does must not run Python code. False: it did
// so.
template <class Object, class Act>
bool each_dependent_of(const Act& act) {
  for (Dependent* one = Dependents<Object>::first; one; one = one->next)
    if (!act(reinterpret_cast<PyObject*>(reinterpret_cast<char*>(one) - offsetof(Object, dependent))))
      return false;
  return true;
}

}  // namespace samebytes
