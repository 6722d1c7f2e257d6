// Who keeps what: the one ledger of Python's objects to which C++'s objects refer. Every way of assigning,
// moving, replacing and capturing goes through it: see the table in ARCHITECTURE.md.
//
// An entry is a place and its targets. Objects that Python ends have their entries themselves
// (Instance::pointee_owners), where the garbage collector sees them; those of C++'s own objects are here, by
// address. What is replaced lives on for results that came from its keeper while it was there: in their
// Remains.
#pragma once
#include <vector>

#include "object/instance.hpp"
#include "object/owner_set.hpp"

namespace samebytes {

// Bytes of C++'s.
struct Range {
  const char* begin;
  Py_ssize_t size;

  const char* end() const { return begin + size; }
  bool contains(const Range& other) const { return other.begin >= begin && other.end() <= end(); }
  bool meets(const Range& other) const { return other.begin < end() && begin < other.end(); }
};

// The objects of Python's that keep what an instance's bytes refer to: the object that the bytes are part of
// and, where Python does not end that, those from which it came. Needs the GIL; runs no Python code.
class Keepers {
 public:
  explicit Keepers(Instance* instance);

  // False: no memory, MemoryError is set.
  explicit operator bool() const { return !failed_; }
  // Nobody in Python ends what the bytes lie in.
  bool in_cxx() const { return in_cxx_; }
  // Whether one of them, or the ledger, has any entry.
  bool have_entries() const;
  // Until `act` says false. False: it did so.
  template <class Act>
  bool each(const Act& act) const {
    if (!act(root_)) return false;
    for (Instance* one : others_)
      if (!act(one)) return false;
    return true;
  }

 private:
  void search();
  void follow(PyObject* owner);
  void meet(Instance* one);

  Instance* root_;
  std::vector<Instance*> others_, passed_;
  bool failed_ = false, in_cxx_ = false;
};

// Whether anything has ever been kept: until then nobody has to ask for it.
extern bool ledger_in_use;

// --- what C++'s own objects refer to, by address; False: MemoryError is set ---

// A `whole` entry is one of an object that begins at the place, and not of its bytes.
bool keep_in_cxx(const Range& place, PyObject* target, bool whole);
// The entries of bytes that are assigned; their targets go to the list `old`, as place and target in turn.
bool take_from_cxx(const Range& range, PyObject* old);
bool add_targets_in_cxx(const Range& range, PyObject* owners);
// The object in these bytes is gone, or another's.
void forget_in_cxx(const Range& range);
// An object of Python's is C++'s from now on: what it keeps is kept here. `owner` may be null.
bool move_to_cxx(const Range& object, PyObject* pointee_owners, PyObject* owner);

// --- what results may still refer to when it has been replaced ---

// Adds the Remains of the arguments' keepers, and of C++'s own objects, to the owners of a result. False:
// exception set.
bool add_remains(PyObject* const* args, int count, OwnerSet& all);
bool is_remains(PyObject* object);
// Whether an owner keeps nothing but what was replaced: the object is C++'s own all the same.
bool is_of_remains_alone(PyObject* owner);
// The same owners without Remains, for those who are shown them; null: exception set.
Ref without_remains(PyObject* owner);
// A keeper's entries change: `old` are places and targets that go, `fresh` what comes. False: exception set.
bool note_replaced(Instance* keeper, PyObject* old, PyObject* fresh);
// The keeper dies.
void forget_remains(const Instance* keeper);

}  // namespace samebytes
