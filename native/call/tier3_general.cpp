// The third tier of calls takes any: arguments into the frame, the shim, the result out of it.
#include "call/tier3_general.hpp"

#include <cstring>
#include <memory>
#include <new>

#include "call/claim.hpp"
#include "call/ended.hpp"
#include "call/guarded_memory.hpp"
#include "call/pending.hpp"
#include "call/running.hpp"
#include "call/shim_call.hpp"
#include "call/unlocked.hpp"
#include "call/writes.hpp"
#include "codec/scalar.hpp"
#include "object/gone.hpp"
#include "object/handle.hpp"
#include "object/result_owner.hpp"

namespace samebytes {

namespace {

__attribute__((noinline)) Match take_other(Input& input, PyObject* object, char* slot,
                                           CallResources& resources) {
  const Match match = encode(*input.codec, object, slot, input.route, resources);
  if (match != Match::no || input.kind != Kind::pointer) return match;
  void* address;
  const Match adapted = take_adapter_argument(*input.codec, object, address, resources);
  return adapted == Match::yes ? store(slot, address) : adapted;
}

Match take(Input& input, PyObject* object, char* slot, void*& where, CallResources& resources) {
  switch (input.passing) {
    case Passing::number:
      return encode_number(input.kind, input.scalar, object, slot);
    case Passing::structure:
      if (PyTuple_CheckExact(object)) return encode_structure(*input.codec, object, slot, resources);
      return lend(input, object, slot, where) ? Match::yes : Match::no;
    case Passing::address:
      return take_address(input, object, where, resources);
    case Passing::made:
      return take_made(input, object, where);
    default:
      return take_other(input, object, slot, resources);
  }
}

// What Python converts of a call's arguments, which it may do in two rounds: conversions that take an object
// over wait until every other argument fits.
struct Conversions {
  Plan& plan;
  const Candidate& candidate;
  PyObject* const* args;
  char* frame;
  void** argv;
  CallResources& resources;
  Running& running;
  bool any = false, later = false;

  __attribute__((noinline)) Match convert(int i, bool last) {
    const Input& input = candidate.inputs[i];
    char* slot = frame + input.offset;
    void*& where = argv[input.argv];
    where = slot;
    any = true;
    running.converting = i;
    const Match match = convert_argument(plan, candidate, i, args[i], slot, where, resources, last);
    running.converting = -1;
    if (match != Match::later) return match;
    later = true;
    where = nullptr;  // until the second round
    return Match::yes;
  }

  Match finish() {
    for (int i = 0; later && i < candidate.input_count; ++i) {
      if (argv[candidate.inputs[i].argv]) continue;
      const Match match = convert(i, true);
      if (match != Match::yes) return match;
    }
    return Match::yes;
  }
};

// Whether the memory that the function uses is all samebytes' own: in the frame, or an object's own bytes.
bool uses_own_bytes(const Candidate& candidate, PyObject* const* args, const char* frame, void** argv) {
  for (int i = 0; i < candidate.input_count; ++i) {
    const Input& input = candidate.inputs[i];
    if (!(input.flags & kOwnBytes)) continue;
    const bool copied = !(input.flags & kIndirect) && argv[input.argv] == frame + input.offset;
    if (!copied && !(is_instance_class(Py_TYPE(args[i])) && has_own_bytes(args[i]))) return false;
  }
  return true;
}

// Python's accesses to members and variables exclude each other. The GIL sees to that, since no accessor
// releases it; without a GIL the object's own lock does, or, of variables, that of the class of their plans.
inline void enter(Plan& plan, const Candidate& candidate, PyObject* const* args, const char* frame,
                  void** argv) {
#ifdef Py_GIL_DISABLED
  if (candidate.code.is_exclusive) {
    auto* const space = reinterpret_cast<PyObject*>(Py_TYPE(&plan));
    const bool member = candidate.input_count && is_record_class(Py_TYPE(args[0]));
    PyCriticalSection section;
    PyCriticalSection_Begin(&section, member ? args[0] : space);
    candidate.shim(argv);
    return PyCriticalSection_End(&section);
  }
#else
  (void)plan, (void)args;
#endif
  if (unlikely(candidate.code.wants_own_bytes) && !uses_own_bytes(candidate, args, frame, argv))
    return call_without_gil(candidate.shim, argv);
  call_shim(candidate, argv);
}

// Raises for an output behind which C wrote; what else C made ends.
PyObject* refuse_overrun(const Candidate& candidate, const Output& wrong, const char* frame) {
  const Codec* const result = candidate.result.codec;
  if (result && result->kind == Kind::held) drop_owned_result(*result, frame + candidate.result.offset);
  const Ref raised = Ref::steal(PyObject_CallNoArgs(wrong.overrun));
  if (raised) PyErr_SetString(PyExc_SystemError, "what refuses an overrun raises");
  return nullptr;
}

inline PyObject* execute(Plan& plan, const Candidate& candidate, PyObject* const* args, const Call* call,
                         char* frame, void** argv, CallResources& resources, Memory* memory) {
  GuardedBlocks guarded;
  if (unlikely(candidate.outputs.has_extras) && !prepare_extras(candidate, frame, argv, guarded))
    return nullptr;
  const int count = candidate.input_count;
  // From here on others see that this call uses its arguments: what a later one's conversion runs may not end
  // those whose addresses are in the frame already.
  Running running(args, count, &resources, &candidate);
  ShimError error;
  char* storage = frame + candidate.result.offset;
  Ref made;
  if (unlikely(candidate.result.codec && candidate.result.codec->kind == Kind::handle)) {
    made = Ref::steal(new_handle(candidate.result.codec->python, *candidate.result.codec));
    if (!made) return nullptr;
    storage = as_handle(made.get())->data;
  }
  argv[candidate.argc] = storage;
  argv[candidate.argc + 1] = &error;
  Conversions conversions{plan, candidate, args, frame, argv, resources, running};
  const auto refused = [&] {
    running.end();  // Python may complete the call, and make another one
    return refuse(plan, candidate, call ? *call : Call{args, count, nullptr, false});
  };
  Input* input = candidate.inputs;
  for (int i = 0; i < count; ++i, ++input) {
    char* slot = frame + input->offset;
    void*& where = argv[input->argv];
    where = slot;
    Match match = take(*input, args[i], slot, where, resources);
    if (likely(match == Match::yes)) continue;
    if (match == Match::no) match = conversions.convert(i, false);
    if (match == Match::yes) continue;
    return match == Match::error ? nullptr : refused();
  }
  // Before the second round of conversions: they give objects away, and storage may not be had.
  if (unlikely(candidate.outputs.has_buffers) && !make_outputs(candidate, args, frame, argv, resources))
    return nullptr;
  if (unlikely(conversions.any)) {
    if (conversions.later) {
      if (const Conflict conflict = find_used(candidate, args, argv, resources, running); conflict.reason)
        return refuse_conflict(plan, candidate, args, conflict);
    }
    const Match match = conversions.finish();
    if (match != Match::yes) return match == Match::error ? nullptr : refused();
    // A conversion may have taken over what another argument is, or holds.
    if (const Conflict conflict = find_gone(candidate, args, resources); conflict.reason)
      return refuse_conflict(plan, candidate, args, conflict);
  }
  if (unlikely(candidate.lifetime.takes_over)) {
    // The last Python code of this call: from here on to C++ nobody else acts.
    if (candidate.lifetime.ends_first && !Ended::look(candidate, args, argv)) return nullptr;
    if (!look_at_claims(resources)) return nullptr;
    if (candidate.lifetime.member_reader) {
      if (const Conflict conflict = find_replaced(candidate, args, argv, running); conflict.reason)
        return refuse_conflict(plan, candidate, args, conflict);
    }
  }
  if (unlikely(candidate.lifetime.elements)) {
    if (const Conflict conflict = find_elements(candidate, args); conflict.reason)
      return refuse_conflict(plan, candidate, args, conflict);
  }
  // Memory is looked at where it is now, for which an exporter may run code: whatever that does to objects,
  // the checks that follow see.
  if (!resources.is_bare() && !settle(resources, plan.name, args, count)) return nullptr;
  // What ends comes before what is claimed: the same object, claimed by another argument, is then refused as
  // gone.
  Ended ended;
  if (unlikely(candidate.lifetime.ends_first)) {
    if (const Conflict conflict = ended.begin(candidate, args, argv, running); conflict.reason)
      return refuse_conflict(plan, candidate, args, conflict);
  }
  if (unlikely(candidate.lifetime.takes_over)) {
    if (const Conflict conflict = claim_arguments(candidate, args, argv, resources, running); conflict.reason)
      return refuse_conflict(plan, candidate, args, conflict);
  }
  // Last, as autograd cannot be told that nothing was written after all.
  if (!resources.is_bare()) raise_versions(resources);
  error.samebytes_code = 0;
  note_writes(running);
  if (unlikely(candidate.result.is_new_object)) begin_making(args[0]);
  enter(plan, candidate, args, frame, argv);
  note_writes(running);
  if (unlikely(candidate.lifetime.takes_over)) {
    // What C++ did not take is Python's again before any Python code can ask for it.
    drop_claims(resources);
    ended.finish(candidate.lifetime.taker, error.samebytes_code);
  }
  if (unlikely(error.samebytes_code)) {
    raise_shim_error(error, candidate.code.releases_gil);
    if (candidate.lifetime.pairs) {  // C++ may have noted the address before it threw
      const PendingException pending;
      if (!keep_arguments(candidate, args, memory)) PyErr_Clear();
    }
    if (candidate.lifetime.taker) note_losses(candidate.lifetime.taker, args, count);
    return nullptr;
  }
  if (unlikely(candidate.lifetime.pairs) && !keep_arguments(candidate, args, memory)) return nullptr;
  if (unlikely(candidate.outputs.has_guesses)) {
    if (const Output* const wrong = guarded.fetch(candidate, frame))
      return refuse_overrun(candidate, *wrong, frame);
  }
  if (unlikely(candidate.outputs.has_lists) && !write_back(plan.name, resources)) return nullptr;
  if (unlikely(candidate.result.is_first_argument)) {
    // What C++ made for a result that Python does not see ends here.
    if (made) complete_handle(made.get(), *candidate.result.codec);
    if (candidate.result.codec && candidate.result.codec->kind == Kind::held)
      drop_owned_result(*candidate.result.codec, storage);
    return Py_NewRef(args[0]);
  }
  if (unlikely(candidate.result.is_new_object || made)) {
    PyObject* fresh = made ? made.get() : args[0];
    const Codec& codec = *(made ? candidate.result.codec : candidate.inputs->codec);
    if (codec.kind == Kind::handle) complete_handle(fresh, codec);
    if (unlikely(candidate.result.is_const)) as_handle(fresh)->is_const = true;
    if (candidate.lifetime.object_refers && !retain_arguments(candidate, args, fresh, memory)) return nullptr;
    if (unlikely(candidate.code.begins_iteration) && made) return new_iterator(fresh, codec);
  }
  if (unlikely(candidate.lifetime.is_member)) {
    if (!retain_value(candidate, args, storage, memory)) return nullptr;
    Py_RETURN_NONE;
  }
  Memory* const held = memory;
  if (!candidate.lifetime.result_refers) memory = nullptr;
  if (unlikely(candidate.outputs.count || memory || candidate.result.is_tuple || candidate.result.finish))
    return collect_results(candidate, frame, args, memory, made.get());
  if (made) return made.release();
  if (!candidate.result.codec) Py_RETURN_NONE;
  if (likely(is_number(candidate.result.codec->kind)))
    return decode_number(candidate.result.codec->kind, storage);
  Ref fresh = Ref::steal(decode(*candidate.result.codec, storage, nullptr));
  if (unlikely(candidate.lifetime.object_refers) && fresh &&
      !retain_arguments(candidate, args, fresh.get(), held))
    return nullptr;
  return fresh.release();
}

// How many notes the block of a call has room for, one for each argument; none: what is in CallResources is
// enough.
int notes_of(const Candidate& candidate) {
  return candidate.input_count > CallResources::kNotes ? candidate.input_count : 0;
}

PyObject* execute_on_stack(Plan& plan, const Candidate& candidate, PyObject* const* args, const Call* call) {
  alignas(kStackAlign) char frame[kStackFrame];
  void* argv[kStackArguments];
  Unlocked notes[kStackArguments];  // left unset until written
  CallResources resources;
  resources.note_in(notes, kStackArguments);
  return execute(plan, candidate, args, call, frame, argv, resources, nullptr);
}

// For results with pointers, and objects that may refer to what the call holds: it lives as long as they do.
PyObject* execute_in_memory(Plan& plan, const Candidate& candidate, PyObject* const* args, const Call* call) {
  const size_t align = candidate.frame.align > alignof(void*) ? candidate.frame.align : alignof(void*);
  const size_t frame_size = (candidate.frame.size + alignof(void*) - 1) & ~(alignof(void*) - 1);
  const size_t notes_at = frame_size + sizeof(void*) * (candidate.argc + 2);
  const int notes = notes_of(candidate);
  Memory* memory = new_memory(notes_at + sizeof(Unlocked) * notes, align);
  Ref holder = Ref::steal(reinterpret_cast<PyObject*>(memory));
  if (!memory) return nullptr;
  auto** argv = reinterpret_cast<void**>(memory->block + frame_size);
  if (notes) memory->resources.note_in(reinterpret_cast<Unlocked*>(memory->block + notes_at), notes);
  return execute(plan, candidate, args, call, memory->block, argv, memory->resources, memory);
}

PyObject* execute_on_heap(Plan& plan, const Candidate& candidate, PyObject* const* args, const Call* call) {
  const size_t align = candidate.frame.align;
  const size_t pointers = sizeof(void*) * (candidate.argc + 2);
  const int notes = notes_of(candidate);
  const size_t before = pointers + sizeof(Unlocked) * notes;
  std::unique_ptr<char[]> block(new (std::nothrow) char[before + align + candidate.frame.size]);
  if (!block) return PyErr_NoMemory();
  const uintptr_t frame = (reinterpret_cast<uintptr_t>(block.get()) + before + align - 1) & ~(align - 1);
  CallResources resources;
  if (notes) resources.note_in(reinterpret_cast<Unlocked*>(block.get() + pointers), notes);
  return execute(plan, candidate, args, call, reinterpret_cast<char*>(frame),
                 reinterpret_cast<void**>(block.get()), resources, nullptr);
}

}  // namespace

PyObject* run_general(Plan& plan, const Candidate& candidate, PyObject* const* args, const Call* call) {
  if (unlikely(candidate.lifetime.result_refers || candidate.lifetime.object_refers ||
               candidate.lifetime.pairs))
    return execute_in_memory(plan, candidate, args, call);
  return candidate.frame.on_stack ? execute_on_stack(plan, candidate, args, call)
                                  : execute_on_heap(plan, candidate, args, call);
}

PyObject* plan_call(PyObject* self, PyObject* const* args, Py_ssize_t nargs, PyObject* kwnames) {
  Plan& plan = *reinterpret_cast<Plan*>(self);
  if (likely(!kwnames && nargs <= plan.max_arity)) {
    const Candidate* only = plan.arities[nargs].only;
    if (likely(only != nullptr)) return run(plan, *only, args, nullptr);
  }
  return dispatch(plan, args, nargs, kwnames);
}

}  // namespace samebytes
