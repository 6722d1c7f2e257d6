// The ledger of what C++'s objects refer to: see object/ledger.hpp.
#include "object/ledger.hpp"

#include <algorithm>
#include <map>
#include <new>
#include <unordered_map>
#include <utility>

#include "call/seen.hpp"
#include "object/dependents.hpp"
#include "object/handle.hpp"
#include "object/result_owner.hpp"
#include "object/smart_pointer.hpp"

namespace samebytes {

bool ledger_in_use = false;

namespace {

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
  if (is_remains(reinterpret_cast<PyObject*>(one)) ||
      std::find(passed_.begin(), passed_.end(), one) != passed_.end())
    return;
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
  uint64_t since;  // the number of the first results that may refer to it
};
using Keepings = std::multimap<uintptr_t, Keeping>;

// Never destroyed, as C++'s objects outlive what ends a process.
Keepings& keepings() {
  static auto* const known = new Keepings;
  return *known;
}
Py_ssize_t longest = 0;  // of the entries' places

uintptr_t address(const char* at) { return reinterpret_cast<uintptr_t>(at); }

// Calls `act` with each entry whose place begins so near that it may meet the range. Erasing is allowed.
template <class Act>
bool each_near(const Range& range, const Act& act) {
  if (likely(keepings().empty())) return true;
  const uintptr_t begin = address(range.begin);
  auto at = keepings().lower_bound(begin - std::min<uintptr_t>(begin, longest));
  while (at != keepings().end() && at->first < begin + std::max<Py_ssize_t>(range.size, 1)) {
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

namespace {
uint64_t number_of_results_now();                      // of results of C++'s own objects
bool pass_replaced(PyObject* target, uint64_t since);  // ... to those that may refer to a target
}  // namespace

bool Keepers::have_entries() const {
  const auto has_none = [](Instance* one) {
    return !one->pointee_owners || !PyDict_GET_SIZE(one->pointee_owners);
  };
  return !keepings().empty() || !each(has_none);
}

bool keep_in_cxx(const Range& place, PyObject* target, bool whole) try {
  const auto same = keepings().equal_range(address(place.begin));
  for (auto one = same.first; one != same.second; ++one)
    if (one->second.target == target && one->second.whole == whole) return true;
  keepings().emplace(address(place.begin), Keeping{place.size, target, whole, number_of_results_now()});
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
    if (!pass_replaced(one->second.target, one->second.since)) return false;
    Py_DECREF(one->second.target);  // the list has it
    keepings().erase(one);
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
    keepings().erase(one);
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

using Place = std::pair<uintptr_t, Py_ssize_t>;

// Results of one keeper have numbers. Those between two assignments share one, and one Remains: of what is
// replaced, that which was there by then goes to it.
class History {
 public:
  // The Remains of results that are made now. Null: exception set.
  Ref remains() {
    if (!lives_.empty() && !changed_)
      if (Instance* const last = there(lives_.back().second)) return borrowed(last);
    Ref made = Ref::steal(view_instance(record_type, 0, nullptr, nullptr));
    Ref reference = Ref::steal(made ? PyWeakref_NewRef(made.get(), nullptr) : nullptr);
    if (!reference) return Ref();
    drop_dead();
    lives_.emplace_back(number_++, std::move(reference));
    changed_ = false;
    return made;
  }

  // The number of the first results that may refer to what comes now.
  uint64_t now() {
    changed_ = true;
    return lives_.empty() ? 0 : number_;
  }

  bool pass(PyObject* target, uint64_t since) {
    for (const auto& [number, reference] : lives_) {
      Instance* const remains = number >= since ? there(reference) : nullptr;
      if (remains && !hold(remains, target)) return false;
    }
    return true;
  }

  void note(const Place& place) {
    drop_dead();
    const uint64_t since = now();
    if (since) since_[place] = since;
  }

  uint64_t take(const Place& place) {
    const auto found = since_.find(place);
    if (found == since_.end()) return 0;
    const uint64_t since = found->second;
    since_.erase(found);
    return since;
  }

 private:
  static Instance* there(const Ref& reference) {
    PyObject* const found = PyWeakref_GET_OBJECT(reference.get());
    return found == Py_None ? nullptr : as_instance(found);
  }
  static Ref borrowed(Instance* one) { return Ref::borrow(reinterpret_cast<PyObject*>(one)); }

  static bool hold(Instance* remains, PyObject* target) {
    if (!remains->pointee_owners && !(remains->pointee_owners = PyDict_New())) return false;
    const Ref key = key_of({reinterpret_cast<const char*>(target), 0});
    if (!key || PyDict_SetItem(remains->pointee_owners, key.get(), target) < 0) return false;
    enlist(remains);
    note_viewed(target);
    return true;
  }

  void drop_dead() {
    const auto dead = [](const auto& life) { return !there(life.second); };
    lives_.erase(std::remove_if(lives_.begin(), lives_.end(), dead), lives_.end());
  }

  uint64_t number_ = 1;
  bool changed_ = false;
  std::vector<std::pair<uint64_t, Ref>> lives_;  // weak references
  std::map<Place, uint64_t> since_;              // of places whose targets came after some results
};

// By keeper. Never destroyed, as the entries are not.
std::unordered_map<const Instance*, History>& histories() {
  static auto* const known = new std::unordered_map<const Instance*, History>;
  return *known;
}

History& history_of_cxx() {
  static auto* const known = new History;
  return *known;
}

uint64_t number_of_results_now() { return history_of_cxx().now(); }
bool pass_replaced(PyObject* target, uint64_t since) { return history_of_cxx().pass(target, since); }

// Whether a keeper has entries that an assignment would end.
bool may_be_replaced(PyObject* entries) {
  PyObject *key, *target;
  for (Py_ssize_t i = 0; PyDict_Next(entries, &i, &key, &target);)
    if (PyTuple_CheckExact(key) && PyLong_AsSsize_t(PyTuple_GET_ITEM(key, 1))) return true;
  return false;
}

bool add(History& history, OwnerSet& all) {
  const Ref remains = history.remains();
  return remains && all.add_item(remains.get());
}

bool add_remains_of(Instance* keeper, OwnerSet& all) {
  const bool any = keeper->pointee_owners && may_be_replaced(keeper->pointee_owners);
  return !any || add(histories()[keeper], all);
}

bool place_of(PyObject* key, Place& out) {
  unsigned long long at;
  if (!PyArg_ParseTuple(key, "Kn", &at, &out.second)) return false;
  out.first = at;
  return true;
}

}  // namespace

bool is_remains(PyObject* object) { return Py_IS_TYPE(object, record_type) && !as_instance(object)->data; }

bool is_of_remains_alone(PyObject* owner) {
  if (!PyTuple_CheckExact(owner)) return is_remains(owner);
  for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(owner); ++i)
    if (!is_remains(PyTuple_GET_ITEM(owner, i))) return false;
  return true;
}

Ref without_remains(PyObject* owner) {
  if (!PyTuple_CheckExact(owner)) return Ref::borrow(owner);
  const Ref list = Ref::steal(PyList_New(0));
  for (Py_ssize_t i = 0; list && i < PyTuple_GET_SIZE(owner); ++i) {
    PyObject* const one = PyTuple_GET_ITEM(owner, i);
    if (!is_remains(one) && PyList_Append(list.get(), one) < 0) return Ref();
  }
  return list ? Ref::steal(PyList_AsTuple(list.get())) : Ref();
}

bool add_remains(PyObject* const* args, int count, OwnerSet& all) try {
  if (likely(!ledger_in_use)) return true;
  for (int i = 0; i < count; ++i) {
    if (!is_record_class(Py_TYPE(args[i]))) continue;
    const Keepers keepers(as_instance(args[i]));
    if (!keepers || !keepers.each([&](Instance* one) { return add_remains_of(one, all); })) return false;
  }
  return keepings().empty() || add(history_of_cxx(), all);
} catch (const std::bad_alloc&) {
  return PyErr_NoMemory(), false;
}

bool note_replaced(Instance* keeper, PyObject* old, PyObject* fresh) try {
  const auto found = histories().find(keeper);
  if (found == histories().end()) return true;
  Place place;
  for (Py_ssize_t i = 0; i + 1 < PyList_GET_SIZE(old); i += 2)
    if (!place_of(PyList_GET_ITEM(old, i), place) ||
        !found->second.pass(PyList_GET_ITEM(old, i + 1), found->second.take(place)))
      return false;
  PyObject *key, *target;
  for (Py_ssize_t i = 0; PyDict_Next(fresh, &i, &key, &target);) {
    if (!place_of(key, place)) return false;
    found->second.note(place);
  }
  return true;
} catch (const std::bad_alloc&) {
  return PyErr_NoMemory(), false;
}

void forget_remains(const Instance* keeper) {
  if (!histories().empty()) histories().erase(keeper);
}

}  // namespace samebytes
