// Objects whose owner is a C++ smart pointer, and Python objects that C++ comes to own.
#pragma once
#include "codec/codec.hpp"
#include "object/handle.hpp"

namespace samebytes {

// The wire of a std::shared_ptr or std::unique_ptr; include/samebytes/crossing/owner.hpp has the same.
struct OwnerWire {
  void* object;
  void* box;  // of a result: begins as Box does
  PyObject* python;
  const void* api;
};

// What the shim keeps beside the smart pointer that it returned.
struct Box {
  void* pointer;                      // the smart pointer
  void (*forget)(void*);              // of a std::unique_ptr that deletes: it owns no more
  void (*share)(const void*, void*);  // of a std::shared_ptr
  void (*end)(void*);                 // lets go of the object
  void (*lose)(void*);                // of a std::unique_ptr: it owns no more
  bool sole;                          // two of them to one object would end it twice
};

// The view of what a result's smart pointer points to; None for null. `owner` keeps the smart pointer.
PyObject* decode_owner(const Codec& codec, const char* data, PyObject* owner);

// Whether a type is that of the owners of such views, what one of them keeps, and the handle that views the
// object (borrowed, or null).
bool is_share(PyTypeObject* type);
PyObject* owner_of_share(PyObject* share);
PyObject* handle_of_share(PyObject* share);

// Whether the object of a handle is no longer Python's, or not yet: C++ has taken it over, a call has claimed
// it for that, it was ended, or its constructor has still to run.
inline bool is_taken(PyObject* handle) {
  const Handle* const known = as_handle(handle);
  return !known->data || known->claimed || known->unmade;
}

// Nothing of a claimed object is Python's any more: neither the object nor a smart pointer that owned it.
void disown(PyObject* handle);

// What shims ask of Python objects that C++ holds, in any thread. False: C++ has taken the object over.
bool retain_object(void* object);
void release_object(void* object);

// The box of the smart pointer that owns an object; null: none does.
Box* box_of(PyObject* object);
// Whether the C++ object of a handle, or a share of it, is Python's to end.
bool is_own(PyObject* object);
// Whether an object is one that its own std::shared_ptr keeps.
bool is_shared(PyObject* object);

// --- the addresses of objects that Python alone owns by smart pointers; with the GIL ---

// Of an address: the Python object that owns what lies there (borrowed). `there`: somebody owns it, even
// where that is no handle, or a handle that is gone while objects inside of it live.
PyObject* sole_owner(const void* address, bool& there);
// What lies there is about to end, or is C++'s.
void unlist(PyObject* object);
// It was not ended after all.
void list_again(PyObject* object);
// A handle dies before the smart pointer that it views.
void forget_seen(PyObject* handle);
// A record or a handle dies, and its C++ object with it or not: what it kept is kept for as long as that may
// be there.
void leave_ledger(PyObject* view, bool ends);

int add_smart_pointer_type(PyObject* module);

}  // namespace samebytes
