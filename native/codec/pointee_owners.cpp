// Pointers stored inside values and records: encoding them so that what they point into stays alive.
#include "codec/pointee_owners.hpp"

#include <cstring>
#include <memory>
#include <new>

#include "call/seen.hpp"
#include "call/unlocked.hpp"
#include "object/dependents.hpp"
#include "object/ledger.hpp"
#include "object/owner_set.hpp"
#include "view/view.hpp"

namespace samebytes {

namespace {

Ref range_key(unsigned long long place, Py_ssize_t size) {
  return Ref::steal(Py_BuildValue("(Kn)", place, size));
}

bool read_key(PyObject* key, unsigned long long& place, Py_ssize_t& size) {
  if (PyTuple_CheckExact(key) && PyArg_ParseTuple(key, "Kn", &place, &size)) return true;
  if (!PyErr_Occurred()) PyErr_SetString(PyExc_SystemError, "an owner's place is (offset, size)");
  return false;
}

bool read_range(PyObject* key, Range& out) {
  unsigned long long address;
  if (!read_key(key, address, out.size)) return false;
  out.begin = reinterpret_cast<const char*>(address);
  return true;
}

// Adds entries to others; of one place in both, both targets count.
bool merge(PyObject* all, PyObject* owners) {
  if (!PyDict_GET_SIZE(all)) return PyDict_Update(all, owners) == 0;
  PyObject *key, *target;
  for (Py_ssize_t i = 0; PyDict_Next(owners, &i, &key, &target);) {
    PyObject* const known = PyDict_GetItemWithError(all, key);
    if (!known && PyErr_Occurred()) return false;
    const Ref both =
        known && known != target ? Ref::steal(PyTuple_Pack(2, known, target)) : Ref::borrow(target);
    if (!both || PyDict_SetItem(all, key, both.get()) < 0) return false;
  }
  return true;
}

// What the bytes of a record refer to now, as its keepers have it. Take it right before the bytes: no Python
// code, such as a finaliser that a garbage collection runs, may come in between. PyDict_Copy() may run one at
// its end.
Ref owners_now(Instance* instance) {
  Ref all = Ref::steal(PyDict_New());
  const Keepers keepers(instance);
  if (!all || !keepers) return Ref();
  const bool merged = keepers.each(
      [&](Instance* one) { return !one->pointee_owners || merge(all.get(), one->pointee_owners); });
  if (!merged || !add_targets_in_cxx({instance->data, Py_SIZE(instance)}, all.get())) return Ref();
  return all;
}

// The part of `owners` for the pointers in `range` of the instance, as {(offset, size): target}.
Ref owners_within(Instance* instance, const Ref& owners, const Range& range) {
  Ref found = Ref::steal(PyDict_New());
  OwnerSet rest;
  if (!owners || !found || !rest) return Ref();
  PyObject *key, *target;
  for (Py_ssize_t i = 0; PyDict_Next(owners.get(), &i, &key, &target);) {
    Range place;
    if (!read_range(key, place)) return Ref();
    if (range.contains(place) && place.size != range.size) {
      Ref moved = range_key(place.begin - range.begin, place.size);
      if (!moved || PyDict_SetItem(found.get(), moved.get(), target) < 0) return Ref();
    } else if ((!place.size || range.meets(place)) && !rest.add(target)) {
      return Ref();
    }
  }
  PyObject* owner = root_of(instance)->owner;
  if (owner && !rest.add(owner)) return Ref();
  if (!rest.count()) return found;
  Ref whole = range_key(0, range.size);
  Ref all = rest.object();
  return whole && all && PyDict_SetItem(found.get(), whole.get(), all.get()) == 0 ? std::move(found) : Ref();
}

// {(offset, size): target} for the bytes at `out`, as {(address, size): target}.
Ref owners_at(const char* out, PyObject* pointees) {
  Ref moved = Ref::steal(PyDict_New());
  PyObject *key, *target;
  for (Py_ssize_t i = 0; moved && PyDict_Next(pointees, &i, &key, &target);) {
    unsigned long long offset;
    Py_ssize_t size;
    if (!read_key(key, offset, size)) return Ref();
    OwnerSet flat;
    Ref place = range_key(reinterpret_cast<uintptr_t>(out) + offset, size);
    Ref all = flat && flat.add(target) ? flat.object() : Ref();
    if (!place || !all) return Ref();
    if (all.get() != Py_None && PyDict_SetItem(moved.get(), place.get(), all.get()) < 0) return Ref();
  }
  return moved;
}

// Exchanges the targets of the bytes at `range` for `fresh`. Those that go are moved to the list `old`, to be
// dropped when the bytes no longer point to them.
bool exchange(Instance* root, const Range& range, PyObject* fresh, PyObject* old) {
  PyObject *key, *target;
  for (Py_ssize_t i = 0; PyDict_Next(root->pointee_owners, &i, &key, &target);) {
    Range place;
    if (!read_range(key, place)) return false;
    if (range.contains(place) && (PyList_Append(old, key) < 0 || PyList_Append(old, target) < 0))
      return false;
  }
  for (Py_ssize_t i = 0; i < PyList_GET_SIZE(old); i += 2)
    if (PyDict_DelItem(root->pointee_owners, PyList_GET_ITEM(old, i)) < 0) return false;
  return PyDict_Update(root->pointee_owners, fresh) == 0;
}

// Whether all targets are there still: Python code has run since their addresses were taken. False: exception
// set.
bool are_there(PyObject* target) {
  if (!PyTuple_CheckExact(target)) return check_there(target);
  for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(target); ++i)
    if (!are_there(PyTuple_GET_ITEM(target, i))) return false;
  return true;
}

bool all_there(PyObject* pointees) {
  PyObject *key, *target;
  for (Py_ssize_t i = 0; PyDict_Next(pointees, &i, &key, &target);)
    if (!are_there(target)) return false;
  return true;
}

void note_owners(PyObject* pointees) {
  PyObject *key, *target;
  for (Py_ssize_t i = 0; PyDict_Next(pointees, &i, &key, &target);) note_viewed(target);
}

// Whether a keeper has room for entries. False: exception set.
bool prepare(Instance* root, PyObject* fresh) {
  if (!PyDict_GET_SIZE(fresh) || root->pointee_owners) return true;
  ledger_in_use = true;
  return (root->pointee_owners = PyDict_New()) != nullptr;
}

// Has a keeper keep `fresh` for the bytes at `range`; what it kept for them goes to the list `old`. False:
// out of memory.
bool renew_in(Instance* root, const Range& range, PyObject* fresh, PyObject* old) {
  if (!root->pointee_owners) return true;
  const Ref replaced = Ref::steal(PyList_New(0));
  if (!replaced || !exchange(root, range, fresh, replaced.get())) return false;
  if (!note_replaced(root, replaced.get(), fresh)) return false;
  const Py_ssize_t end = PyList_GET_SIZE(old);
  if (PyList_SetSlice(old, end, end, replaced.get()) < 0) return false;
  enlist(root);
  note_owners(fresh);
  return true;
}

bool keep_all_in_cxx(PyObject* fresh) {
  PyObject *key, *target;
  for (Py_ssize_t i = 0; PyDict_Next(fresh, &i, &key, &target);) {
    Range place;
    if (!read_range(key, place) || !keep_in_cxx(place, target, false)) return false;
  }
  note_owners(fresh);
  return true;
}

// Whether all keepers can keep targets, and those are there. False: exception set.
bool prepare_all(const Keepers& keepers, PyObject* fresh) {
  return keepers && keepers.each([&](Instance* one) { return prepare(one, fresh); }) && all_there(fresh);
}

// The one way in which what a place refers to is exchanged; what was there goes to the list `old`.
bool renew(const Keepers& keepers, const Range& range, PyObject* fresh, PyObject* old) {
  return keepers.each([&](Instance* one) { return renew_in(one, range, fresh, old); }) &&
         take_from_cxx(range, old) && (!keepers.in_cxx() || keep_all_in_cxx(fresh));
}

// Writes bytes and takes over what their pointers point into: {(offset, size): target}. No Python code runs
// between the last look at the targets and the end.
bool put(Instance* instance, char* out, Py_ssize_t size, const void* bytes, PyObject* pointees) {
  const Keepers keepers(instance);
  Ref fresh = owners_at(out, pointees);
  Ref old = Ref::steal(PyList_New(0));
  if (!fresh || !old || !prepare_all(keepers, fresh.get())) return false;
  if (renew(keepers, {out, size}, fresh.get(), old.get())) {
    std::memmove(out, bytes, size);
    return true;
  }
  std::memset(out, 0, size);  // out of memory: no pointer stays without its target
  return false;
}

// `owner` is None, a dictionary of places, or what all of the bytes depend on.
bool put_owned(Instance* instance, char* out, Py_ssize_t size, const void* bytes, PyObject* owner) {
  if (PyDict_CheckExact(owner)) return put(instance, out, size, bytes, owner);
  Ref pointees = Ref::steal(PyDict_New());
  Ref whole = range_key(0, size);
  if (!pointees || !whole) return false;
  if (owner != Py_None && PyDict_SetItem(pointees.get(), whole.get(), owner) < 0) return false;
  return put(instance, out, size, bytes, pointees.get());
}

// What keeps the memory valid that a pointer to `object` was just encoded for. A memoryview also forbids
// exporters such as bytearray to move it.
Ref lasting(PyObject* object, const Codec& codec) {
  const bool written = codec.kind == Kind::pointer ? !codec.is_const : codec.array.writable;
  if (PyObject_TypeCheck(object, pointer_type)) {
    Ref held = frozen(object);
    PyObject* const owner = held ? as_pointer(held.get())->owner : nullptr;
    if (written || !owner || !is_view(owner)) return held;
    return Ref::steal(lasting_view(owner, false));
  }
  if (shows_tensor(object)) {
    Ref view = Ref::steal(lasting_view(object, written));
    if (view) return view;
    PyErr_Clear();  // it shows no memory, and so has no address
  } else if (PyObject_CheckBuffer(object) && !is_instance_class(Py_TYPE(object))) {
    Ref view = Ref::steal(PyMemoryView_FromObject(object));
    if (view) return view;
    PyErr_Clear();  // an array of a dtype without a format; the array itself owns its memory
  }
  return Ref::borrow(object);
}

}  // namespace

Match encode_with_owners(Instance* instance, const CodecField& field, PyObject* object) {
  CallResources locked;
  const Codec& codec = *field.codec;
  if (likely(!codec.has_pointers)) return encode_field(field, object, instance->data, locked);
  // Pointers in tuples and lists: Python's converter knows what to hold for each.
  if (PyTuple_Check(object) || PyList_Check(object)) return Match::no;
  alignas(16) char small[64];
  std::unique_ptr<char[]> large;
  char* bytes = small;
  if (codec.size > static_cast<Py_ssize_t>(sizeof small)) {
    large.reset(new (std::nothrow) char[codec.size]);
    if (!large) return PyErr_NoMemory(), Match::error;
    bytes = large.get();
  }
  const char* from = codec.kind == Kind::structure ? instance_data(codec, object) : nullptr;
  Ref owner = from ? owners_now(as_instance(object)) : lasting(object, codec);
  if (!owner) return Match::error;
  if (from) {
    std::memcpy(bytes, from, codec.size);
    owner = owners_within(as_instance(object), owner, {from, codec.size});
  } else {
    const Match match = encode(codec, object, bytes, locked);
    if (match != Match::yes) return match;
  }
  if (!owner) return Match::error;
  return put_owned(instance, instance->data + field.offset, codec.size, bytes, owner.get()) ? Match::yes
                                                                                            : Match::error;
}

bool copy_converted(Instance* instance, char* out, Py_ssize_t size, PyObject* converted) {
  PyObject* bytes = converted;
  PyObject* owner = Py_None;
  if (PyTuple_CheckExact(converted) && PyTuple_GET_SIZE(converted) == 2) {
    bytes = PyTuple_GET_ITEM(converted, 0);
    owner = PyTuple_GET_ITEM(converted, 1);
  }
  if (!PyBytes_Check(bytes) || PyBytes_GET_SIZE(bytes) != size) {
    PyErr_Format(PyExc_SystemError, "converting to %s gave %R instead of %zd bytes",
                 Py_TYPE(instance)->tp_name, bytes, size);
    return false;
  }
  return put_owned(instance, out, size, PyBytes_AS_STRING(bytes), owner);
}

Ref targets_now(Instance* instance) { return owners_now(instance); }

bool hold_pointee_owners(PyObject* object, CallResources& resources) {
  if (!is_record_class(Py_TYPE(object))) return true;  // a value's never change
  const Instance* root = root_of(as_instance(object));
  if (!root->pointee_owners || !PyDict_GET_SIZE(root->pointee_owners)) return true;
  Ref copy = owners_now(as_instance(object));
  return copy && resources.hold(copy.release());
}

Ref owner_of_field(Instance* instance, const char* data, Py_ssize_t size) {
  auto* object = reinterpret_cast<PyObject*>(instance);
  if (!ledger_in_use || !is_record_class(Py_TYPE(object))) return Ref::borrow(object);
  const Keepers keepers(instance);
  if (!keepers) return Ref();
  if (!keepers.have_entries()) return Ref::borrow(object);
  Ref owners = owners_now(instance);
  OwnerSet all;
  if (!owners || !all || !all.add(object)) return Ref();
  PyObject *key, *target;
  for (Py_ssize_t i = 0; PyDict_Next(owners.get(), &i, &key, &target);) {
    Range place;
    if (!read_range(key, place) || (Range{data, size}.meets(place) && !all.add(target))) return Ref();
  }
  return all.count() > 1 ? all.tuple() : Ref::borrow(object);
}

PyObject* copy_with_owners(PyTypeObject* type, const Codec& codec, Instance* from, const char* data) {
  Ref made = Ref::steal(new_instance(type, codec, nullptr, nullptr));
  Ref owners = made ? owners_now(from) : Ref();
  if (!owners) return nullptr;
  Instance* instance = as_instance(made.get());
  std::memcpy(instance->data, data, codec.size);
  Ref pointees = owners_within(from, owners, {data, codec.size});
  if (!pointees || !put(instance, instance->data, codec.size, instance->data, pointees.get())) return nullptr;
  return made.release();
}

bool hold_targets(Instance* instance, const char* place, PyObject* targets) {
  const Keepers keepers(instance);
  const Range range{place, 1};  // no other object begins there that is no bytes
  Ref fresh = Ref::steal(PyDict_New());
  Ref old = Ref::steal(PyList_New(0));
  Ref key = range_key(reinterpret_cast<uintptr_t>(place), range.size);
  if (!fresh || !old || !key) return false;
  if (PyTuple_GET_SIZE(targets) && PyDict_SetItem(fresh.get(), key.get(), targets) < 0) return false;
  return prepare_all(keepers, fresh.get()) && renew(keepers, range, fresh.get(), old.get());
}

// Its place is that of no bytes: nothing that is assigned ends it.
bool add_target(Instance* instance, PyObject* target) {
  const Keepers keepers(instance);
  Ref fresh = Ref::steal(PyDict_New());
  Ref key = range_key(reinterpret_cast<uintptr_t>(target), 0);
  if (!fresh || !key || PyDict_SetItem(fresh.get(), key.get(), target) < 0) return false;
  if (!prepare_all(keepers, fresh.get())) return false;
  const bool held = keepers.each([&](Instance* one) {
    if (reinterpret_cast<PyObject*>(one) == target) return true;
    if (PyDict_Update(one->pointee_owners, fresh.get()) < 0) return false;
    enlist(one);
    return true;
  });
  if (!held || (keepers.in_cxx() && !keep_in_cxx({root_of(instance)->data, 0}, target, true))) return false;
  note_owners(fresh.get());
  return true;
}

Ref owner_of_results(PyObject* const* args, int count, PyObject* last) {
  OwnerSet all;
  if (!all) return Ref();
  for (int i = 0; i < count; ++i)
    if (!all.add_item(args[i])) return Ref();
  if (!add_remains(args, count, all)) return Ref();
  if (last && !all.add(last)) return Ref();
  return all.count() ? all.tuple() : Ref::borrow(Py_None);
}

PyObject* snapshot(Instance* instance) {
  Ref owners = owners_now(instance);
  Ref bytes = Ref::steal(owners ? PyBytes_FromStringAndSize(instance->data, Py_SIZE(instance)) : nullptr);
  Ref pointees = bytes ? owners_within(instance, owners, {instance->data, Py_SIZE(instance)}) : Ref();
  return pointees ? PyTuple_Pack(2, bytes.get(), pointees.get()) : nullptr;
}

}  // namespace samebytes
