// Storage for what C++ writes: outputs in the frame, in guarded memory where a rule took them for one value,
// or made by Python.
#include <cstring>

#include "call/guarded_memory.hpp"
#include "call/tier3_general.hpp"
#include "codec/scalar.hpp"

namespace samebytes {

bool prepare_extras(const Candidate& candidate, char* frame, void** argv, GuardedBlocks& guarded) {
  if (candidate.given != candidate.argc) std::memset(argv, 0, candidate.argc * sizeof *argv);
  for (int i = 0; i < candidate.outputs.count; ++i) {
    const Output& output = candidate.outputs.items[i];
    if (output.make) continue;
    char* slot = frame + output.offset;
    std::memset(slot, 0, output.codec->size);
    argv[output.argv] = output.overrun ? guarded.take(output) : slot;
    if (!argv[output.argv]) return false;
  }
  // What C++ constructs there leaves padding as it was, and the bytes become visible.
  if (candidate.result.codec && candidate.result.codec->kind != Kind::handle)
    std::memset(frame + candidate.result.offset, 0, candidate.result.codec->size);
  return true;
}

bool make_outputs(const Candidate& candidate, PyObject* const* args, char* frame, void** argv,
                  CallResources& resources) {
  for (int i = 0; i < candidate.outputs.count; ++i) {
    const Output& output = candidate.outputs.items[i];
    if (!output.make) continue;
    const Py_ssize_t count = PyTuple_GET_SIZE(output.takes);
    Ref given = Ref::steal(PyTuple_New(count));
    for (Py_ssize_t k = 0; given && k < count; ++k) {
      PyObject* const said = args[PyLong_AsSsize_t(PyTuple_GET_ITEM(output.takes, k))];
      PyTuple_SET_ITEM(given.get(), k, Py_NewRef(said));
    }
    const Ref made = Ref::steal(given ? PyObject_CallObject(output.make, given.get()) : nullptr);
    if (!made) return false;
    Py_buffer* buffer;
    if (resources.lock(made.get(), PyBUF_WRITABLE, &buffer) != Match::yes) {
      if (!PyErr_Occurred()) PyErr_SetString(PyExc_SystemError, "storage for an output is a writable buffer");
      return false;
    }
    store(frame + output.offset, buffer);
    argv[output.argv] = buffer->buf;
  }
  return true;
}

}  // namespace samebytes
