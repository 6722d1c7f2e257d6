// Classes that caches remember without keeping them: where one is remembered, there is `gone_class` from the
// moment it dies, so that a class that comes to lie at the same address is not taken for it.
#pragma once
#include <Python.h>

namespace samebytes {

// The class of no object.
extern PyTypeObject gone_class __attribute__((visibility("hidden")));

// Puts `type` at `slot`, for as long as it lives; false: exception set, and nothing was put. With the GIL, as
// all of these; `slot` must not remember another class.
bool remember_class(PyTypeObject** slot, PyTypeObject* type);
// `slot` ends, or is to remember another class.
void forget_class(PyTypeObject** slot);

// What is known of a few classes, each an Entry whose `type` is remembered. Readers take no lock: a null
// `type` ends the list, and only what is behind it is written to.
template <class Entry, int Most>
class ClassList {
 public:
  const Entry* find(PyTypeObject* type) const {
    for (const Entry& entry : entries_) {
      PyTypeObject* const known = __atomic_load_n(&entry.type, __ATOMIC_ACQUIRE);
      if (known == type) return &entry;
      if (!known) return nullptr;
    }
    return nullptr;
  }

  // A class that is known stays as it is; where the list is full, so does the list. False: exception set.
  bool add(PyTypeObject* type, const Entry& facts) {
    for (Entry& entry : entries_) {
      if (entry.type == type) return true;
      if (entry.type && entry.type != &gone_class) continue;
      PyTypeObject* const before = entry.type;
      entry = facts;
      entry.type = before;
      return remember_class(&entry.type, type);
    }
    return true;
  }

 private:
  Entry entries_[Most] = {};
};

}  // namespace samebytes
