// The second tier of calls, and the choice between the first three. The first (call/tier1_specialized.cpp)
// takes a few kinds of argument, calls nothing before the shim, and knows its frame when compiled. This one,
// unrolled for each number of arguments, takes more; call/tier3_general.cpp takes all. Whatever turns up that
// a tier does not take goes to the next, which starts over: nothing has effects before the shim runs.
#include "call/tier2_unrolled.hpp"

#include "call/scope.hpp"
#include "call/unlocked.hpp"

namespace samebytes {

bool accept_rare(Kind kind, PyTypeObject* scalar, PyObject* object, char* slot) {
  return encode_number(kind, scalar, object, slot) == Match::yes;
}

bool accept_any_tuple(const Codec& codec, PyObject* object, char* slot) {
  CallResources resources;
  return !codec.has_pointers && encode_structure(codec, object, slot, resources) == Match::yes;
}

PyObject* give_rare(const Candidate& candidate, const char* data) {
  return decode_number(candidate.result.codec->kind, data);
}

namespace {

SAMEBYTES_INLINE bool accept_structure(const Input& input, PyObject* object, char* slot, void*& where) {
  if (Py_TYPE(object) != input.python && PyTuple_CheckExact(object))
    return accept_tuple(*input.codec, object, slot);
  return lend(input, object, slot, where) && may_lend(input, object);
}

SAMEBYTES_INLINE bool accept_array(Input& input, PyObject* object, char* slot, CallResources& resources) {
  const ArraySpec& spec = input.codec->array;
  ArrayRef array;
  if (input.passing == Passing::array) {
    array.shape = reinterpret_cast<int64_t*>(slot + sizeof(void*));
    array.strides = array.shape + spec.ndim;
  }
  const bool known = input.route.last.load(std::memory_order_acquire)->type == Py_TYPE(object);
  if (unlikely(!known && input.passing == Passing::pointer))
    return false;  // None, a Pointer, a record, another array
  if (unlikely(match_array(spec, object, input.route, array, resources) != Match::yes)) return false;
  return store(slot, array.data), true;
}

struct NoResources {};
CallResources* held_by(NoResources&) { return nullptr; }
CallResources* held_by(CallResources& resources) { return &resources; }

SAMEBYTES_INLINE bool is_settled(const Candidate&, PyObject* const*, char*, NoResources&) { return true; }

// Where an exporter's code has run, or C++ writes to a tensor. Arrays are read again: nothing locks them.
__attribute__((noinline)) bool settle_unrolled(const Candidate& candidate, PyObject* const* args, char* frame,
                                               CallResources& resources) {
  for (int i = 0; resources.is_stirred() && i < candidate.input_count; ++i) {
    Input& input = candidate.inputs[i];
    if (input.passing != Passing::pointer && input.passing != Passing::array) continue;
    const Route& route = route_of(input.route, args[i]);
    const MatchFunction match = route.match.load(std::memory_order_acquire);
    if (keeps_memory(match)) continue;
    if (match == match_exchange && candidate.input_count > 1) return false;  // its producer's code runs again
    if (match != match_exchange && !accept_array(input, args[i], frame + input.offset, resources))
      return false;
    if (!note(args[i], route, resources)) return false;
  }
  PyObject* moved;
  if (!settle(resources, &moved)) return false;
  raise_versions(resources);
  return true;
}

SAMEBYTES_INLINE bool is_settled(const Candidate& candidate, PyObject* const* args, char* frame,
                                 CallResources& resources) {
  return likely(!resources.is_open()) || settle_unrolled(candidate, args, frame, resources);
}

SAMEBYTES_INLINE bool accept(Input& input, PyObject* object, char* slot, void*& where, NoResources&) {
  if (likely(input.passing == Passing::number)) return accept_number(input.kind, input.scalar, object, slot);
  if (input.passing == Passing::address) return accept_object(input, object, where);
  return accept_structure(input, object, slot, where);
}

SAMEBYTES_INLINE bool accept(Input& input, PyObject* object, char* slot, void*& where,
                             CallResources& resources) {
  if (input.passing == Passing::number) return accept_number(input.kind, input.scalar, object, slot);
  if (input.passing == Passing::address) return accept_object(input, object, where);
  if (unlikely(input.passing == Passing::structure)) {
    if (unlikely(!input.codec->plain)) resources.stir();  // attributes of enumerators are read
    return accept_structure(input, object, slot, where);
  }
  return accept_array(input, object, slot, resources);
}

template <int Count, class Holder>
__attribute__((noinline)) PyObject* run_unrolled(Plan& plan, const Candidate& candidate,
                                                 PyObject* const* args, const Call* call) {
  alignas(kUnrolledAlign) char frame[kUnrolledFrame];
  void* argv[Count + 2];
  {
    Holder resources;
    // The block ends before the next tier starts over: buffers are unlocked, and this is no second call any
    // more that uses the same objects.
    const Running running(args, Count, held_by(resources), &candidate);
    Input* const inputs = candidate.inputs;
#pragma GCC unroll 8
    for (int i = 0; i < Count; ++i) {
      char* slot = frame + inputs[i].offset;
      argv[i] = slot;
      if (unlikely(!accept(inputs[i], args[i], slot, argv[i], resources))) goto any;
    }
    if (!is_settled(candidate, args, frame, resources)) goto any;
    return finish<Count, true>(candidate, candidate.result.passing, argv, running);
  }
any:
  return PyErr_Occurred() ? nullptr : run_general(plan, candidate, args, call);
}

template <int Count, class Holder>
PyObject* call_unrolled(PyObject* self, PyObject* const* args, Py_ssize_t nargs, PyObject* kwnames) {
  if (unlikely(nargs != Count || kwnames)) return plan_call(self, args, nargs, kwnames);
  Plan& plan = *reinterpret_cast<Plan*>(self);
  return run_unrolled<Count, Holder>(plan, *plan.candidates, args, nullptr);
}

template <int Count, class Holder>
constexpr Entry entry = {run_unrolled<Count, Holder>, call_unrolled<Count, Holder>};

// By number of arguments, less one.
constexpr Entry kUnrolled[kMostUnrolled] = {
    entry<1, NoResources>, entry<2, NoResources>, entry<3, NoResources>, entry<4, NoResources>,
    entry<5, NoResources>, entry<6, NoResources>, entry<7, NoResources>, entry<8, NoResources>};
constexpr Entry kUnrolledArrays[kMostUnrolled] = {
    entry<1, CallResources>, entry<2, CallResources>, entry<3, CallResources>, entry<4, CallResources>,
    entry<5, CallResources>, entry<6, CallResources>, entry<7, CallResources>, entry<8, CallResources>};

const Entry& unrolled_entry(int count, bool arrays) {
  return (arrays ? kUnrolledArrays : kUnrolled)[count - 1];
}

ResultPassing result_passing(const Codec* result) {
  if (!result) return ResultPassing::none;
  if (result->kind == Kind::float64) return ResultPassing::float64;
  if (result->kind == Kind::float32) return ResultPassing::float32;
  if (result->kind == Kind::int32) return ResultPassing::int32;
  return is_number(result->kind) ? ResultPassing::number : ResultPassing::other;
}

void choose_tier(Candidate& candidate) {
  candidate.tiers.run = run_general;
  candidate.tiers.path = "general";
  candidate.tiers.call = plan_call;
  candidate.result.passing = result_passing(candidate.result.codec);
  const int count = candidate.input_count;
  if (candidate.result.is_tuple || candidate.result.finish || candidate.outputs.has_extras ||
      candidate.result.is_first_argument || candidate.lifetime.object_refers ||
      candidate.lifetime.takes_over || candidate.code.is_exclusive || candidate.lifetime.pairs ||
      candidate.frame.size > kUnrolledFrame || candidate.frame.align > kUnrolledAlign)
    return;
  if (!count || count > kMostUnrolled) return;
  bool arrays = false, specialized = !candidate.code.releases_gil;
  for (int i = 0; i < count; ++i) {
    const Input& input = candidate.inputs[i];
    const bool object =
        input.passing == Passing::address && input.python && !input.holds && is_record_class(input.python);
    if (input.passing == Passing::other || input.passing == Passing::made || input.argv != i) return;
    if (input.passing == Passing::address && !object) return;
    arrays |= input.passing == Passing::pointer || input.passing == Passing::array;
    candidate.tiers.specialized[i] = specialized_kind(input);
    candidate.tiers.specs[i] = &input.codec->array;
    specialized &= candidate.tiers.specialized[i] != SpecializedKind::no;
  }
  const Entry& unrolled = unrolled_entry(count, arrays);
  const Entry chosen = specialized ? specialized_entry(candidate, arrays) : unrolled;
  candidate.tiers.unrolled = unrolled.run;
  candidate.tiers.path = specialized ? "shortest" : "short";
  candidate.tiers.run = chosen.run;
  candidate.tiers.call = chosen.call;
}

// A step is one of the iteration, which its elements refer to: what ends the loop, they do not keep.
PyObject* run_step(Plan& plan, const Candidate& candidate, PyObject* const* args, const Call*) {
  const Ref iteration = Ref::borrow(steps_of(args[0]));
  PyObject* const given[] = {iteration.get()};
  return candidate.tiers.iteration.run(plan, candidate, given, nullptr);
}

PyObject* call_step(PyObject* self, PyObject* const* args, Py_ssize_t nargs, PyObject* kwnames) {
  if (unlikely(nargs != 1 || kwnames)) return plan_call(self, args, nargs, kwnames);
  const Ref iteration = Ref::borrow(steps_of(args[0]));
  PyObject* const given[] = {iteration.get()};
  return reinterpret_cast<Plan*>(self)->candidates->tiers.iteration.call(self, given, 1, nullptr);
}

void run_steps(Candidate& candidate) {
  candidate.tiers.iteration = {candidate.tiers.run, candidate.tiers.call};
  if (candidate.tiers.call != plan_call) candidate.tiers.call = call_step;
  candidate.tiers.run = run_step;
}

}  // namespace

void choose_run(Candidate& candidate) {
  choose_tier(candidate);
  if (candidate.code.steps_iteration) run_steps(candidate);
  if (candidate.later) wait_for_shim(candidate);
  if (candidate.code.calls_back) run_in_scope(candidate);
}

void run_in_scope(Candidate& candidate) {
  if (candidate.tiers.run == run_calling_back) return;
  candidate.tiers.in_scope = {candidate.tiers.run, candidate.tiers.call};
  if (candidate.tiers.call != plan_call) candidate.tiers.call = call_calling_back;
  candidate.tiers.run = run_calling_back;
}

}  // namespace samebytes
