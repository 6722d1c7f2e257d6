// Claims of objects, and what C++ takes of them: see call/claim.hpp.
#include "call/claim.hpp"

#include <algorithm>
#include <new>
#include <vector>

#include "call/pending.hpp"
#include "call/reach.hpp"
#include "call/reasons.hpp"
#include "call/seen.hpp"
#include "call/thrown.hpp"
#include "object/handle.hpp"
#include "object/ledger.hpp"
#include "object/overriding.hpp"
#include "object/result_owner.hpp"
#include "object/smart_pointer.hpp"

namespace samebytes {

namespace {

PyTypeObject* claim_type;

const char* why_not(const Claim& claim, const Running* but) {
  if (is_taken(claim.object) || is_given(claim.object)) return why::gone;
  const Handle* const handle = as_handle(claim.object);
  if (unlikely(handle->overriding && !handle->watched)) return why::unwatched;
  if (as_handle(claim.object)->shares) return why::shared;
  if (in_use(claim.object, but)) return why::used;
  return is_seen(claim.object) ? why::seen : nullptr;
}

// Whether the arguments but one, or what the call holds, reach an object beyond the one claim that there may
// be. Where an input takes objects over, the claims say what it is given.
bool reached_by_others(Reach& reach, const Candidate& candidate, PyObject* const* args,
                       const CallResources& resources, int but, int claims) {
  for (int i = 0; i < candidate.input_count; ++i)
    if (i != but && !(candidate.inputs[i].flags & kTakes) && reach.from(args[i])) return true;
  return reach.from(resources) || reach.claims() != claims;
}

// --- claiming ---

constexpr Py_ssize_t kGiven = -1;  // the size of a claimed object that has its own

// What Python's class overrides is asked of the object while C++ has it: it is never without a size.
void set_claimed(Claim& claim) {
  Handle* const handle = as_handle(claim.object);
  if (handle->watched) {
    claim.size = kGiven;
    claim.state = Claim::claimed;
    return give_overriding(claim.object);
  }
  claim.size = Py_SIZE(handle);
  claim.state = Claim::claimed;
  handle->claimed = true;
  Py_SET_SIZE(handle, 0);  // no size fits any more: every path stops here
}

void give_back(Claim& claim) {
  if (claim.state != Claim::claimed) return;
  if (claim.size == kGiven) {
    claim.state = Claim::idle;
    if (is_given(claim.object)) take_back_overriding(claim.object);
    return;
  }
  Py_SET_SIZE(as_handle(claim.object), claim.size);
  as_handle(claim.object)->claimed = false;
  claim.state = Claim::idle;
}

template <class Act>
void each_claim(PyObject* owners, const Act& act) {
  if (is_claim(owners)) return act(*as_claim(owners));
  if (!PyTuple_CheckExact(owners)) return;
  for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(owners); ++i) each_claim(PyTuple_GET_ITEM(owners, i), act);
}

using Claims = std::vector<Claim*>;

bool collect(PyObject* owners, PyObject* claims) {
  each_claim(owners, [claims](Claim& claim) {
    if (claim.input >= 0) reinterpret_cast<Claims*>(claims)->push_back(&claim);
  });
  return true;
}

Claims claims_of(const CallResources& resources) {
  Claims found;
  resources.each(collect, reinterpret_cast<PyObject*>(&found));
  return found;
}

// What C++ moves from is the argument itself, unless C++ made a temporary of it.
bool is_moved(const Input& input, PyObject* object, const void* place) {
  if (!(input.flags & kMoves) || !is_record_class(Py_TYPE(object))) return false;
  const char* const data = as_instance(object)->data;
  return place >= data && place < data + Py_SIZE(object);
}

// What C++ moves from; and what an implicit conversion takes over that is still to be made: it has no place
// yet.
Conflict check_moves(const Candidate& candidate, PyObject* const* args, void* const* argv,
                     const CallResources& resources, const Running& running) {
  for (int i = 0; i < candidate.input_count; ++i) {
    const Input& input = candidate.inputs[i];
    if (argv[input.argv] && !is_moved(input, args[i], argv[input.argv])) continue;
    if (in_use(args[i], &running)) return {why::used, i, args[i], nullptr};
    Reach reach(args[i]);
    if (reached_by_others(reach, candidate, args, resources, i, 0)) return {why::twice, i, args[i], nullptr};
  }
  return {};
}

Conflict check_claims(const Claims& claims, const Candidate& candidate, PyObject* const* args,
                      const CallResources& resources, const Running& running) {
  for (const Claim* claim : claims) {
    const char* reason = why_not(*claim, &running);
    Reach reach(claim->object);
    if (!reason && reached_by_others(reach, candidate, args, resources, -1, 1)) reason = why::twice;
    if (reason) return {reason, claim->input, claim->object, claim->words};
  }
  return {};
}

// Whether all that a smart pointer's object keeps are arguments of the call that takes it over: an object
// that came from one of them goes back there. What else it keeps, it may refer to as long as C++ has it.
bool kept_by(PyObject* handle, const Candidate& candidate, PyObject* const* args) {
  PyObject* const share = as_handle(handle)->owner;
  if (!share || !is_share(Py_TYPE(share)) || as_handle(handle)->pointee_owners) return false;
  PyObject* const kept = owners_of_result(owner_of_share(share));
  const auto is_argument = [&](PyObject* one) {
    return std::find(args, args + candidate.input_count, one) != args + candidate.input_count;
  };
  if (!kept || !PyTuple_CheckExact(kept)) return kept && is_argument(kept);
  for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(kept); ++i)
    if (!is_remains(PyTuple_GET_ITEM(kept, i)) && !is_argument(PyTuple_GET_ITEM(kept, i))) return false;
  return true;
}

// What the object keeps is kept for C++ from now on, which may use it for as long as it has the object.
void leave_to_cxx(const Claim& claim) {
  if (claim.size == kGiven) return;  // C++ has the Python object, too
  Handle* const handle = as_handle(claim.object);
  PyObject* const owner = handle->owner;
  const bool shared = owner && is_share(Py_TYPE(owner));
  PyObject* const smart = shared ? owner_of_share(owner) : nullptr;
  PyObject* const held = shared ? (smart ? owners_of_result(smart) : nullptr) : owner;
  const PendingException pending;
  if (!claim.frees && !move_to_cxx({claim.at, 1}, handle->pointee_owners, held == smart ? nullptr : held))
    PyErr_WriteUnraisable(nullptr);
  Py_CLEAR(handle->owner);
  Py_CLEAR(handle->pointee_owners);
}

// --- the type ---

PyObject* claim_new(PyTypeObject* type, PyObject* args, PyObject*) {
  PyObject *object, *words;
  if (!PyArg_ParseTuple(args, "O!U:Claim", handle_type, &object, &words)) return nullptr;
  auto* self = as_claim(type->tp_alloc(type, 0));
  if (!self) return nullptr;
  self->object = Py_NewRef(object);
  self->words = Py_NewRef(words);
  self->input = -1;
  return reinterpret_cast<PyObject*>(self);
}

// Immutable to Python: a cycle passes through the handle.
int claim_traverse(PyObject* self, visitproc visit, void* arg) {
  Py_VISIT(Py_TYPE(self));
  Py_VISIT(as_claim(self)->object);
  return 0;
}

void claim_dealloc(PyObject* self) {
  PyTypeObject* type = Py_TYPE(self);
  PyObject_GC_UnTrack(self);
  give_back(*as_claim(self));
  if (as_claim(self)->state == Claim::taken) leave_to_cxx(*as_claim(self));
  Py_DECREF(as_claim(self)->object);
  Py_DECREF(as_claim(self)->words);
  type->tp_free(self);
  Py_DECREF(type);
}

PyType_Slot claim_slots[] = {
    {Py_tp_new, reinterpret_cast<void*>(claim_new)},
    {Py_tp_dealloc, reinterpret_cast<void*>(claim_dealloc)},
    {Py_tp_traverse, reinterpret_cast<void*>(claim_traverse)},
    {Py_tp_doc, const_cast<char*>("Claim(handle, expected, /)\n--\n\nAn object that C++ is to take over.")},
    {}};
PyType_Spec claim_spec = {"samebytes._native.Claim", sizeof(Claim), 0,
                          Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_IMMUTABLETYPE, claim_slots};

// Of a callback's result: C++ has no other argument of it, and every running call counts.
PyObject* claim_result(PyObject*, PyObject* owners) {
  Claim* refused = nullptr;
  const char* reason = nullptr;
  bool looked = true;
  each_claim(owners, [&](Claim& claim) { looked = looked && look(claim.object); });
  if (!looked) return nullptr;
  each_claim(owners, [&](Claim& claim) {
    if (!refused && (reason = why_not(claim, nullptr))) refused = &claim;
    if (!refused) set_claimed(claim);
  });
  if (!refused) Py_RETURN_NONE;
  each_claim(owners, give_back);
  return Py_BuildValue("OOs", refused->object, refused->words, reason);
}

PyMethodDef functions[] = {
    {"claim", claim_result, METH_O,
     "claim(owners, /)\n--\n\nHave C++ own the objects of all claims, which it takes next; else (object, "
     "expected, reason) of one that it cannot have, and none is claimed."},
    {}};

}  // namespace

bool is_claim(PyObject* object) { return Py_IS_TYPE(object, claim_type); }

void note_claims(PyObject* owners, int input) {
  each_claim(owners, [input](Claim& claim) { claim.input = input; });
}

bool look_at_claims(const CallResources& resources) try {
  for (const Claim* claim : claims_of(resources))
    if (!look(claim->object)) return false;
  return true;
} catch (const std::bad_alloc&) {
  return PyErr_NoMemory(), false;
}

// A running call may use that object, and objects of Python's may lie inside of it: those that came from the
// one whose member it is, and lie elsewhere than that.
Conflict find_replaced(const Candidate& candidate, PyObject* const* args, void* const* argv,
                       const Running& running) {
  char* place = nullptr;
  ShimError error;
  error.samebytes_code = 0;
  void* read[] = {argv[candidate.inputs[0].argv], &place, &error};
  candidate.lifetime.member_reader(read);
  if (error.samebytes_code) return drop_shim_error(error), Conflict{};
  if (!place) return {};
  const Ref seen = Ref::steal(view_object(*candidate.lifetime.member->element, place, nullptr, false));
  bool beyond = false;
  if (!seen || !look_beyond(args[0], beyond)) return {why::replaced, 1, nullptr, nullptr};
  if (beyond) return {why::beyond, 1, args[1], nullptr};
  return in_use(seen.get(), &running) ? Conflict{why::replaced, 1, args[1], nullptr} : Conflict{};
}

Conflict find_elements(const Candidate& candidate, PyObject* const* args) {
  bool found = false;
  const bool looked = look_for_elements(args[0], candidate.lifetime.elements, found);
  return looked && !found ? Conflict{} : Conflict{why::beyond, 1, looked ? args[1] : nullptr, nullptr};
}

Conflict find_used(const Candidate& candidate, PyObject* const* args, void* const* argv,
                   const CallResources& resources, const Running& running) try {
  return check_moves(candidate, args, argv, resources, running);
} catch (const std::bad_alloc&) {
  PyErr_NoMemory();
  return {why::used, 0, nullptr, nullptr};
}

Conflict claim_arguments(const Candidate& candidate, PyObject* const* args, void* const* argv,
                         const CallResources& resources, const Running& running) try {
  Conflict found = check_moves(candidate, args, argv, resources, running);
  const Claims claims = claims_of(resources);
  if (!found.reason) found = check_claims(claims, candidate, args, resources, running);
  if (!found.reason)
    for (Claim* claim : claims) {
      claim->frees = kept_by(claim->object, candidate, args);
      set_claimed(*claim);
    }
  return found;
} catch (const std::bad_alloc&) {
  PyErr_NoMemory();
  return {why::used, 0, nullptr, nullptr};
}

namespace {

PyObject* gone_among(PyObject* owners) {
  if (is_handle_class(Py_TYPE(owners))) return is_taken(owners) ? owners : nullptr;
  PyObject* gone = nullptr;
  for (Py_ssize_t i = 0; !gone && PyTuple_CheckExact(owners) && i < PyTuple_GET_SIZE(owners); ++i)
    gone = gone_among(PyTuple_GET_ITEM(owners, i));
  return gone;
}

}  // namespace

Conflict find_gone(const Candidate& candidate, PyObject* const* args, const CallResources& resources) {
  PyObject* gone = nullptr;
  resources.each(
      [](PyObject* owners, PyObject* found) {
        PyObject* const one = gone_among(owners);
        if (one) *reinterpret_cast<PyObject**>(found) = one;
        return true;
      },
      reinterpret_cast<PyObject*>(&gone));
  if (!gone) return {};
  // Where it came from, unless nothing tells any more.
  int from = 0;
  for (int i = candidate.input_count - 1; i >= 0; --i) {
    if (candidate.inputs[i].passing == Passing::other) from = i;
    if (Reach(gone).from(args[i])) return {why::gone, i, gone, nullptr};
  }
  return {why::gone, from, gone, nullptr};
}

void drop_claims(const CallResources& resources) {
  resources.each(
      [](PyObject* owners, PyObject*) {
        each_claim(owners, give_back);
        return true;
      },
      nullptr);
}

// Of what no call has claimed, C++ may have what nobody uses.
bool take_claimed(void* object) {
  bool there = false;
  in_python([&] {
    Claim& claim = *as_claim(static_cast<PyObject*>(object));
    if (claim.state == Claim::idle) {
      if (!look(claim.object)) PyErr_WriteUnraisable(claim.object);
      if (!why_not(claim, nullptr)) set_claimed(claim);
    }
    there = claim.state == Claim::claimed;
    if (!there) return;
    claim.state = Claim::taken;
    claim.at = as_handle(claim.object)->data;
    if (claim.size != kGiven) disown(claim.object);
  });
  return there;
}

int add_claim_type(PyObject* module) {
  claim_type = reinterpret_cast<PyTypeObject*>(PyType_FromSpec(&claim_spec));
  if (!claim_type || PyModule_AddFunctions(module, functions) < 0) return -1;
  return PyModule_AddObjectRef(module, "Claim", reinterpret_cast<PyObject*>(claim_type));
}

}  // namespace samebytes
