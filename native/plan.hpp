// Plan: everything the compiled core knows about one overload set, resolved down to offsets.
#pragma once
#include <Python.h>

#include <atomic>
#include <cstdint>

#include "codec.hpp"

namespace samebytes {

using Shim = void (*)(void** arguments);

// What a shim writes when it catches an exception; only `code` is initialised before a call.
struct ShimError {
  int32_t code;
  int32_t reserved;
  char message[1024];  // UTF-8, NUL-terminated if shorter
};

enum InputFlags : uint8_t {
  kCopy = 1,      // the callee may write: never hand it the object's own bytes
  kIndirect = 2,  // hand the callee the address that the object stands for
};

// How an argument is taken: what the call path branches on.
enum class Way : uint8_t { number, structure, pointer, array, address, other };

// What a lean call takes: descriptors of one and of more dimensions, pointers, numbers; see direct.cpp.
enum class Lean : uint8_t { line, grid, pointer, float64, float32, int32, int64, no };

// How a result is given back.
enum class WayBack : uint8_t { none, float64, float32, int32, number, other };

struct Plan;
struct Candidate;
using RunFunction = PyObject* (*)(Plan&, const Candidate&, PyObject* const* args);
using CallFunction = PyObject* (*)(PyObject*, PyObject* const*, Py_ssize_t, PyObject*);

// One visible argument. What the call path reads is copied here from the codec.
struct Input {
  const Codec* codec;
  PyTypeObject* scalar;
  PyTypeObject* python;
  RouteCache route;
  uint32_t offset;      // bytes, in the frame
  uint32_t align_mask;  // alignment of the parameter, less one
  uint16_t argv;
  Way way;
  Kind kind;
  uint8_t flags;
};

struct Output {
  const Codec* codec;
  uint32_t offset;
  uint16_t argv;
};

struct Constant {
  PyObject* bytes;
  uint32_t offset;
  uint16_t argv;
};

constexpr int kMostLean = 8;  // arguments

struct Candidate {
  Shim shim;
  WayBack way_back;
  bool nogil;
  Lean lean[kMostLean];
  const ArraySpec* specs[kMostLean];
  RunFunction run;
  CallFunction call;  // the function's implementation, if this is the only candidate
  int input_count;
  int argc;   // C++ parameters; the shim gets two more: return storage and error record
  int given;  // those that get an argument; the shim leaves the others' default values to C++
  uint16_t output_count;
  uint16_t constant_count;
  bool on_stack;  // frame and addresses fit there
  bool extras;    // prepare_extras() has something to do
  const Codec* result;
  uint32_t result_offset;
  uint32_t frame_size;
  uint32_t frame_align;
  int index;
  Input* inputs;
  Output* outputs;
  Constant* constants;
  PyObject* names;  // tuple of interned str
};

// What decides between candidates of one arity: see argument_key() in dispatch.cpp.
struct ArgumentKey {
  PyTypeObject* type;  // strong
  PyObject* dtype;     // strong or null
  intptr_t aux;
};

// A choice once made. Immutable when published; freed with its plan only.
struct Choice {
  const Candidate* candidate;
  Choice* next;
  ArgumentKey keys[1];
};

// The candidates that take one number of arguments.
struct Arity {
  const Candidate* only;  // null: none, or several
  int count;
  std::atomic<Choice*> choices;
};

struct Plan {
  PyObject_HEAD Arity* arities;  // by number of arguments, 0 to max_arity
  int max_arity;
  int candidate_count;
  Candidate* candidates;
  PyMethodDef definition;
  PyObject* name;
  PyObject* doc;
  PyObject* module;
  PyObject* function;
  PyObject* fallback;
  PyObject* explain;
  PyObject* resolve;
  PyObject* reduce;
};

constexpr int kDirectFrame = 256;   // bytes
constexpr int kDirectAlign = 16;    // bytes; what the stack has anyway
constexpr int kLeanArraySlot = 64;  // bytes; descriptors of up to three dimensions
constexpr int kStackFrame = 4096;   // bytes
constexpr int kStackAlign = 64;     // bytes
constexpr int kStackArguments = 64;
constexpr int kMaxArguments = 4096;

// The builtin function's implementation for any plan; `self` is the plan.
PyObject* plan_call(PyObject* self, PyObject* const* args, Py_ssize_t nargs, PyObject* kwnames);
// Any call but one by position with a single candidate of that arity.
PyObject* dispatch(Plan& plan, PyObject* const* args, Py_ssize_t nargs, PyObject* kwnames);
PyObject* run_any(Plan& plan, const Candidate& candidate, PyObject* const* args);
inline PyObject* run(Plan& plan, const Candidate& candidate, PyObject* const* args) {
  return candidate.run(plan, candidate, args);
}
// Sets `run` and `call` of a candidate that is otherwise complete.
void choose_run(Candidate& candidate);
// Calls explain(args, kwargs, candidate), which raises, or completes the call; -1: no candidate in
// particular.
PyObject* explain(Plan& plan, PyObject* args, PyObject* kwargs, int candidate);
Ref make_tuple(PyObject* const* items, Py_ssize_t count);
void free_choices(Arity& arity, int length);

int add_plan_type(PyObject* module);

}  // namespace samebytes
