// What launches need that a graph has recorded: it dies after the graph, at a later launch.
#pragma once
#include <Python.h>

#include <atomic>

namespace samebytes {

// One launch; `next` is of those whose graph is gone.
struct Recorded {
  Recorded* next;
  PyObject* held;
};

extern std::atomic<Recorded*> dropped_recorded __attribute__((visibility("hidden")));
void end_recorded();

// Lets go of what no graph has any more.
inline void collect_recorded() {
  if (__builtin_expect(dropped_recorded.load(std::memory_order_relaxed) != nullptr, 0)) end_recorded();
}

int add_recorded(PyObject* module);

}  // namespace samebytes
