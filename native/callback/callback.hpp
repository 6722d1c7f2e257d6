// Python callables that stand for C++ functions: how their values pass, and what runs them.
#pragma once
#include "codec/codec.hpp"

namespace samebytes {

constexpr int kMostCallbackArguments = 32;

// What the caller passes one argument in: the number of a word, see callback/closure.cpp.
struct CallbackArgument {
  PyObject* reader;  // a Codec, the class Pointer, or a callable that makes an object of an address
  uint16_t words[2];
  uint8_t word_count;
  bool lent;  // a const T&: see callback/lent.hpp
};

enum class WordClass : uint8_t { integer, sse };

// How calls of one function type pass between C++ and Python. Immutable.
struct CallbackPlan {
  PyObject_HEAD int count;
  CallbackArgument arguments[kMostCallbackArguments];
  const Codec* result;   // null: only `write` knows
  Py_ssize_t size;       // bytes of the result; 0: void
  PyObject* write;       // write(returned, callable) -> its bytes and what keeps them
  PyObject* arrange;     // null, or: arrange(*values) -> the tuple that the callable gets
  PyObject* gone;        // gone(name) raises: the C function has ended
  PyObject* frames;      // None, so that no exception leaves, or: what a frame of C++'s does with one
  bool lends;            // any of the arguments is lent
  bool is_function;      // words are known: it can be a C function
  bool in_memory;        // ... whose result goes to the address that its caller passes first
  uint8_t result_count;  // ... or into so many registers
  WordClass result_words[2];
};

// A Python callable in the place of a C++ function.
struct Callback {
  PyObject_HEAD CallbackPlan* plan;
  PyObject* callable;
  PyObject* errors;    // where a call collects what callbacks raise, or None
  PyObject* write;     // null: the plan's
  PyObject* on_error;  // null, or (what it returns where it raises and no exception passes,)
  int slot;            // of its C function; -1: it has none
  // Where `callable` is a name: the function that a class had for it last, borrowed, and the version of the
  // class; 0: none yet.
  mutable PyObject* method;
  mutable unsigned int version;
};

extern PyTypeObject* callback_plan_type;
extern PyTypeObject* callback_type;

inline CallbackPlan* as_callback_plan(PyObject* object) { return reinterpret_cast<CallbackPlan*>(object); }
inline Callback* as_callback(PyObject* object) { return reinterpret_cast<Callback*>(object); }

Callback* new_callback(CallbackPlan* plan, PyObject* callable, PyObject* errors, PyObject* write,
                       PyObject* on_error = nullptr);

// Runs the callable with what lies at `places`, and writes the result to `out`; `result_owner` gets what
// keeps its pointers valid. False: exception set.
bool run_callback(const Callback& callback, const char* const* places, char* out, Ref& result_owner);
// The same where the callable has raised and C++ gets a value nonetheless: what its user chose. False: there
// is none, or it cannot be written any more, which is told.
bool run_on_error(const Callback& callback, char* out, Ref& result_owner);

// Tells of a callable that C++ called, and that nobody can run any more: C++ gets zero.
void tell_of_late_call();

// A C function for a call: of a function or a method that takes just as many arguments.
Match take_callable(const Codec& codec, PyObject* object, void*& address, CallResources& resources);

int add_callback_plan_type(PyObject* module);
int add_callback_type(PyObject* module);

}  // namespace samebytes
