// The calls that must cost next to nothing, in two steps. A lean call (call/lean.cpp) takes a few kinds of
// argument, calls nothing before the shim, and knows its frame when compiled. A direct call takes more.
// Whatever turns up that a step does not take goes to the next, which starts over: nothing has effects before
// the shim runs.
#include "call/direct.hpp"

#include "call/scope.hpp"
#include "call/unlocked.hpp"

namespace samebytes {

bool accept_rare(Kind kind, PyTypeObject* scalar, PyObject* object, char* slot) {
  return encode_number(kind, scalar, object, slot) == Match::yes;
}

bool accept_any_tuple(const Codec& codec, PyObject* object, char* slot) {
  Keep keep;
  return !codec.has_pointers && encode_structure(codec, object, slot, keep) == Match::yes;
}

PyObject* give_rare(const Candidate& candidate, const char* data) {
  return decode_number(candidate.result->kind, data);
}

namespace {

SAMEBYTES_INLINE bool accept_structure(const Input& input, PyObject* object, char* slot, void*& where) {
  if (likely(Py_TYPE(object) == input.python)) return lend(input, object, slot, where);
  if (PyTuple_CheckExact(object)) return accept_tuple(*input.codec, object, slot);
  return lend(input, object, slot, where);
}

SAMEBYTES_INLINE bool accept_array(Input& input, PyObject* object, char* slot, Keep& keep) {
  const ArraySpec& spec = input.codec->array;
  ArrayRef array;
  if (input.way == Way::array) {
    array.shape = reinterpret_cast<int64_t*>(slot + sizeof(void*));
    array.strides = array.shape + spec.ndim;
  }
  const bool known = input.route.last.load(std::memory_order_acquire)->type == Py_TYPE(object);
  if (unlikely(!known && input.way == Way::pointer))
    return false;  // None, a Pointer, a record, another array
  if (unlikely(match_array(spec, object, input.route, array, keep) != Match::yes)) return false;
  return store(slot, array.data), true;
}

struct NoKeep {};
const Keep* held_by(const NoKeep&) { return nullptr; }
const Keep* held_by(const Keep& keep) { return &keep; }

SAMEBYTES_INLINE bool is_settled(const Candidate&, PyObject* const*, char*, NoKeep&) { return true; }

// Where an exporter's code has run, or C++ writes to a tensor. Arrays are read again: nothing locks them.
__attribute__((noinline)) bool settle_direct(const Candidate& candidate, PyObject* const* args, char* frame,
                                             Keep& keep) {
  for (int i = 0; keep.is_stirred() && i < candidate.input_count; ++i) {
    Input& input = candidate.inputs[i];
    if (input.way != Way::pointer && input.way != Way::array) continue;
    const Route& route = route_of(input.route, args[i]);
    const MatchFunction match = route.match.load(std::memory_order_acquire);
    if (keeps_memory(match)) continue;
    if (match == match_exchange && candidate.input_count > 1) return false;  // its producer's code runs again
    if (match != match_exchange && !accept_array(input, args[i], frame + input.offset, keep)) return false;
    if (!note(args[i], route, keep)) return false;
  }
  PyObject* moved;
  if (!settle(keep, &moved)) return false;
  raise_versions(keep);
  return true;
}

SAMEBYTES_INLINE bool is_settled(const Candidate& candidate, PyObject* const* args, char* frame, Keep& keep) {
  return likely(!keep.is_open()) || settle_direct(candidate, args, frame, keep);
}

SAMEBYTES_INLINE bool accept(Input& input, PyObject* object, char* slot, void*& where, NoKeep&) {
  if (likely(input.way == Way::number)) return accept_number(input.kind, input.scalar, object, slot);
  if (input.way == Way::address) return accept_object(input, object, where);
  return accept_structure(input, object, slot, where);
}

SAMEBYTES_INLINE bool accept(Input& input, PyObject* object, char* slot, void*& where, Keep& keep) {
  if (input.way == Way::number) return accept_number(input.kind, input.scalar, object, slot);
  if (input.way == Way::address) return accept_object(input, object, where);
  if (unlikely(input.way == Way::structure)) {
    if (unlikely(!input.codec->plain)) keep.stir();  // attributes of enumerators are read
    return accept_structure(input, object, slot, where);
  }
  return accept_array(input, object, slot, keep);
}

template <int Count, class Holder>
__attribute__((noinline)) PyObject* run_direct(Plan& plan, const Candidate& candidate, PyObject* const* args,
                                               const Call* call) {
  alignas(kDirectAlign) char frame[kDirectFrame];
  void* argv[Count + 2];
  {
    Holder keep;
    const Running running(args, Count, held_by(keep));
    Input* const inputs = candidate.inputs;
#pragma GCC unroll 8
    for (int i = 0; i < Count; ++i) {
      char* slot = frame + inputs[i].offset;
      argv[i] = slot;
      if (unlikely(!accept(inputs[i], args[i], slot, argv[i], keep))) goto any;
    }
    if (!is_settled(candidate, args, frame, keep)) goto any;
    return finish<Count, true>(candidate, candidate.way_back, argv);
  }
any:
  return PyErr_Occurred() ? nullptr : run_any(plan, candidate, args, call);
}

template <int Count, class Holder>
PyObject* call_direct(PyObject* self, PyObject* const* args, Py_ssize_t nargs, PyObject* kwnames) {
  if (unlikely(nargs != Count || kwnames)) return plan_call(self, args, nargs, kwnames);
  Plan& plan = *reinterpret_cast<Plan*>(self);
  return run_direct<Count, Holder>(plan, *plan.candidates, args, nullptr);
}

template <int Count, class Holder>
constexpr Entry entry = {run_direct<Count, Holder>, call_direct<Count, Holder>};

// By number of arguments, less one.
constexpr Entry kDirect[kMostLean] = {entry<1, NoKeep>, entry<2, NoKeep>, entry<3, NoKeep>, entry<4, NoKeep>,
                                      entry<5, NoKeep>, entry<6, NoKeep>, entry<7, NoKeep>, entry<8, NoKeep>};
constexpr Entry kDirectArrays[kMostLean] = {entry<1, Keep>, entry<2, Keep>, entry<3, Keep>, entry<4, Keep>,
                                            entry<5, Keep>, entry<6, Keep>, entry<7, Keep>, entry<8, Keep>};

const Entry& direct_entry(int count, bool arrays) { return (arrays ? kDirectArrays : kDirect)[count - 1]; }

WayBack way_back(const Codec* result) {
  if (!result) return WayBack::none;
  if (result->kind == Kind::float64) return WayBack::float64;
  if (result->kind == Kind::float32) return WayBack::float32;
  if (result->kind == Kind::int32) return WayBack::int32;
  return is_number(result->kind) ? WayBack::number : WayBack::other;
}

void choose_shortest(Candidate& candidate) {
  candidate.run = run_any;
  candidate.path = "general";
  candidate.call = plan_call;
  candidate.way_back = way_back(candidate.result);
  const int count = candidate.input_count;
  if (candidate.packs || candidate.finish || candidate.extras || candidate.in_place || candidate.keeps ||
      candidate.claims || candidate.exclusive || candidate.frame_size > kDirectFrame ||
      candidate.frame_align > kDirectAlign)
    return;
  if (!count || count > kMostLean) return;
  bool arrays = false, lean = !candidate.nogil;
  for (int i = 0; i < count; ++i) {
    const Input& input = candidate.inputs[i];
    const bool object =
        input.way == Way::address && input.python && !input.holds && is_record_class(input.python);
    if (input.way == Way::other || input.way == Way::made || input.argv != i) return;
    if (input.way == Way::address && !object) return;
    arrays |= input.way == Way::pointer || input.way == Way::array;
    candidate.lean[i] = lean_code(input);
    candidate.specs[i] = &input.codec->array;
    lean &= candidate.lean[i] != Lean::no;
  }
  const Entry& direct = direct_entry(count, arrays);
  const Entry chosen = lean ? lean_entry(candidate, arrays) : direct;
  candidate.direct = direct.run;
  candidate.path = lean ? "shortest" : "short";
  candidate.run = chosen.run;
  candidate.call = chosen.call;
}

}  // namespace

void choose_run(Candidate& candidate) {
  choose_shortest(candidate);
  if (!candidate.calls_back) return;
  candidate.inside = {candidate.run, candidate.call};
  if (candidate.call != plan_call) candidate.call = call_calling_back;
  candidate.run = run_calling_back;
}

}  // namespace samebytes
