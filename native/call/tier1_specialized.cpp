// The first tier of calls: code for the very kinds of the arguments. Each is a number, an array of NumPy or
// an object by its address, checked and put in place without a call. What does not fit goes to the second
// tier.
#include "call/tier1_specialized.hpp"

#include <type_traits>
#include <utility>

namespace samebytes {

namespace {

// What is known of the arguments' kinds when a function is compiled.
struct Nothing {
  static constexpr bool arrays = true;  // the others may be arrays
  static constexpr SpecializedKind at(int) { return SpecializedKind::no; }
};

template <int Led, SpecializedKind Kind>
struct Leading {
  static constexpr bool arrays = false;
  static constexpr SpecializedKind at(int i) { return i < Led ? Kind : SpecializedKind::no; }
};

template <SpecializedKind First, SpecializedKind Second>
struct Both {
  static constexpr bool arrays = false;
  static constexpr SpecializedKind at(int i) { return i ? Second : First; }
};

// Whether nothing but numbers is among the arguments, so that nobody asks what such a call uses.
template <class Known>
constexpr bool only_numbers(int count) {
  for (int i = 0; i < count; ++i)
    if (Known::at(i) < SpecializedKind::float64 || Known::at(i) > SpecializedKind::int64) return false;
  return true;
}

template <int Count, bool Arrays, class Known>
SAMEBYTES_INLINE PyObject* specialized(Plan& plan, const Candidate& candidate, PyObject* const* args,
                                       const Call* call, ResultPassing passing) {
  constexpr int slot_size = Arrays ? kArraySlot : sizeof(int64_t);
  alignas(16) char frame[Count * slot_size];
  void* argv[Count + 2];
#pragma GCC unroll 8
  for (int i = 0; i < Count; ++i) {
    char* slot = frame + i * slot_size;
    argv[i] = slot;
    const SpecializedKind known = Known::at(i);
    const bool fits =
        known != SpecializedKind::no
            ? accept_specialized<Arrays>(candidate, known, i, args[i], slot, argv[i])
            : accept_specialized < Arrays &&
                  Known::arrays > (candidate, candidate.tiers.specialized[i], i, args[i], slot, argv[i]);
    if (unlikely(!fits)) return candidate.tiers.unrolled(plan, candidate, args, call);
  }
  const std::conditional_t<only_numbers<Known>(Count), Unseen, Running> running(args, Count, nullptr,
                                                                                &candidate);
  return finish<Count, false>(candidate, passing, argv, running);
}

template <int Count, bool Arrays>
PyObject* run_specialized(Plan& plan, const Candidate& candidate, PyObject* const* args, const Call* call) {
  return specialized<Count, Arrays, Nothing>(plan, candidate, args, call, candidate.result.passing);
}

template <int Count, bool Arrays, class Known = Nothing>
PyObject* call_specialized(PyObject* self, PyObject* const* args, Py_ssize_t nargs, PyObject* kwnames) {
  if (unlikely(nargs != Count || kwnames)) return plan_call(self, args, nargs, kwnames);
  Plan& plan = *reinterpret_cast<Plan*>(self);
  const Candidate& candidate = *plan.candidates;
  return specialized<Count, Arrays, Known>(plan, candidate, args, nullptr, candidate.result.passing);
}

// One argument and a result, both known.
template <SpecializedKind Kind, ResultPassing Passing>
PyObject* call_one(PyObject* self, PyObject* const* args, Py_ssize_t nargs, PyObject* kwnames) {
  if (unlikely(nargs != 1 || kwnames)) return plan_call(self, args, nargs, kwnames);
  Plan& plan = *reinterpret_cast<Plan*>(self);
  return specialized<1, (Kind <= SpecializedKind::pointer), Leading<1, Kind>>(plan, *plan.candidates, args,
                                                                              nullptr, Passing);
}

// An object of another class that is accepted, in place of the one that is due.
template <ResultPassing Back>
__attribute__((noinline)) PyObject* call_accepted(Plan& plan, const Candidate& candidate,
                                                  PyObject* const* args) {
  const Input& input = candidate.inputs[0];
  alignas(16) char slot[kArraySlot];
  void* argv[3] = {slot};
  const bool may =
      input.passing == Passing::structure && input.align_mask < 16 && input.codec->size <= kArraySlot;
  if (may && lend(input, args[0], slot, argv[0]) && may_lend(input, args[0])) {
    const Running running(args, 1, nullptr, &candidate);
    return finish<1, false>(candidate, Back, argv, running);
  }
  return candidate.tiers.unrolled(plan, candidate, args, nullptr);
}

// A tuple of numbers. Apart, so that objects save no registers for it.
template <ResultPassing Back>
__attribute__((noinline)) PyObject* call_fields(Plan& plan, const Candidate& candidate,
                                                PyObject* const* args) {
  if (!PyTuple_CheckExact(args[0])) return call_accepted<Back>(plan, candidate, args);
  const Input& input = candidate.inputs[0];
  alignas(16) char slot[kArraySlot];
  void* argv[3] = {slot};
  const bool may =
      input.passing == Passing::structure && input.align_mask < 16 && input.codec->size <= kArraySlot;
  if (may && accept_tuple(*input.codec, args[0], slot))
    return finish<1, false>(candidate, Back, argv, Unseen(args, 1, nullptr, &candidate));
  return PyErr_Occurred() ? nullptr : candidate.tiers.unrolled(plan, candidate, args, nullptr);
}

// One object, or a tuple, and a result that is known.
template <ResultPassing Back>
PyObject* call_object(PyObject* self, PyObject* const* args, Py_ssize_t nargs, PyObject* kwnames) {
  if (unlikely(nargs != 1 || kwnames)) return plan_call(self, args, nargs, kwnames);
  Plan& plan = *reinterpret_cast<Plan*>(self);
  const Candidate& candidate = *plan.candidates;
  void* argv[3];
  if (likely(accept_specialized<false>(candidate, SpecializedKind::object, 0, args[0], nullptr, argv[0]))) {
    const Running running(args, 1, nullptr, &candidate);
    return finish<1, false>(candidate, Back, argv, running);
  }
  return call_fields<Back>(plan, candidate, args);
}

// --- tables of functions, by what is known ---

using Counts = std::make_integer_sequence<int, kMostUnrolled>;
struct Entries {
  Entry at[kMostUnrolled];  // by the number of arguments, less one
};

template <bool Arrays, int... I>
constexpr Entries entries(std::integer_sequence<int, I...>) {
  return {{{run_specialized<I + 1, Arrays>, call_specialized<I + 1, Arrays>}...}};
}

constexpr Entries kSpecialized = entries<false>(Counts()), kSpecializedArrays = entries<true>(Counts());

template <SpecializedKind Kind>
constexpr CallFunction kOneOf[] = {
    call_one<Kind, ResultPassing::none>, call_one<Kind, ResultPassing::float64>,
    call_one<Kind, ResultPassing::float32>, call_one<Kind, ResultPassing::int32>};
template <>
constexpr CallFunction kOneOf<SpecializedKind::object>[] = {
    call_object<ResultPassing::none>, call_object<ResultPassing::float64>,
    call_object<ResultPassing::float32>, call_object<ResultPassing::int32>};
// By SpecializedKind and ResultPassing.
constexpr const CallFunction* kOne[] = {kOneOf<SpecializedKind::line>,    kOneOf<SpecializedKind::grid>,
                                        kOneOf<SpecializedKind::pointer>, kOneOf<SpecializedKind::float64>,
                                        kOneOf<SpecializedKind::float32>, kOneOf<SpecializedKind::int32>,
                                        kOneOf<SpecializedKind::int64>,   kOneOf<SpecializedKind::object>};

template <SpecializedKind First>
constexpr CallFunction kNumberAnd[] = {call_specialized<2, false, Both<First, SpecializedKind::float64>>,
                                       call_specialized<2, false, Both<First, SpecializedKind::float32>>,
                                       call_specialized<2, false, Both<First, SpecializedKind::int32>>,
                                       call_specialized<2, false, Both<First, SpecializedKind::int64>>};
// Two numbers, by SpecializedKind.
constexpr const CallFunction* kNumbers[] = {
    kNumberAnd<SpecializedKind::float64>, kNumberAnd<SpecializedKind::float32>,
    kNumberAnd<SpecializedKind::int32>, kNumberAnd<SpecializedKind::int64>};

constexpr int kMostLed = 4;  // arrays of one kind, and after them none: f(x, y, out, n, scale)
struct Calls {
  CallFunction at[kMostUnrolled];
};

template <SpecializedKind Kind, int Led, int... I>
constexpr Calls led(std::integer_sequence<int, I...>) {
  return {{call_specialized<(I + 1 < Led ? Led : I + 1), true, Leading<Led, Kind>>...}};
}

// By the number of arrays and that of arguments, each less one.
template <SpecializedKind Kind>
constexpr Calls kLed[kMostLed] = {led<Kind, 1>(Counts()), led<Kind, 2>(Counts()), led<Kind, 3>(Counts()),
                                  led<Kind, 4>(Counts())};

// How many arrays of the first's kind come first, if no other array follows; else 0.
int leading_arrays(const Candidate& candidate) {
  const SpecializedKind kind = candidate.tiers.specialized[0];
  if (kind != SpecializedKind::line && kind != SpecializedKind::pointer) return 0;
  int led = 0;
  for (int i = 0; i < candidate.input_count; ++i) {
    if (candidate.tiers.specialized[i] > SpecializedKind::pointer) continue;
    if (candidate.tiers.specialized[i] != kind || led != i) return 0;
    ++led;
  }
  return led <= kMostLed ? led : 0;
}

bool is_number(SpecializedKind kind) {
  return kind >= SpecializedKind::float64 && kind <= SpecializedKind::int64;
}
int number(SpecializedKind kind) {
  return static_cast<int>(kind) - static_cast<int>(SpecializedKind::float64);
}

// The function for what is known of a candidate; null: nothing that helps.
CallFunction known_call(const Candidate& candidate) {
  const int count = candidate.input_count;
  const SpecializedKind first = candidate.tiers.specialized[0];
  if (count == 1) {
    const int passing = static_cast<int>(candidate.result.passing);
    return candidate.result.passing <= ResultPassing::int32 ? kOne[static_cast<int>(first)][passing]
                                                            : nullptr;
  }
  if (const int led = leading_arrays(candidate))
    return (first == SpecializedKind::line ? kLed<SpecializedKind::line>
                                           : kLed<SpecializedKind::pointer>)[led - 1]
        .at[count - 1];
  if (count == 2 && is_number(first) && is_number(candidate.tiers.specialized[1]))
    return kNumbers[number(first)][number(candidate.tiers.specialized[1])];
  return nullptr;
}

}  // namespace

SpecializedKind specialized_kind(const Input& input) {
  if (input.passing == Passing::pointer) return SpecializedKind::pointer;
  if (input.passing == Passing::array && input.codec->size <= kArraySlot && input.codec->array.ndim)
    return input.codec->array.ndim == 1 ? SpecializedKind::line : SpecializedKind::grid;
  const bool lent = input.passing == Passing::structure && !(input.flags & kCopy);
  if (input.python && (input.passing == Passing::address || lent)) return SpecializedKind::object;
  switch (input.kind) {
    case Kind::float64:
      return SpecializedKind::float64;
    case Kind::float32:
      return SpecializedKind::float32;
    case Kind::int32:
      return SpecializedKind::int32;
    case Kind::int64:
      return SpecializedKind::int64;
    default:
      return SpecializedKind::no;
  }
}

Entry specialized_entry(const Candidate& candidate, bool arrays) {
  Entry chosen = (arrays ? kSpecializedArrays : kSpecialized).at[candidate.input_count - 1];
  if (const CallFunction known = known_call(candidate)) chosen.call = known;
  return chosen;
}

}  // namespace samebytes
