// The parts of a call of the third tier.
#pragma once
#include "call/memory.hpp"
#include "call/plan.hpp"
#include "call/thrown.hpp"

namespace samebytes {

// Zeroed storage for outputs and results, and null for C++ parameters that get no argument; false: exception
// set.
bool prepare_extras(const Candidate& candidate, char* frame, void** argv, class GuardedBlocks& guarded);
// Storage that Python makes, once the arguments are known to fit; false: exception set.
bool make_outputs(const Candidate& candidate, PyObject* const* args, char* frame, void** argv,
                  CallResources& resources);
// The address that the object stands for; a reference has one.
Match take_address(Input& input, PyObject* object, void*& where, CallResources& resources);
// What only a call can take for an address, because it keeps what is made of it.
Match take_adapter_argument(const Codec& codec, PyObject* object, void*& address, CallResources& resources);
// The new object that a constructor fills.
Match take_made(const Input& input, PyObject* object, void*& where);
// Python converts what the core did not recognise.
Match convert_argument(Plan& plan, const Candidate& candidate, int index, PyObject* object, char* slot,
                       void*& where, CallResources& resources, bool last);
// Writes into the lists among the arguments what C wrote to their arrays; false: exception set.
bool write_back(PyObject* name, const CallResources& resources);
int add_write_back_functions(PyObject* module);
// The result first, then the outputs; one alone is not wrapped. `memory` is what the call held, where
// pointers are returned, else null; `made` is an object that C++ made in its own place, or null.
PyObject* collect_results(const Candidate& candidate, const char* frame, PyObject* const* args,
                          Memory* memory, PyObject* made);
// Has a new object keep the arguments that it may refer to, and what the call made of them; false:
// MemoryError.
bool retain_arguments(const Candidate& candidate, PyObject* const* args, PyObject* made, Memory* memory);
// Has the object whose member was set keep what the value refers to, in the stead of what the last one
// referred to.
bool retain_value(const Candidate& candidate, PyObject* const* args, const char* slot, Memory* memory);
// Has each argument that came to refer to another one keep that, for as long as it is there; false:
// MemoryError.
bool keep_arguments(const Candidate& candidate, PyObject* const* args, Memory* memory);

}  // namespace samebytes
