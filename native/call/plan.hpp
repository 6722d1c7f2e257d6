// Plan: everything the compiled core knows about one overload set, resolved down to offsets.
#pragma once
#include <Python.h>

#include <atomic>
#include <cstdint>

#include "../src/samebytes/emit/parts/record.hpp"
#include "call/overload_keys.hpp"
#include "codec/codec.hpp"
#include "linked.hpp"

namespace samebytes {

using Shim = void (*)(void** arguments);

// What a shim writes when it catches an exception; only the code is initialised before a call.
using ShimError = samebytes_failure;

enum InputFlags : uint8_t {
  kCopy = 1,       // the callee may write: never hand it the object's own bytes
  kIndirect = 2,   // hand the callee the address that the object stands for
  kReference = 4,  // the callee gets the slot itself, so that what it returns may point there
  kRetained = 8,   // a C++ object that the call makes may refer to it
  kTakes = 16,     // C++ takes over objects that it is, or has
  kMoves = 32,     // C++ may move from the object
  kCarries = 64,  // an object that the call makes may refer to what it refers to, and not to it: it is a copy
  kOwnBytes = 128,  // the GIL stays only if its bytes are the object's own, and no view of other memory
};

// How an argument is taken: what the call path branches on.
enum class Passing : uint8_t { number, structure, pointer, array, address, made, other };

// What a specialized call takes: descriptors of one and of more dimensions, pointers, numbers, objects by
// address; see call/tier1_specialized.cpp.
enum class SpecializedKind : uint8_t { line, grid, pointer, float64, float32, int32, int64, object, no };

// What is asked of an object that is written to: whether it is iterated, and of a handle whether it is const.
enum class Guards : uint8_t { none, record, handle };

// How a result is given back.
enum class ResultPassing : uint8_t { none, float64, float32, int32, number, other };

struct Plan;
struct Candidate;

// One call as Python's functions take it.
struct Call {
  PyObject* const* args;
  Py_ssize_t nargs;
  PyObject* kwnames;  // may be null
  bool remembered;    // the candidate was found in the cache of overloads

  Ref positional() const;
  Ref keywords() const;
};

// `args` are in the candidate's order. `call`: as they came; null: like that.
using RunFunction = PyObject* (*)(Plan&, const Candidate&, PyObject* const* args, const Call* call);
using CallFunction = PyObject* (*)(PyObject*, PyObject* const*, Py_ssize_t, PyObject*);
struct Entry {
  RunFunction run;
  CallFunction call;
};

// One visible argument. What the call path reads is copied here from the codec.
struct Input {
  const Codec* codec;
  PyTypeObject* scalar;
  PyTypeObject* python;
  RouteCache route;
  uint32_t offset;      // bytes, in the frame
  uint32_t align_mask;  // alignment of the parameter, less one
  uint16_t argv;
  Py_ssize_t size;  // bytes of the object that is passed by address
  Passing passing;
  Kind kind;
  uint8_t flags;
  bool holds;  // ... which has pointers, whose targets the call holds
  Guards guards;
  bool writes;  // C++ may write to the object, or where its pointer points
};

// Storage that C++ fills: in the frame, or, where there is `make`, in a buffer that Python makes for each
// call.
struct Output {
  const Codec* codec;  // of one element, where there is `make`
  uint32_t offset;     // bytes, in the frame; where there is `make`, of the Py_buffer* of the call
  uint16_t argv;
  bool whole;         // `finish` gets the storage, not its decoded elements
  PyObject* make;     // null or: make(*the arguments that `takes` lists) -> a writable buffer
  PyObject* takes;    // tuple of int
  PyObject* finish;   // finish(elements or storage) -> what the call returns; null: these themselves
  PyObject* overrun;  // where a rule took it for one value: raises if C wrote behind it
};

constexpr int kMostUnrolled = 8;  // arguments

// How the call runs: each member is what the tier before hands on to. See call/tier1_specialized.cpp and on.
struct Tiers {
  SpecializedKind specialized[kMostUnrolled];
  const ArraySpec* specs[kMostUnrolled];
  RunFunction run;
  RunFunction unrolled;  // what `run` goes to where it does not take an argument
  CallFunction call;     // the function's implementation, if this is the only candidate
  Entry in_scope;        // where C++ may call Python: what run and call do inside their scope
  Entry iteration;       // of a step of an iteration: what run and call do with the iteration itself
  const char* path;      // the tier of its calls, in the word that `explain` shows
};

// What is known of the code that is called.
struct CallCode {
  bool releases_gil;
  bool calls_back;        // C++ may call Python: its calls run in a scope, see call/scope.hpp
  bool throws_nothing;    // ... and may throw nothing
  bool is_exclusive;      // it reads or writes a member: one thread at a time
  bool begins_iteration;  // what that calls of the object changes nothing
  bool steps_iteration;
  bool wants_own_bytes;  // some inputs have kOwnBytes
};

// Where the arguments lie.
struct CallFrame {
  uint32_t size;
  uint32_t align;
  bool on_stack;  // frame and addresses fit there
};

// The storage beside the result that C++ fills.
struct CallOutputs {
  Output* items;
  uint16_t count;
  bool has_extras;   // prepare_extras() has something to do
  bool has_guesses;  // ... and a rule took some output for one value
  bool has_buffers;  // make_outputs() has
  bool has_lists;    // a list may stand for an array that C writes to
};

// How what comes back is given.
struct CallResult {
  ResultPassing passing;
  bool is_tuple;           // results come as a tuple, also a single one
  bool is_status;          // zero is not given back, and others are for `finish` alone
  bool is_const;           // an object by value, `const T f()`
  bool is_first_argument;  // an operator that gives back the object
  bool is_new_object;      // of a constructor: the first argument is where the result goes
  uint32_t offset;
  const Codec* codec;  // null: nothing
  PyObject* finish;    // called with the tuple of results and the tuple of arguments; null: nothing
};

// What keeps what alive, and what ends.
struct Lifetime {
  bool object_refers;        // some inputs have kRetained or kCarries
  bool takes_over;           // ... kTakes or kMoves, or the call ends an object
  bool ends_first;           // the object of its first C++ argument is gone when it returns
  bool is_member;            // the value of a member, whose object keeps what it refers to
  bool result_refers;        // results have pointers, or refer to arguments unseen
  bool result_has_pointers;  // ... which may point into any argument
  bool frame_is_referred;    // ... into the frame
  PyObject* pairs;      // strong or null: ((i, j), …), argument i comes to refer to argument j, and keeps it
  PyObject* elements;   // strong or null: the classes of the objects inside of the container that it assigns
  Shim member_reader;   // of what writes a member that owns an object: tells where that is now; else null
  const Codec* member;  // ... strong: of its address
  PyObject* taker;      // the function's name, where C++ may take objects of Python's over; else null
};

// One overload with a number of arguments.
struct Candidate {
  Shim shim;
  PyObject* later;  // what builds the shim, at the first call; null: it is there
  Tiers tiers;
  Input* inputs;
  int input_count;
  int argc;   // C++ parameters; the shim gets two more: return storage and error record
  int given;  // those that get an argument; the shim leaves the others' default values to C++
  int index;
  PyObject* names;  // tuple of interned str
  CallFrame frame;
  CallCode code;
  CallResult result;
  CallOutputs outputs;
  Lifetime lifetime;
};

// The candidates that take one number of arguments.
struct Arity {
  const Candidate* only;  // null: none, or several
  int count;
  Position* positions;  // null: there is no choice
  KeyCache<const Candidate*> cached;
};

struct Plan {
  PyObject_HEAD Linked all;  // its place among all plans
  Arity* arities;            // by number of arguments, 0 to max_arity
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

constexpr int kUnrolledFrame = 256;  // bytes
constexpr int kUnrolledAlign = 16;   // bytes; what the stack has anyway
constexpr int kArraySlot = 64;       // bytes; descriptors of up to three dimensions
constexpr int kStackFrame = 1024;    // bytes; calls nest, through callbacks
constexpr int kStackAlign = 64;      // bytes
constexpr int kStackArguments = 64;
constexpr int kMaxArguments = 4096;
constexpr int64_t kMaxFrame = INT32_MAX;  // bytes
constexpr int kMaxAlign = 1 << 28;        // bytes; GCC's and Clang's largest for objects

// The builtin function's implementation for any plan; `self` is the plan.
PyObject* plan_call(PyObject* self, PyObject* const* args, Py_ssize_t nargs, PyObject* kwnames);
// The same, of a plan with several candidates: several of one arity come first.
PyObject* call_overloaded(PyObject* self, PyObject* const* args, Py_ssize_t nargs, PyObject* kwnames);
// Any call but one by position with a single candidate of that arity.
PyObject* dispatch(Plan& plan, PyObject* const* args, Py_ssize_t nargs, PyObject* kwnames);
PyObject* run_general(Plan& plan, const Candidate& candidate, PyObject* const* args, const Call* call);
inline PyObject* run(Plan& plan, const Candidate& candidate, PyObject* const* args, const Call* call) {
  return candidate.tiers.run(plan, candidate, args, call);
}
// An argument does not fit: raises, or, where the choice was a remembered one, makes the call afresh.
PyObject* refuse(Plan& plan, const Candidate& candidate, const Call& call);
// Some argument is an object that C++ cannot have: raises.
PyObject* refuse_conflict(Plan& plan, const Candidate& candidate, PyObject* const* args,
                          const struct Conflict& conflict);
// Sets `run` and `call` of a candidate that is otherwise complete.
void choose_run(Candidate& candidate);
// Has its first call build its shim: see call/later.cpp.
void wait_for_shim(Candidate& candidate);
// Lets its calls run in a scope, where they do not yet: see call/scope.hpp.
void run_in_scope(Candidate& candidate);
// The function calls its only candidate as that is to be called now.
void renew_call(Plan& plan);
// Some callable of Python's is made into what C++ calls. Signatures do not tell who calls it, for C++ may
// keep it anywhere: from now on each call of each plan runs in a scope.
void expect_callbacks();
extern bool callbacks_are_expected;
Ref make_tuple(PyObject* const* items, Py_ssize_t count);
bool survey_positions(Plan& plan);  // false: MemoryError
void free_arity(Arity& arity);

int add_plan_type(PyObject* module);

}  // namespace samebytes
