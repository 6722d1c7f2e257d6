// Whether Python has objects that lie inside of a C++ object of Python's, or refer to it: noted when one is
// made, and looked for when somebody would end the object.
//
// How objects end, as a proof. Whoever uses an object X is one of three, and each says so before it begins:
//   - a running call, in its thread's chain (call/running.hpp), from before it reads an address until its
//     results are made: with the GIL, and without Python code between the reading and the entry in the chain;
//   - an object D of Python's that lies inside of X, in what X owns, or refers to it (views, pointers,
//     iterators, what was made with it, results that describe it). While D is made, a running call uses X;
//     enlist(D) and note_viewed(X) come with the reference from D to X, after the last allocation, as that
//     may collect garbage, run any Python code and let go of the GIL. D is in the list of dependents
//     (object/dependents.hpp) until it dies, whatever the garbage collector knows of it. So X.viewed is set
//     while there is such a D, as only a search of that list which found none clears it. A D that refers to
//     X by others (a view of a view, a pointer whose owner is a tuple) keeps one alive that says so itself;
//   - C++, by a std::shared_ptr that keeps the Python object (Handle::shares).
// Whoever ends X (sb.delete(), a deleter called by hand, a std::unique_ptr that takes it over, the assignment
// to a member that owns it) runs all Python code first: conversions, then look(). Then, with the GIL and
// without Python code, it asks is_taken(), shares, is_seen() and in_use(), for all objects that it ends, and
// marks them: they have no size from then on, so that nobody begins to use them. Nothing is assumed of what
// look() found a moment ago: what was made since has set `viewed` again.
#pragma once
#include "object/handle.hpp"

namespace samebytes {

// Notes that Python has, from now on, an object that lies inside of these: what `owner` is, or holds. Right
// where the object comes to refer to `owner`; no Python code may run in between.
void note_viewed(PyObject* owner);

// Whether Python may have objects that lie inside of an object or that refer to it.
inline bool is_seen(PyObject* handle) { return as_handle(handle)->viewed; }

// Searches the list of dependents, if there may be any, and notes that there are none. Where it finds one,
// garbage is collected, which may be what holds it, and the list is searched again: Python code runs before
// the last search, and none afterwards. False: exception set.
bool look(PyObject* handle);
// The same for what lies inside of an object's bytes, or refers to it, but elsewhere than in those bytes:
// inside of what it owns, perhaps. `object` may be a view of an object that nobody in Python owns.
bool look_beyond(PyObject* object, bool& found);
// ... and is an object of one of these classes, of a base or of a derived one.
bool look_for_elements(PyObject* object, PyObject* classes, bool& found);

// Has what lies inside of an object's bytes, or points there, lie so many bytes further: the object has been
// copied, and its view shows the copy from now on. Arrays stay where they are, as others show their memory.
void move_dependents(PyObject* object, Py_ssize_t by);

int add_seen_functions(PyObject* module);

}  // namespace samebytes
