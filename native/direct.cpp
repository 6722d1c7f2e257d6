// The calls that must cost next to nothing, in two steps. A lean call takes a few kinds of argument, calls
// nothing before the shim, and knows its frame when compiled. A direct call takes more. Whatever turns up
// that a step does not take goes to the next, which starts over: nothing has effects before the shim runs.
#include <type_traits>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include "call.hpp"
#include "handle.hpp"
#include "numpy.hpp"
#include "scope.hpp"
#include "take.hpp"

namespace samebytes {

namespace {

__attribute__((noinline)) bool accept_rare(Kind kind, PyTypeObject* scalar, PyObject* object, char* slot) {
  return encode_number(kind, scalar, object, slot) == Match::yes;
}

// Kinds are told apart by comparison, commonest first: a predicted branch costs less than a jump table.
SAMEBYTES_INLINE bool accept_number(Kind kind, PyTypeObject* scalar, PyObject* object, char* slot) {
  if (PyFloat_CheckExact(object)) {
    const double value = PyFloat_AS_DOUBLE(object);
    float narrow;
    if (kind == Kind::float64) return store(slot, value), true;
    if (kind == Kind::float32 && round_to_float(value, narrow)) return store(slot, narrow), true;
  } else if (kind == Kind::int32 || kind == Kind::int64) {
    int64_t value;
    if (likely(PyLong_CheckExact(object) && short_int(object, value) && static_cast<int32_t>(value) == value))
      return kind == Kind::int32 ? store(slot, static_cast<int32_t>(value)) : store(slot, value), true;
  }
  return accept_rare(kind, scalar, object, slot);
}

// memset() by hand: for the few words of a struct its call costs more than its work.
SAMEBYTES_INLINE void zero(char* out, Py_ssize_t size) {
  Py_ssize_t done = 0;
  for (; done + 8 <= size; done += 8) {
    store(out + done, int64_t{0});
    __asm__("" : "+r"(done));  // or the compiler makes it a call of memset() again
  }
  for (; done < size; ++done) out[done] = 0;
}

__attribute__((noinline)) bool accept_any_tuple(const Codec& codec, PyObject* object, char* slot) {
  Keep keep;
  return !codec.has_pointers && encode_structure(codec, object, slot, keep) == Match::yes;
}

SAMEBYTES_INLINE bool accept_tuple(const Codec& codec, PyObject* object, char* slot) {
  if (unlikely(!codec.plain)) return accept_any_tuple(codec, object, slot);
  if (PyTuple_GET_SIZE(object) != codec.field_count) return false;
  if (!codec.dense) zero(slot, codec.size);
  const CodecField* field = codec.fields;
  const CodecField* const end = field + codec.field_count;
  for (PyObject** item = &PyTuple_GET_ITEM(object, 0); field != end; ++field, ++item)
    if (unlikely(!accept_number(field->kind, field->scalar, *item, slot + field->offset))) return false;
  return true;
}

SAMEBYTES_INLINE bool accept_structure(const Input& input, PyObject* object, char* slot, void*& where) {
  if (likely(Py_TYPE(object) == input.python)) return lend(input, object, slot, where);
  if (PyTuple_CheckExact(object)) return accept_tuple(*input.codec, object, slot);
  return lend(input, object, slot, where);
}

// An object of exactly the parameter's class, by its address.
SAMEBYTES_INLINE bool accept_object(const Input& input, PyObject* object, void*& where) {
  if (unlikely(Py_TYPE(object) != input.python || Py_SIZE(object) != input.size)) return false;
  if (unlikely(input.guards) && as_handle(object)->is_const) return false;
  where = as_instance(object)->data;
  return true;
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
  if (input.way == Way::address) return accept_object(input, object, where);
  return accept_structure(input, object, slot, where);
}

SAMEBYTES_INLINE bool accept(Input& input, PyObject* object, char* slot, void*& where, Keep& keep) {
  if (input.way == Way::number) return accept_number(input.kind, input.scalar, object, slot);
  if (input.way == Way::address) return accept_object(input, object, where);
  if (unlikely(input.way == Way::structure)) return accept_structure(input, object, slot, where);
  return accept_array(input, object, slot, keep);
}

__attribute__((noinline)) PyObject* give_rare(const Candidate& candidate, const char* data) {
  return decode_number(candidate.result->kind, data);
}

// The shim's part of a call: where the result goes, errors, the result.
template <int Count, bool MayReleaseGil>
SAMEBYTES_INLINE PyObject* finish(const Candidate& candidate, void** argv) {
  alignas(16) char storage[16];
  ShimError error;
  error.code = 0;
  argv[Count] = storage;
  argv[Count + 1] = &error;
  if (MayReleaseGil) {
    call_shim(candidate, argv);
  } else {
    candidate.shim(argv);
  }
  // The rare ways out read the addresses back, so that no register is saved for them.
  if (unlikely(error.code)) return raise_shim_error(*static_cast<ShimError*>(argv[Count + 1]));
  const WayBack way = candidate.way_back;
  if (way == WayBack::float64) return PyFloat_FromDouble(load<double>(storage));
  if (way == WayBack::none) Py_RETURN_NONE;
  if (way == WayBack::float32) return PyFloat_FromDouble(load<float>(storage));
  if (way == WayBack::int32) return PyLong_FromLong(load<int32_t>(storage));
  return give_rare(candidate, static_cast<char*>(argv[Count]));
}

template <int Count, class Holder>
__attribute__((noinline)) PyObject* run_direct(Plan& plan, const Candidate& candidate, PyObject* const* args,
                                               const Call* call) {
  alignas(kDirectAlign) char frame[kDirectFrame];
  void* argv[Count + 2];
  {
    Holder keep;
    Input* const inputs = candidate.inputs;
#pragma GCC unroll 8
    for (int i = 0; i < Count; ++i) {
      char* slot = frame + inputs[i].offset;
      argv[i] = slot;
      if (unlikely(!accept(inputs[i], args[i], slot, argv[i], keep))) goto any;
    }
    return finish<Count, true>(candidate, argv);
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

// Two words by one store: a shim copies descriptors 16 bytes at a time, and a load that spans two stores
// still in flight waits for both.
SAMEBYTES_INLINE void store_pair(char* out, const void* first, const void* second) {
#ifdef __SSE2__
  const __m128d low = _mm_load_sd(static_cast<const double*>(first));
  _mm_storeu_pd(reinterpret_cast<double*>(out), _mm_loadh_pd(low, static_cast<const double*>(second)));
#else
  std::memcpy(out, first, 8);
  std::memcpy(out + 8, second, 8);
#endif
}

// One dimension, the commonest. A stride of one element is stored without a division.
SAMEBYTES_INLINE bool put_line(const ArraySpec& spec, const PyArrayObject_fields* array, char* slot) {
  if (array->nd != 1) return false;
  const int64_t stride = array->strides[0];
  store_pair(slot, &array->data, array->dimensions);
  char* const to = slot + 2 * sizeof(int64_t);
  if (likely(stride == spec.itemsize)) return store(to, int64_t{1}), true;
  return store(to, stride >> spec.shift), !(stride & spec.stride_mask);
}

SAMEBYTES_INLINE bool put_grid(const ArraySpec& spec, const PyArrayObject_fields* array, char* slot) {
  if (array->nd != spec.ndim) return false;
  ArrayRef out;
  out.shape = reinterpret_cast<int64_t*>(slot + sizeof(void*));
  out.strides = out.shape + spec.ndim;
  store(slot, array->data);
  return put_byte_strides(spec, spec.ndim, extents(array->dimensions), extents(array->strides), out);
}

SAMEBYTES_INLINE bool accept_ndarray(const ArraySpec& spec, Lean lean, PyObject* object, char* slot) {
  const PyArrayObject_fields* array = array_fields(object);
  if (Py_TYPE(object) != plain_ndarray.load(std::memory_order_acquire) ||
      reinterpret_cast<PyObject*>(array->descr) != spec.dtype || !is_aligned(spec, array->data) ||
      ((array->flags ^ spec.flags) & spec.flag_mask))
    return false;
  if (likely(lean == Lean::line)) return put_line(spec, array, slot);
  if (lean == Lean::grid) return put_grid(spec, array, slot);
  return store(slot, array->data), true;
}

template <bool Arrays>
SAMEBYTES_INLINE bool accept_lean(const Candidate& candidate, int i, PyObject* object, char* slot,
                                  void*& where) {
  const Lean lean = candidate.lean[i];
  if (lean == Lean::object) {
    const Input& input = candidate.inputs[i];
    return accept_object(input, object, where) && !(reinterpret_cast<uintptr_t>(where) & input.align_mask);
  }
  if (Arrays && lean <= Lean::pointer) return accept_ndarray(*candidate.specs[i], lean, object, slot);
  if (lean <= Lean::float32) {
    if (!PyFloat_CheckExact(object)) return false;
    const double value = PyFloat_AS_DOUBLE(object);
    float narrow;
    if (lean == Lean::float64) return store(slot, value), true;
    return round_to_float(value, narrow) && (store(slot, narrow), true);
  }
  int64_t value;
  if (!PyLong_CheckExact(object) || !short_int(object, value)) return false;
  return store(slot, value), lean == Lean::int64 || static_cast<int32_t>(value) == value;
}

template <int Count, bool Arrays>
SAMEBYTES_INLINE PyObject* lean(Plan& plan, const Candidate& candidate, PyObject* const* args,
                                const Call* call) {
  constexpr int slot_size = Arrays ? kLeanArraySlot : sizeof(int64_t);
  alignas(16) char frame[Count * slot_size];
  void* argv[Count + 2];
#pragma GCC unroll 8
  for (int i = 0; i < Count; ++i) {
    char* slot = frame + i * slot_size;
    argv[i] = slot;
    if (unlikely(!accept_lean<Arrays>(candidate, i, args[i], slot, argv[i])))
      return run_direct<Count, std::conditional_t<Arrays, Keep, NoKeep>>(plan, candidate, args, call);
  }
  return finish<Count, false>(candidate, argv);
}

template <int Count, bool Arrays>
PyObject* run_lean(Plan& plan, const Candidate& candidate, PyObject* const* args, const Call* call) {
  return lean<Count, Arrays>(plan, candidate, args, call);
}

template <int Count, bool Arrays>
PyObject* call_lean(PyObject* self, PyObject* const* args, Py_ssize_t nargs, PyObject* kwnames) {
  if (unlikely(nargs != Count || kwnames)) return plan_call(self, args, nargs, kwnames);
  Plan& plan = *reinterpret_cast<Plan*>(self);
  return lean<Count, Arrays>(plan, *plan.candidates, args, nullptr);
}

template <int Count, class Holder>
constexpr Entry direct_entry = {run_direct<Count, Holder>, call_direct<Count, Holder>};
template <int Count, bool Arrays>
constexpr Entry lean_entry = {run_lean<Count, Arrays>, call_lean<Count, Arrays>};

// By number of arguments, less one.
constexpr Entry kDirect[kMostLean] = {
    direct_entry<1, NoKeep>, direct_entry<2, NoKeep>, direct_entry<3, NoKeep>, direct_entry<4, NoKeep>,
    direct_entry<5, NoKeep>, direct_entry<6, NoKeep>, direct_entry<7, NoKeep>, direct_entry<8, NoKeep>};
constexpr Entry kDirectArrays[kMostLean] = {
    direct_entry<1, Keep>, direct_entry<2, Keep>, direct_entry<3, Keep>, direct_entry<4, Keep>,
    direct_entry<5, Keep>, direct_entry<6, Keep>, direct_entry<7, Keep>, direct_entry<8, Keep>};
constexpr Entry kLean[kMostLean] = {lean_entry<1, false>, lean_entry<2, false>, lean_entry<3, false>,
                                    lean_entry<4, false>, lean_entry<5, false>, lean_entry<6, false>,
                                    lean_entry<7, false>, lean_entry<8, false>};
constexpr Entry kLeanArrays[kMostLean] = {lean_entry<1, true>, lean_entry<2, true>, lean_entry<3, true>,
                                          lean_entry<4, true>, lean_entry<5, true>, lean_entry<6, true>,
                                          lean_entry<7, true>, lean_entry<8, true>};

WayBack way_back(const Codec* result) {
  if (!result) return WayBack::none;
  if (result->kind == Kind::float64) return WayBack::float64;
  if (result->kind == Kind::float32) return WayBack::float32;
  if (result->kind == Kind::int32) return WayBack::int32;
  return is_number(result->kind) ? WayBack::number : WayBack::other;
}

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

}  // namespace

namespace {

void choose_shortest(Candidate& candidate) {
  candidate.run = run_any;
  candidate.path = "general";
  candidate.call = plan_call;
  candidate.way_back = way_back(candidate.result);
  const int count = candidate.input_count;
  if (candidate.packs || candidate.finish || candidate.extras || candidate.in_place ||
      candidate.frame_size > kDirectFrame || candidate.frame_align > kDirectAlign)
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
  const Entry* table = lean ? (arrays ? kLeanArrays : kLean) : (arrays ? kDirectArrays : kDirect);
  candidate.path = lean ? "shortest" : "short";
  candidate.run = table[count - 1].run;
  candidate.call = table[count - 1].call;
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
