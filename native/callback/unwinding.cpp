// Goes up the stack before anything is thrown: std::terminate, once called, cannot be undone. The tables that
// it reads are those of unwinding itself (LSB, Itanium C++ ABI: Exception Handling).
#include "callback/unwinding.hpp"

#include <dlfcn.h>
#include <link.h>
#include <unwind.h>

#include <new>
#include <unordered_map>
#include <vector>

#include "call/pending.hpp"
#include "call/scope.hpp"

extern "C" {
// Of libgcc, which declares them in no header of its own.
struct samebytes_bases {
  void *text, *data, *function;
};
const void* _Unwind_Find_FDE(void* address, samebytes_bases* bases);
// The routine of libstdc++ that reads a frame's table: what this core throws is its kind of exception.
int __gxx_personality_v0(...);
}

namespace samebytes {

namespace {

struct Frame {
  uintptr_t at;     // in the call that the exception leaves
  uintptr_t start;  // of the function
  uintptr_t table;  // of its landing pads; 0: none
};

struct Verdict {
  Leaving leaving;
  uintptr_t personality;  // of what has a table, else 0
};

constexpr size_t kDeepest = 4096;  // frames

const link_map* library_of(uintptr_t address, Dl_info& info) {
  void* map = nullptr;
  const bool found = dladdr1(reinterpret_cast<void*>(address), &info, &map, RTLD_DL_LINKMAP);
  return found ? static_cast<const link_map*>(map) : nullptr;
}

struct Walk {
  std::vector<Frame> frames;
  const char* end;
};

_Unwind_Reason_Code step(_Unwind_Context* context, void* to) try {
  Walk& walk = *static_cast<Walk*>(to);
  if (reinterpret_cast<const char*>(_Unwind_GetCFA(context)) > walk.end || walk.frames.size() == kDeepest)
    return _URC_NORMAL_STOP;
  int before = 0;
  const uintptr_t address = _Unwind_GetIPInfo(context, &before);
  walk.frames.push_back({before ? address : address - 1, _Unwind_GetRegionStart(context),
                         reinterpret_cast<uintptr_t>(_Unwind_GetLanguageSpecificData(context))});
  return _URC_NO_REASON;
} catch (const std::bad_alloc&) {
  return _URC_NORMAL_STOP;
}

// Null: Python could not tell; what it raised is no news beside the callback's own exception.
Ref asked(const CallbackPlan& plan, const Frame& frame) {
  Dl_info info{};
  const link_map* const library = library_of(frame.at, info);
  samebytes_bases bases{};
  const void* const entry = _Unwind_Find_FDE(reinterpret_cast<void*>(frame.at), &bases);
  if (!library || !entry || !info.dli_fname) return {};
  const Ref path = Ref::steal(PyUnicode_DecodeFSDefault(info.dli_fname));
  if (!path) return {};
  return Ref::steal(PyObject_CallFunction(
      plan.frames, "OKKKKK", path.get(), static_cast<unsigned long long>(library->l_addr),
      static_cast<unsigned long long>(frame.at), static_cast<unsigned long long>(frame.start),
      static_cast<unsigned long long>(frame.table),
      static_cast<unsigned long long>(reinterpret_cast<uintptr_t>(entry))));
}

// Ctrl-C is told: PendingException has it reported.
void forget_failure() {
  if (PyErr_Occurred() && PyErr_ExceptionMatches(PyExc_Exception)) PyErr_Clear();
}

// Of code that stays loaded, as libraries with callbacks do.
std::unordered_map<uintptr_t, Verdict>& known_verdicts() {
  static auto* const all = new std::unordered_map<uintptr_t, Verdict>;
  return *all;
}

Verdict verdict_on(const CallbackPlan& plan, const Frame& frame) {
  auto& known = known_verdicts();
  if (const auto found = known.find(frame.at); found != known.end()) return found->second;
  Verdict verdict{Leaving::unknown, 0};
  int leaving = 0;
  unsigned long long personality = 0;
  const Ref answer = asked(plan, frame);
  if (!answer || !PyArg_ParseTuple(answer.get(), "iK", &leaving, &personality))
    return forget_failure(), verdict;  // the next time it may tell: memory or the stack was short
  return known[frame.at] = {static_cast<Leaving>(leaving), static_cast<uintptr_t>(personality)};
}

bool is_own(const Frame& frame) {
  static const link_map* const own = [] {
    Dl_info info{};
    return library_of(reinterpret_cast<uintptr_t>(&known_verdicts), info);
  }();
  Dl_info info{};
  return library_of(frame.at, info) == own;
}

}  // namespace

Leaving fate_of_throw(const CallbackPlan& plan, Thrower thrower) try {
  const char* const end = static_cast<const char*>(scope_place());
  if (!end || plan.frames == Py_None) return Leaving::ends;
  const PendingException pending;
  Walk walk{{}, end};
  _Unwind_Backtrace(step, &walk);
  size_t first = 0;
  while (first < walk.frames.size() && is_own(walk.frames[first])) ++first;
  uintptr_t runtime = thrower == Thrower::common ? reinterpret_cast<uintptr_t>(&__gxx_personality_v0) : 0;
  for (size_t i = first; i < walk.frames.size(); ++i) {
    const Verdict verdict = verdict_on(plan, walk.frames[i]);
    if (!runtime) runtime = verdict.personality;
    if (verdict.personality && verdict.personality != runtime) return Leaving::ends;
    if (verdict.leaving != Leaving::passes) return verdict.leaving;
  }
  return Leaving::unknown;
} catch (const std::bad_alloc&) {
  return Leaving::unknown;
}

}  // namespace samebytes
