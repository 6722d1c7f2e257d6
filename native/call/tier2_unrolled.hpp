// What the first two tiers of calls share: numbers, tuples and objects as arguments, and the shim's part. See
// call/tier2_unrolled.cpp.
#pragma once
#include "call/shim_call.hpp"
#include "call/tier3_general.hpp"
#include "call/writes.hpp"
#include "object/handle.hpp"
#include "object/shown_copy.hpp"

namespace samebytes {

bool accept_rare(Kind kind, PyTypeObject* scalar, PyObject* object, char* slot);
bool accept_any_tuple(const Codec& codec, PyObject* object, char* slot);
PyObject* give_rare(const Candidate& candidate, const char* data);

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

// An object of exactly the parameter's class, by its address.
SAMEBYTES_INLINE bool accept_object(const Input& input, PyObject* object, void*& where) {
  if (unlikely(Py_TYPE(object) != input.python || Py_SIZE(object) != input.size)) return false;
  if (unlikely(input.guards != Guards::none) && (live_iterations || is_unwritable(object))) return false;
  where = as_instance(object)->data;
  return may_lend(input, object);
}

// Of a call that nobody sees, as it uses no object.
struct Unseen {
  Unseen(PyObject* const*, Py_ssize_t, CallResources*, const Candidate*) {}
};
SAMEBYTES_INLINE void note_writes(const Unseen&) {}

// The shim's part of a call: where the result goes, errors, the result.
template <int Count, bool MayReleaseGil, class Call>
SAMEBYTES_INLINE PyObject* finish(const Candidate& candidate, ResultPassing passing, void** argv,
                                  const Call& running) {
  alignas(16) char storage[16];
  ShimError error;
  error.samebytes_code = 0;
  argv[Count] = storage;
  argv[Count + 1] = &error;
  if (MayReleaseGil) {
    call_shim(candidate, argv);
  } else {
    candidate.shim(argv);
  }
  note_writes(running);
  // The rare ways out read the addresses back, so that no register is saved for them.
  if (unlikely(error.samebytes_code))
    return raise_shim_error(*static_cast<ShimError*>(argv[Count + 1]), candidate.code.releases_gil);
  if (passing == ResultPassing::float64) return PyFloat_FromDouble(load<double>(storage));
  if (passing == ResultPassing::none) Py_RETURN_NONE;
  if (passing == ResultPassing::float32) return PyFloat_FromDouble(load<float>(storage));
  if (passing == ResultPassing::int32) return PyLong_FromLong(load<int32_t>(storage));
  return give_rare(candidate, static_cast<char*>(argv[Count]));
}

// Where every argument is of a kind that the first tier takes.
Entry specialized_entry(const Candidate& candidate, bool arrays);
SpecializedKind specialized_kind(const Input& input);

}  // namespace samebytes
