// What launches need that a graph has recorded. The driver says in a thread of its own that a graph is gone,
// where nothing may be waited for, the GIL least of all: what it held is put on a list.
#include "launch/recorded.hpp"

#include <new>

namespace samebytes {

std::atomic<Recorded*> dropped_recorded{nullptr};

namespace {

// CUhostFn and hipHostFn_t of a user object.
void drop(void* given) {
  auto* const one = static_cast<Recorded*>(given);
  one->next = dropped_recorded.load(std::memory_order_relaxed);
  while (!dropped_recorded.compare_exchange_weak(one->next, one, std::memory_order_release,
                                                 std::memory_order_relaxed)) {
  }
}

PyObject* hold(PyObject*, PyObject* held) {
  auto* const made = new (std::nothrow) Recorded{nullptr, Py_NewRef(held)};
  if (!made) return Py_DECREF(held), PyErr_NoMemory();
  return PyLong_FromVoidPtr(made);
}

PyMethodDef functions[] = {{"hold_recorded", hold, METH_O,
                            "hold_recorded(held, /)\n--\n\nThe address of what RECORDED_DROP lets go of."},
                           {}};

}  // namespace

void end_recorded() {
  Recorded* one = dropped_recorded.exchange(nullptr, std::memory_order_acquire);
  while (one) {
    Recorded* const next = one->next;
    PyObject* const held = one->held;
    delete one;
    Py_DECREF(held);  // which may run Python code: the list is this one's own
    one = next;
  }
}

int add_recorded(PyObject* module) {
  PyObject* const address = PyLong_FromVoidPtr(reinterpret_cast<void*>(drop));
  const int added = address ? PyModule_AddObjectRef(module, "RECORDED_DROP", address) : -1;
  Py_XDECREF(address);
  return added < 0 ? -1 : PyModule_AddFunctions(module, functions);
}

}  // namespace samebytes
