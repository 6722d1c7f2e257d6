// The calls that must cost next to nothing: few arguments, unrolled, and only what is recognised at once.
// Whatever else turns up goes to run_any(), which starts over: nothing here has effects before the shim runs.
#include "call.hpp"
#include "take.hpp"

namespace samebytes {

namespace {

__attribute__((noinline)) bool accept_rare(Kind kind, PyTypeObject* scalar, PyObject* object, char* slot) {
  return encode_number(kind, scalar, object, slot) == Match::yes;
}

// Kinds are told apart by comparison, commonest first: a predicted branch costs less than a jump table.
SAMEBYTES_INLINE bool accept_number(Kind kind, PyTypeObject* scalar, PyObject* object, char* slot) {
  if (kind == Kind::float64) {
    if (likely(PyFloat_CheckExact(object))) return store(slot, PyFloat_AS_DOUBLE(object)), true;
  } else if (kind == Kind::int32 || kind == Kind::int64) {
    int64_t value;
    if (likely(PyLong_CheckExact(object) && short_int(object, value) && static_cast<int32_t>(value) == value))
      return kind == Kind::int32 ? store(slot, static_cast<int32_t>(value)) : store(slot, value), true;
  } else if (kind == Kind::float32) {
    float narrow;
    if (likely(PyFloat_CheckExact(object) && round_to_float(PyFloat_AS_DOUBLE(object), narrow)))
      return store(slot, narrow), true;
  }
  return accept_rare(kind, scalar, object, slot);
}

__attribute__((noinline)) bool accept_tuple(const Codec& codec, PyObject* object, char* slot) {
  if (codec.has_pointers || !codec.disjoint || PyTuple_GET_SIZE(object) != codec.field_count) return false;
  if (!codec.dense) std::memset(slot, 0, codec.size);
  const CodecField* field = codec.fields;
  for (Py_ssize_t i = 0; i < codec.field_count; ++i, ++field) {
    PyObject* item = PyTuple_GET_ITEM(object, i);
    if (likely(field->plain_number)) {
      if (unlikely(!accept_number(field->kind, field->codec->scalar, item, slot + field->offset)))
        return false;
    } else {
      Keep keep;
      if (encode_field(*field, item, slot, keep) != Match::yes) return false;
    }
  }
  return true;
}

SAMEBYTES_INLINE bool accept_structure(const Input& input, PyObject* object, char* slot, void*& where) {
  if (PyTuple_CheckExact(object)) return accept_tuple(*input.codec, object, slot);
  return accepts(*input.codec, Py_TYPE(object)) && lend(input, object, slot, where);
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

SAMEBYTES_INLINE bool accept(Input& input, PyObject* object, char* slot, void*& where, NoKeep&) {
  if (likely(input.way == Way::number)) return accept_number(input.kind, input.scalar, object, slot);
  return accept_structure(input, object, slot, where);
}

SAMEBYTES_INLINE bool accept(Input& input, PyObject* object, char* slot, void*& where, Keep& keep) {
  if (input.way == Way::number) return accept_number(input.kind, input.scalar, object, slot);
  if (unlikely(input.way == Way::structure)) return accept_structure(input, object, slot, where);
  return accept_array(input, object, slot, keep);
}

__attribute__((noinline)) PyObject* give_rare(const Candidate& candidate, const char* data) {
  return decode_number(candidate.result->kind, data);
}

SAMEBYTES_INLINE PyObject* give(const Candidate& candidate, const char* data) {
  switch (candidate.way_back) {
    case WayBack::none:
      Py_RETURN_NONE;
    case WayBack::float64:
      return PyFloat_FromDouble(load<double>(data));
    case WayBack::float32:
      return PyFloat_FromDouble(load<float>(data));
    default:
      return give_rare(candidate, data);
  }
}

template <int Count, class Holder>
PyObject* run_direct(Plan& plan, const Candidate& candidate, PyObject* const* args) {
  alignas(kDirectAlign) char frame[kDirectFrame];
  void* argv[Count + 2];
  ShimError error;
  {
    Holder keep;
    Input* const inputs = candidate.inputs;
#pragma GCC unroll 8
    for (int i = 0; i < Count; ++i) {
      char* slot = frame + inputs[i].offset;
      argv[i] = slot;
      if (unlikely(!accept(inputs[i], args[i], slot, argv[i], keep))) goto any;
    }
    error.code = 0;
    char* storage = frame + candidate.result_offset;
    argv[Count] = storage;
    argv[Count + 1] = &error;
    call_shim(candidate, argv);
    if (likely(!error.code)) return give(candidate, storage);
    return raise_shim_error(error);
  }
any:
  return PyErr_Occurred() ? nullptr : run_any(plan, candidate, args);
}

template <int Count, class Holder>
PyObject* call_direct(PyObject* self, PyObject* const* args, Py_ssize_t nargs, PyObject* kwnames) {
  Plan& plan = *reinterpret_cast<Plan*>(self);
  if (unlikely(nargs != Count || kwnames)) return plan_call(self, args, nargs, kwnames);
  return run_direct<Count, Holder>(plan, *plan.candidates, args);
}

struct Direct {
  RunFunction run;
  CallFunction call;
};

template <int Count, class Holder>
constexpr Direct direct = {run_direct<Count, Holder>, call_direct<Count, Holder>};

constexpr Direct kPlain[] = {direct<0, NoKeep>, direct<1, NoKeep>, direct<2, NoKeep>, direct<3, NoKeep>,
                             direct<4, NoKeep>, direct<5, NoKeep>, direct<6, NoKeep>};
constexpr Direct kArrays[] = {direct<0, Keep>, direct<1, Keep>, direct<2, Keep>,
                              direct<3, Keep>, direct<4, Keep>, direct<5, Keep>,
                              direct<6, Keep>, direct<7, Keep>, direct<8, Keep>};

WayBack way_back(const Codec* result) {
  if (!result) return WayBack::none;
  if (result->kind == Kind::float64) return WayBack::float64;
  if (result->kind == Kind::float32) return WayBack::float32;
  return is_number(result->kind) ? WayBack::number : WayBack::other;
}

}  // namespace

void choose_run(Candidate& candidate) {
  candidate.run = run_any;
  candidate.call = plan_call;
  candidate.way_back = way_back(candidate.result);
  bool arrays = false;
  for (int i = 0; i < candidate.input_count; ++i) {
    const Input& input = candidate.inputs[i];
    if (input.way == Way::address || input.way == Way::other || input.argv != i) return;
    arrays |= input.way == Way::pointer || input.way == Way::array;
  }
  if (candidate.extras || candidate.frame_size > kDirectFrame || candidate.frame_align > kDirectAlign) return;
  const int limit = sizeof kArrays / sizeof *kArrays, plain = sizeof kPlain / sizeof *kPlain;
  const int count = candidate.input_count;
  if (count >= limit) return;
  const Direct& chosen = !arrays && count < plain ? kPlain[count] : kArrays[count];
  candidate.run = chosen.run;
  candidate.call = chosen.call;
}

}  // namespace samebytes
