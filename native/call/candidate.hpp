// Builds, visits and frees one candidate of a plan.
#pragma once
#include "call/plan.hpp"

namespace samebytes {

// Fills a zeroed candidate from Python's dictionary. False: exception set; free_candidate() is still due.
bool build_candidate(Candidate& candidate, PyObject* description);
int visit_candidate(const Candidate& candidate, visitproc visit, void* arg);
void free_candidate(Candidate& candidate);

}  // namespace samebytes
