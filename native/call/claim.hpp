// Objects that a call gives to C++ for good, or that C++ moves from. All Python code runs first; then the
// call claims them, all or none, at one moment with the GIL; then C++ is entered, and takes what was claimed.
// A call that is refused so leaves its arguments as they were. Why that is enough: call/seen.hpp.
#pragma once
#include "call/plan.hpp"
#include "call/running.hpp"

namespace samebytes {

// The owner, in the call's resources, of an object that a std::unique_ptr is to take over; its wire names
// the claim.
struct Claim {
  enum State : uint8_t { idle, claimed, taken };
  PyObject_HEAD PyObject* object;  // a handle
  PyObject* words;                 // what the parameter expects, for Python's refusal
  Py_ssize_t size;                 // of the handle, which has none for anybody else while it is claimed; -1:
                                   // one that C++ owns by now, see object/overriding.hpp
  const char* at;                  // where the object was, once it is taken
  int input;                       // of the call; -1: none that takes objects over
  State state;
  bool frees;  // what the object may refer to is what takes it: once that has it, nothing needs keeping
};

bool is_claim(PyObject* object);
inline Claim* as_claim(PyObject* object) { return reinterpret_cast<Claim*>(object); }

// Why an object cannot be had.
struct Conflict {
  const char* reason = nullptr;  // null: it can
  int input = 0;
  PyObject* object = nullptr;  // borrowed
  PyObject* words = nullptr;   // borrowed; null: C++ would move from it
};

// Notes which input the claims among the owners of an argument are for.
void note_claims(PyObject* owners, int input);
// An object that was taken over while Python converted arguments of which it is a part. It is asked for at
// the end: what a list held when it was read is not what it holds then.
Conflict find_gone(const Candidate& candidate, PyObject* const* args, const CallResources& resources);
// An object that others use and that the call's moving parameters, or conversions still to be made, would
// end.
Conflict find_used(const Candidate& candidate, PyObject* const* args, void* const* argv,
                   const CallResources& resources, const Running& running);
// What Python code has to say before the claims: whether Python has objects that lie inside of what is
// claimed (that is noted, see look()). False: exception set.
bool look_at_claims(const CallResources& resources);
// Whether an assignment to a member may end the object that the member owns: the last Python code before C++.
Conflict find_replaced(const Candidate& candidate, PyObject* const* args, void* const* argv,
                       const Running& running);
// Whether one may end the objects in the container that is the member.
Conflict find_elements(const Candidate& candidate, PyObject* const* args);
// Claims what the inputs with kTakes give away, and checks what those with kMoves are moved from. Runs no
// Python code.
Conflict claim_arguments(const Candidate& candidate, PyObject* const* args, void* const* argv,
                         const CallResources& resources, const Running& running);
// What C++ did not take after all is Python's again.
void drop_claims(const CallResources& resources);

// What shims call, in any thread. False: somebody else has the object.
bool take_claimed(void* claim);

int add_claim_type(PyObject* module);

}  // namespace samebytes
