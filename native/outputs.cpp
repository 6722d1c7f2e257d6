// Storage for what C++ writes: outputs in the frame, guarded where a rule takes them for one value, or made
// by Python.
#include <cstring>

#include "call.hpp"
#include "scalar.hpp"

namespace samebytes {

namespace {

// What lies behind an output that a rule takes for one value: no number that a function writes there is like
// it.
struct Guard {
  unsigned char bytes[kMostGuard];
  constexpr Guard() : bytes{} {
    for (int i = 0; i < kMostGuard; ++i) bytes[i] = static_cast<unsigned char>(0xA5 ^ (i * 37));
  }
};
constexpr Guard kGuard;

}  // namespace

const Output* overrun(const Candidate& candidate, const char* frame) {
  for (int i = 0; i < candidate.output_count; ++i) {
    const Output& output = candidate.outputs[i];
    if (output.guard && std::memcmp(frame + output.offset + output.codec->size, kGuard.bytes, output.guard))
      return &output;
  }
  return nullptr;
}

void prepare_extras(const Candidate& candidate, char* frame, void** argv) {
  if (candidate.given != candidate.argc) std::memset(argv, 0, candidate.argc * sizeof *argv);
  for (int i = 0; i < candidate.output_count; ++i) {
    const Output& output = candidate.outputs[i];
    if (output.make) continue;
    char* slot = frame + output.offset;
    std::memset(slot, 0, output.codec->size);
    if (output.guard) std::memcpy(slot + output.codec->size, kGuard.bytes, output.guard);
    argv[output.argv] = slot;
  }
  // What C++ constructs there leaves padding as it was, and the bytes become visible.
  if (candidate.result && candidate.result->kind != Kind::handle)
    std::memset(frame + candidate.result_offset, 0, candidate.result->size);
}

bool make_outputs(const Candidate& candidate, PyObject* const* args, char* frame, void** argv, Keep& keep) {
  for (int i = 0; i < candidate.output_count; ++i) {
    const Output& output = candidate.outputs[i];
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
    if (keep.lock(made.get(), PyBUF_WRITABLE, &buffer) != Match::yes) {
      if (!PyErr_Occurred()) PyErr_SetString(PyExc_SystemError, "storage for an output is a writable buffer");
      return false;
    }
    store(frame + output.offset, buffer);
    argv[output.argv] = buffer->buf;
  }
  return true;
}

}  // namespace samebytes
