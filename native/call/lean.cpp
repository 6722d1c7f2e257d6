// The shortest calls: every argument is a number, an array of NumPy or an object by its address, checked and
// put in place without a call. What does not fit goes to the direct step (call/direct.cpp).
#include "call/lean.hpp"

#include <type_traits>
#include <utility>

namespace samebytes {

namespace {

// What is known of the arguments' kinds when a function is compiled.
struct Nothing {
  static constexpr bool arrays = true;  // the others may be arrays
  static constexpr Lean at(int) { return Lean::no; }
};

template <int Led, Lean Kind>
struct Leading {
  static constexpr bool arrays = false;
  static constexpr Lean at(int i) { return i < Led ? Kind : Lean::no; }
};

template <Lean First, Lean Second>
struct Both {
  static constexpr bool arrays = false;
  static constexpr Lean at(int i) { return i ? Second : First; }
};

// Whether nothing but numbers is among the arguments, so that nobody asks what such a call uses.
template <class Known>
constexpr bool only_numbers(int count) {
  for (int i = 0; i < count; ++i)
    if (Known::at(i) < Lean::float64 || Known::at(i) > Lean::int64) return false;
  return true;
}

struct Unseen {
  Unseen(PyObject* const*, Py_ssize_t, const Keep*) {}
};

template <int Count, bool Arrays, class Known>
SAMEBYTES_INLINE PyObject* lean(Plan& plan, const Candidate& candidate, PyObject* const* args,
                                const Call* call, WayBack way) {
  constexpr int slot_size = Arrays ? kLeanArraySlot : sizeof(int64_t);
  alignas(16) char frame[Count * slot_size];
  void* argv[Count + 2];
#pragma GCC unroll 8
  for (int i = 0; i < Count; ++i) {
    char* slot = frame + i * slot_size;
    argv[i] = slot;
    const Lean known = Known::at(i);
    const bool fits = known != Lean::no
                          ? accept_lean<Arrays>(candidate, known, i, args[i], slot, argv[i])
                          : accept_lean < Arrays &&
                                Known::arrays > (candidate, candidate.lean[i], i, args[i], slot, argv[i]);
    if (unlikely(!fits)) return candidate.direct(plan, candidate, args, call);
  }
  const std::conditional_t<only_numbers<Known>(Count), Unseen, Running> running(args, Count, nullptr);
  return finish<Count, false>(candidate, way, argv);
}

template <int Count, bool Arrays>
PyObject* run_lean(Plan& plan, const Candidate& candidate, PyObject* const* args, const Call* call) {
  return lean<Count, Arrays, Nothing>(plan, candidate, args, call, candidate.way_back);
}

template <int Count, bool Arrays, class Known = Nothing>
PyObject* call_lean(PyObject* self, PyObject* const* args, Py_ssize_t nargs, PyObject* kwnames) {
  if (unlikely(nargs != Count || kwnames)) return plan_call(self, args, nargs, kwnames);
  Plan& plan = *reinterpret_cast<Plan*>(self);
  const Candidate& candidate = *plan.candidates;
  return lean<Count, Arrays, Known>(plan, candidate, args, nullptr, candidate.way_back);
}

// One argument and a result, both known.
template <Lean Kind, WayBack Way>
PyObject* call_one(PyObject* self, PyObject* const* args, Py_ssize_t nargs, PyObject* kwnames) {
  if (unlikely(nargs != 1 || kwnames)) return plan_call(self, args, nargs, kwnames);
  Plan& plan = *reinterpret_cast<Plan*>(self);
  return lean<1, (Kind <= Lean::pointer), Leading<1, Kind>>(plan, *plan.candidates, args, nullptr, Way);
}

// An object of another class that is accepted, in place of the one that is due.
template <WayBack Back>
__attribute__((noinline)) PyObject* call_accepted(Plan& plan, const Candidate& candidate,
                                                  PyObject* const* args) {
  const Input& input = candidate.inputs[0];
  alignas(16) char slot[kLeanArraySlot];
  void* argv[3] = {slot};
  const bool may =
      input.way == Way::structure && input.align_mask < 16 && input.codec->size <= kLeanArraySlot;
  if (may && lend(input, args[0], slot, argv[0])) {
    const Running running(args, 1, nullptr);
    return finish<1, false>(candidate, Back, argv);
  }
  return candidate.direct(plan, candidate, args, nullptr);
}

// A tuple of numbers. Apart, so that objects save no registers for it.
template <WayBack Back>
__attribute__((noinline)) PyObject* call_fields(Plan& plan, const Candidate& candidate,
                                                PyObject* const* args) {
  if (!PyTuple_CheckExact(args[0])) return call_accepted<Back>(plan, candidate, args);
  const Input& input = candidate.inputs[0];
  alignas(16) char slot[kLeanArraySlot];
  void* argv[3] = {slot};
  const bool may =
      input.way == Way::structure && input.align_mask < 16 && input.codec->size <= kLeanArraySlot;
  if (may && accept_tuple(*input.codec, args[0], slot)) return finish<1, false>(candidate, Back, argv);
  return PyErr_Occurred() ? nullptr : candidate.direct(plan, candidate, args, nullptr);
}

// One object, or a tuple, and a result that is known.
template <WayBack Back>
PyObject* call_object(PyObject* self, PyObject* const* args, Py_ssize_t nargs, PyObject* kwnames) {
  if (unlikely(nargs != 1 || kwnames)) return plan_call(self, args, nargs, kwnames);
  Plan& plan = *reinterpret_cast<Plan*>(self);
  const Candidate& candidate = *plan.candidates;
  void* argv[3];
  if (likely(accept_lean<false>(candidate, Lean::object, 0, args[0], nullptr, argv[0]))) {
    const Running running(args, 1, nullptr);
    return finish<1, false>(candidate, Back, argv);
  }
  return call_fields<Back>(plan, candidate, args);
}

// --- tables of functions, by what is known ---

using Counts = std::make_integer_sequence<int, kMostLean>;
struct Entries {
  Entry at[kMostLean];  // by the number of arguments, less one
};

template <bool Arrays, int... I>
constexpr Entries entries(std::integer_sequence<int, I...>) {
  return {{{run_lean<I + 1, Arrays>, call_lean<I + 1, Arrays>}...}};
}

constexpr Entries kLean = entries<false>(Counts()), kLeanArrays = entries<true>(Counts());

template <Lean Kind>
constexpr CallFunction kOneOf[] = {call_one<Kind, WayBack::none>, call_one<Kind, WayBack::float64>,
                                   call_one<Kind, WayBack::float32>, call_one<Kind, WayBack::int32>};
template <>
constexpr CallFunction kOneOf<Lean::object>[] = {call_object<WayBack::none>, call_object<WayBack::float64>,
                                                 call_object<WayBack::float32>, call_object<WayBack::int32>};
// By Lean and WayBack.
constexpr const CallFunction* kOne[] = {kOneOf<Lean::line>,    kOneOf<Lean::grid>,    kOneOf<Lean::pointer>,
                                        kOneOf<Lean::float64>, kOneOf<Lean::float32>, kOneOf<Lean::int32>,
                                        kOneOf<Lean::int64>,   kOneOf<Lean::object>};

template <Lean First>
constexpr CallFunction kNumberAnd[] = {
    call_lean<2, false, Both<First, Lean::float64>>, call_lean<2, false, Both<First, Lean::float32>>,
    call_lean<2, false, Both<First, Lean::int32>>, call_lean<2, false, Both<First, Lean::int64>>};
// Two numbers, by Lean.
constexpr const CallFunction* kNumbers[] = {kNumberAnd<Lean::float64>, kNumberAnd<Lean::float32>,
                                            kNumberAnd<Lean::int32>, kNumberAnd<Lean::int64>};

constexpr int kMostLed = 4;  // arrays of one kind, and after them none: f(x, y, out, n, scale)
struct Calls {
  CallFunction at[kMostLean];
};

template <Lean Kind, int Led, int... I>
constexpr Calls led(std::integer_sequence<int, I...>) {
  return {{call_lean<(I + 1 < Led ? Led : I + 1), true, Leading<Led, Kind>>...}};
}

// By the number of arrays and that of arguments, each less one.
template <Lean Kind>
constexpr Calls kLed[kMostLed] = {led<Kind, 1>(Counts()), led<Kind, 2>(Counts()), led<Kind, 3>(Counts()),
                                  led<Kind, 4>(Counts())};

// How many arrays of the first's kind come first, if no other array follows; else 0.
int leading_arrays(const Candidate& candidate) {
  const Lean kind = candidate.lean[0];
  if (kind != Lean::line && kind != Lean::pointer) return 0;
  int led = 0;
  for (int i = 0; i < candidate.input_count; ++i) {
    if (candidate.lean[i] > Lean::pointer) continue;
    if (candidate.lean[i] != kind || led != i) return 0;
    ++led;
  }
  return led <= kMostLed ? led : 0;
}

bool is_number(Lean lean) { return lean >= Lean::float64 && lean <= Lean::int64; }
int number(Lean lean) { return static_cast<int>(lean) - static_cast<int>(Lean::float64); }

// The function for what is known of a candidate; null: nothing that helps.
CallFunction known_call(const Candidate& candidate) {
  const int count = candidate.input_count;
  const Lean first = candidate.lean[0];
  if (count == 1) {
    const int way = static_cast<int>(candidate.way_back);
    return candidate.way_back <= WayBack::int32 ? kOne[static_cast<int>(first)][way] : nullptr;
  }
  if (const int led = leading_arrays(candidate))
    return (first == Lean::line ? kLed<Lean::line> : kLed<Lean::pointer>)[led - 1].at[count - 1];
  if (count == 2 && is_number(first) && is_number(candidate.lean[1]))
    return kNumbers[number(first)][number(candidate.lean[1])];
  return nullptr;
}

}  // namespace

Lean lean_code(const Input& input) {
  if (input.way == Way::pointer) return Lean::pointer;
  if (input.way == Way::array && input.codec->size <= kLeanArraySlot && input.codec->array.ndim)
    return input.codec->array.ndim == 1 ? Lean::line : Lean::grid;
  const bool lent = input.way == Way::structure && !(input.flags & kCopy);
  if (input.python && (input.way == Way::address || lent)) return Lean::object;
  switch (input.kind) {
    case Kind::float64:
      return Lean::float64;
    case Kind::float32:
      return Lean::float32;
    case Kind::int32:
      return Lean::int32;
    case Kind::int64:
      return Lean::int64;
    default:
      return Lean::no;
  }
}

Entry lean_entry(const Candidate& candidate, bool arrays) {
  Entry chosen = (arrays ? kLeanArrays : kLean).at[candidate.input_count - 1];
  if (const CallFunction known = known_call(candidate)) chosen.call = known;
  return chosen;
}

}  // namespace samebytes
