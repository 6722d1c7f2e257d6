// The ledger of what C++'s objects refer to: see object/ledger.hpp.
#include "object/ledger.hpp"

#include <algorithm>
#include <map>
#include <new>
#include <utility>

#include "call/seen.hpp"
#include "object/dependents.hpp"
#include "object/handle.hpp"
#include "object/result_owner.hpp"
#include "object/smart_pointer.hpp"

namespace samebytes {

bool ledger_in_use = false;

namespace {

bool is_remains(const Instance* instance) { return !instance->data && Py_IS_TYPE(instance, record_type); }

// Whether an object lies in what somebody else ends; else its owner is what it refers to.
bool lies_elsewhere(Instance* root) {
  auto* const object = reinterpret_cast<PyObject*>(root);
  const auto at = reinterpret_cast<uintptr_t>(root->data) - reinterpret_cast<uintptr_t>(object);
  if (at <= kOwnBytesReach) return false;
  if (!is_handle_class(Py_TYPE(object))) return true;
  const Handle* const handle = as_handle(object);
  return !handle->destroy && !handle->given && !handle->unmade;
}

}  // namespace

Keepers::Keepers(Instance* instance) : root_(root_of(instance)) {
  if (likely(!lies_elsewhere(root_))) return;
  try {
    search();
  } catch (const std::bad_alloc&) {
    PyErr_NoMemory();
    failed_ = true;
  }
}

void Keepers::search() {
  passed_.push_back(root_);
  follow(root_->owner);
  const bool owned = root_->owner && is_share(Py_TYPE(root_->owner));
  in_cxx_ = others_.empty() && !owned;
}

void Keepers::follow(PyObject* owner) {
  if (!owner) return;
  if (PyTuple_CheckExact(owner)) {
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(owner); ++i) follow(PyTuple_GET_ITEM(owner, i));
  } else if (is_record_class(Py_TYPE(owner))) {
    meet(as_instance(owner));
  } else if (is_share(Py_TYPE(owner))) {
    PyObject* const seen = handle_of_share(owner);
    if (seen && Py_REFCNT(seen) > 0) meet(as_instance(seen));
    follow(owner_of_share(owner));
  } else if (keeps_results(Py_TYPE(owner))) {
    PyObject* const held = owners_of_result(owner);
    if (held != owner) follow(held);
  }
}

// An object that refers to others is no part of them, and yet what it shows may be.
void Keepers::meet(Instance* one) {
  if (is_remains(one) || std::find(passed_.begin(), passed_.end(), one) != passed_.end()) return;
  passed_.push_back(one);
  const bool own = one->owner && is_share(Py_TYPE(one->owner));
  if (own || !lies_elsewhere(one)) others_.push_back(one);
  follow(one->owner);
}

namespace {

struct Keeping {
  Py_ssize_t size;
  PyObject* target;  // strong
  bool whole;
};
using Keepings = std::multimap<uintptr_t, Keeping>;

// Never destroyed, as C++'s objects outlive what ends a process.
Keepings& entries() {
  static auto* const known = new Keepings;
  return *known;
}
Py_ssize_t longest = 0;  // of the entries' places

uintptr_t address(const char* at) { return reinterpret_cast<uintptr_t>(at); }

// Calls `act` with each entry whose place begins so near that it may meet the range. Erasing is allowed.
template <class Act>
bool each_near(const Range& range, const Act& act) {
  if (likely(entries().empty())) return true;
  const uintptr_t begin = address(range.begin);
  auto at = entries().lower_bound(begin - std::min<uintptr_t>(begin, longest));
  while (at != entries().end() && at->first < begin + std::max<Py_ssize_t>(range.size, 1)) {
    const auto one = at++;
    if (!act(one, Range{reinterpret_cast<const char*>(one->first), one->second.size})) return false;
  }
  return true;
}

Ref key_of(const Range& place) {
  return Ref::steal(Py_BuildValue("(Kn)", static_cast<unsigned long long>(address(place.begin)), place.size));
}

bool append(PyObject* list, const Range& place, PyObject* target) {
  const Ref key = key_of(place);
  return key && PyList_Append(list, key.get()) == 0 && PyList_Append(list, target) == 0;
}

}  // namespace

bool keep_in_cxx(const Range& place, PyObject* target, bool whole) try {
  const auto same = entries().equal_range(address(place.begin));
  for (auto one = same.first; one != same.second; ++one)
    if (one->second.target == target && one->second.whole == whole) return true;
  entries().emplace(address(place.begin), Keeping{place.size, target, whole});
  Py_INCREF(target);
  longest = std::max(longest, place.size);
  ledger_in_use = true;
  return true;
} catch (const std::bad_alloc&) {
  return PyErr_NoMemory(), false;
}

bool take_from_cxx(const Range& range, PyObject* old) {
  return each_near(range, [&](Keepings::iterator one, const Range& place) {
    if (one->second.whole || !range.contains(place)) return true;
    if (!append(old, place, one->second.target)) return false;
    Py_DECREF(one->second.target);  // the list has it
    entries().erase(one);
    return true;
  });
}

bool add_targets_in_cxx(const Range& range, PyObject* owners) {
  return each_near(range, [&](Keepings::iterator one, const Range& place) {
    if (!one->second.whole && !range.meets(place)) return true;
    const Ref key = key_of(one->second.whole ? Range{range.begin, range.size} : place);
    PyObject* const known = key ? PyDict_GetItemWithError(owners, key.get()) : nullptr;
    if (!key || PyErr_Occurred()) return false;
    const Ref both =
        known ? Ref::steal(PyTuple_Pack(2, known, one->second.target)) : Ref::borrow(one->second.target);
    return both && PyDict_SetItem(owners, key.get(), both.get()) == 0;
  });
}

// What is dropped may run any code: it goes when the entries are gone.
void forget_in_cxx(const Range& range) try {
  std::vector<Ref> old;
  each_near(range, [&](Keepings::iterator one, const Range& place) {
    if (place.begin < range.begin || place.begin >= range.end()) return true;
    old.push_back(Ref::steal(one->second.target));
    entries().erase(one);
    return true;
  });
} catch (const std::bad_alloc&) {
  return;  // they are kept for longer
}

bool move_to_cxx(const Range& object, PyObject* pointee_owners, PyObject* owner) {
  if (owner && !keep_in_cxx({object.begin, 0}, owner, true)) return false;
  PyObject *key, *target;
  for (Py_ssize_t i = 0; pointee_owners && PyDict_Next(pointee_owners, &i, &key, &target);) {
    unsigned long long at;
    Py_ssize_t size;
    if (!PyArg_ParseTuple(key, "Kn", &at, &size)) return false;
    const Range place{reinterpret_cast<const char*>(at), size};
    if (!keep_in_cxx(size ? place : Range{object.begin, 0}, target, !size)) return false;
  }
  return true;
}

// --- Remains: an instance without bytes, to which its keeper refers weakly ---

namespace {

PyObject* remains_of_cxx = nullptr;  // a weak reference, or null

// Of a weak reference, borrowed or null: whoever asks has the GIL.
Instance* remains_in(PyObject* reference) {
  PyObject* const found = reference ? PyWeakref_GET_OBJECT(reference) : Py_None;
  return found == Py_None ? nullptr : as_instance(found);
}

PyObject* reference_of(const Instance* keeper) {
  PyObject* const key = keeper->pointee_owners ? remains_key() : nullptr;
  return key ? PyDict_GetItemWithError(keeper->pointee_owners, key) : nullptr;
}

Ref new_remains() { return Ref::steal(view_instance(record_type, 0, nullptr, nullptr)); }

// Whether a keeper has entries that an assignment would end.
bool may_be_replaced(PyObject* entries) {
  PyObject *key, *target;
  for (Py_ssize_t i = 0; PyDict_Next(entries, &i, &key, &target);)
    if (PyTuple_CheckExact(key) && PyLong_AsSsize_t(PyTuple_GET_ITEM(key, 1))) return true;
  return false;
}

bool add_remains_of(Instance* keeper, OwnerSet& all) {
  if (!keeper->pointee_owners || !may_be_replaced(keeper->pointee_owners)) return true;
  PyObject* const known = reference_of(keeper);
  if (!known && PyErr_Occurred()) return false;
  if (Instance* const there = remains_in(known)) return all.add_item(reinterpret_cast<PyObject*>(there));
  const Ref made = new_remains();
  const Ref reference = Ref::steal(made ? PyWeakref_NewRef(made.get(), nullptr) : nullptr);
  return reference && PyDict_SetItem(keeper->pointee_owners, remains_key(), reference.get()) == 0 &&
         all.add_item(made.get());
}

bool add_remains_of_cxx(OwnerSet& all) {
  if (entries().empty()) return true;
  if (Instance* const there = remains_in(remains_of_cxx))
    return all.add_item(reinterpret_cast<PyObject*>(there));
  const Ref made = new_remains();
  Ref reference = Ref::steal(made ? PyWeakref_NewRef(made.get(), nullptr) : nullptr);
  if (!reference) return false;
  Py_XSETREF(remains_of_cxx, reference.release());
  return all.add_item(made.get());
}

bool keep_remains(Instance* remains, PyObject* old) {
  if (!remains) return true;
  if (!remains->pointee_owners && !(remains->pointee_owners = PyDict_New())) return false;
  for (Py_ssize_t i = 1; i < PyList_GET_SIZE(old); i += 2) {
    PyObject* const target = PyList_GET_ITEM(old, i);
    const Ref key = key_of({reinterpret_cast<const char*>(target), 0});
    if (!key || PyDict_SetItem(remains->pointee_owners, key.get(), target) < 0) return false;
    note_viewed(target);
  }
  enlist(remains);
  return true;
}

}  // namespace

PyObject* remains_key() {
  static PyObject* key = nullptr;
  if (!key) key = Py_BuildValue("(Kn)", 0ULL, static_cast<Py_ssize_t>(0));
  return key;
}

bool add_remains(PyObject* const* args, int count, OwnerSet& all) {
  if (likely(!ledger_in_use)) return true;
  for (int i = 0; i < count; ++i) {
    if (!is_record_class(Py_TYPE(args[i]))) continue;
    const Keepers keepers(as_instance(args[i]));
    if (!keepers || !keepers.each([&](Instance* one) { return add_remains_of(one, all); })) return false;
  }
  return add_remains_of_cxx(all);
}

bool pass_to_remains(const Keepers& keepers, PyObject* old) {
  if (!PyList_GET_SIZE(old)) return true;
  const bool passed =
      keepers.each([&](Instance* one) { return keep_remains(remains_in(reference_of(one)), old); });
  return passed && !PyErr_Occurred() && keep_remains(remains_in(remains_of_cxx), old);
}

}  // namespace samebytes
