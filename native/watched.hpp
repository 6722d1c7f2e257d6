// Counts the objects that may use memory of others, as the garbage collector watches them: whoever lists what
// it watches sees whether the list is whole. gc.freeze() hides objects, and so does a collection under way.
#pragma once
#include <Python.h>

namespace samebytes {

extern Py_ssize_t watched_objects __attribute__((visibility("hidden")));  // with the GIL

inline void watch(PyObject* object) {
  PyObject_GC_Track(object);
  ++watched_objects;
}
// What tp_alloc has tracked already.
template <class Object>
Object* note_watched(Object* object) {
  watched_objects += object != nullptr;
  return object;
}
// In a tp_dealloc, which the trashcan may call twice.
inline void unwatch(PyObject* object) {
  if (!PyObject_GC_IsTracked(object)) return;
  PyObject_GC_UnTrack(object);
  --watched_objects;
}

}  // namespace samebytes
