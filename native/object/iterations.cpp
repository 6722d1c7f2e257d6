// The C++ iterations that Python has begun: see object/iterations.hpp.
#include "object/iterations.hpp"

#include <functional>

#include "object/handle.hpp"

namespace samebytes {

iteration_head* live_iterations = nullptr;

// One that is out of step leaves the list: its next step looks whether it can go on, and enters it again.
void note_written_bytes(const char* data, Py_ssize_t size) {
  const std::less<const char*> before;
  for (iteration_head *one = live_iterations, *next; one; one = next) {
    next = one->next;
    const auto* const object = static_cast<const char*>(one->object);
    if (!before(data, object + one->size) || !before(object, data + size)) continue;
    one->written = true;
    delist(*one);
  }
}

namespace {

// In the place of a destructor: the loop ends, and the iteration with what else refers to it.
void end_loop(void** argv) {
  auto& loop = *static_cast<iteration_head*>(argv[0]);
  delist(loop);
  loop.over = true;
}

}  // namespace

PyObject* new_iterator(PyObject* iteration, const Codec& codec) {
  PyObject* const made = view_object(codec, as_instance(iteration)->data, iteration, false, true);
  if (made) as_handle(made)->destroy = end_loop;
  return made;
}

bool is_iterator(PyObject* object) {
  return is_handle_class(Py_TYPE(object)) && as_handle(object)->destroy == end_loop;
}

PyObject* steps_of(PyObject* object) { return is_iterator(object) ? as_handle(object)->owner : object; }

int add_iterations(PyObject* module) {
  const Ref address = Ref::steal(PyLong_FromVoidPtr(&live_iterations));
  return address ? PyModule_AddObjectRef(module, "ITERATIONS", address.get()) : -1;
}

}  // namespace samebytes
