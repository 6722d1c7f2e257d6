// Whether what an argument stands for depends on an object: it is that object, lies in the same bytes, or
// keeps it because it refers to it.
#pragma once
#include <unordered_set>
#include <vector>

#include "object/instance.hpp"

namespace samebytes {

// One search, for one object. Needs the GIL; runs no Python code.
class Reach {
 public:
  // Unless `by_bytes`, only references count, and not where an object lies.
  explicit Reach(PyObject* target, bool by_bytes = true);

  // Whether an object reaches the target. Without memory for the search: true, the answer that harms nobody.
  bool from(PyObject* object);
  bool from(const class CallResources& resources);
  // How often a call's claims were met that have the target as their object; that is not found.
  int claims() const { return claims_; }
  // What was found is no more: the search goes on with other objects.
  void forget();

 private:
  static int visit(PyObject* object, void* self);
  void meet(PyObject* object);
  bool drain();
  void follow(PyObject* object);
  bool meets(const char* begin, Py_ssize_t size) const;

  PyObject* const target_;
  PyObject* share_ = nullptr;    // the smart pointer that owns the target: what keeps that depends on it, too
  const char* begin_ = nullptr;  // the target's bytes
  Py_ssize_t size_ = 0;
  bool found_ = false;
  int claims_ = 0;
  std::vector<PyObject*> todo_;
  std::unordered_set<PyObject*> seen_;
};

}  // namespace samebytes
