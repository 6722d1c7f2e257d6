// The parts of a call that are not its fast path.
#pragma once
#include "plan.hpp"

namespace samebytes {

// Constants, zeroed storage for outputs and results, and null for C++ parameters that get no argument.
void prepare_extras(const Candidate& candidate, char* frame, void** argv);
// The address that the object stands for; a reference has one.
Match take_address(Input& input, PyObject* object, void*& where, Keep& keep);
// Python converts what the core did not recognise, or words the error. False: exception set.
bool convert_argument(Plan& plan, const Candidate& candidate, int index, PyObject* const* args, char* slot,
                      void*& where, Keep& keep);
PyObject* decode_result(const Codec& codec, const char* data, const Candidate& candidate,
                        PyObject* const* args);
// The result first, then the outputs; one alone is not wrapped.
PyObject* collect_results(const Candidate& candidate, const char* frame, PyObject* const* args);
PyObject* raise_shim_error(const ShimError& error);

}  // namespace samebytes
