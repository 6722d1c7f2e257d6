// What overload resolution looks at, and a cache by it: arguments with equal keys choose the same candidate.
#pragma once
#include <Python.h>

#include <atomic>
#include <cstdint>
#include <cstdlib>

#include "object/ending.hpp"

namespace samebytes {

// What decides between candidates of one arity: see call/overload_keys.cpp.
struct ArgumentKey {
  PyTypeObject* type;  // in a cache remembered: see object/classes.hpp
  PyObject* dtype;     // strong or null
  intptr_t aux;
};

// What the candidates of one arity look at in one argument, besides its type: then it decides between them.
struct Position {
  uint32_t align_mask;  // of arrays: the largest alignment that one needs, less one
  bool formats;         // of numbers: whether floating formats hold them
  bool made;            // it is the new object of a constructor
};

bool argument_key(PyObject* object, const Position& position,
                  ArgumentKey& key);  // false: cannot be cached, or exception set
inline bool same_key(const ArgumentKey& a, const ArgumentKey& b) {
  return a.type == b.type && a.dtype == b.dtype && a.aux == b.aux;
}

// Puts keys into a cache's entry; false: MemoryError. And takes them out of it.
bool remember_keys(ArgumentKey* to, const ArgumentKey* keys, Py_ssize_t count);
void forget_keys(ArgumentKey* keys, Py_ssize_t count);
// Whether one of an entry's classes has died: no argument is of such keys any more.
bool is_gone(const ArgumentKey* keys, Py_ssize_t count);

// Keeps what keys name while Python code runs, which may give an argument another class or dtype.
class KeyReferences {
 public:
  KeyReferences(const ArgumentKey* keys, Py_ssize_t count) : keys_(keys), count_(count) {
    for (Py_ssize_t i = 0; i < count_; ++i) {
      Py_INCREF(keys_[i].type);
      Py_XINCREF(keys_[i].dtype);
    }
  }
  KeyReferences(const KeyReferences&) = delete;
  KeyReferences& operator=(const KeyReferences&) = delete;
  ~KeyReferences() {
    if (!may_touch_python()) return;
    for (Py_ssize_t i = 0; i < count_; ++i) {
      Py_DECREF(keys_[i].type);
      Py_XDECREF(keys_[i].dtype);
    }
  }

 private:
  const ArgumentKey* keys_;
  Py_ssize_t count_;
};

// What a cache's values need: candidates live as long as their plan, functions are held.
inline void hold_value(const struct Candidate*) {}
inline void drop_value(const struct Candidate*) {}
inline int visit_value(const struct Candidate*, visitproc, void*) { return 0; }
inline void hold_value(PyObject* function) { Py_INCREF(function); }
inline void drop_value(PyObject* function) { Py_DECREF(function); }
inline int visit_value(PyObject* function, visitproc visit, void* arg) { return visit(function, arg); }

// What arguments meant, by their keys. A list that threads read without a lock: an entry is complete before
// it becomes the first, which release and acquire order, and never changes while anybody may read it. Memory
// of zeros is an empty cache.
template <class Value>
class KeyCache {
 public:
  // Null: not known. Runs no code of Python's, so that with the GIL no entry ends meanwhile.
  Value find(const ArgumentKey* keys, Py_ssize_t count) const {
    for (const Entry* entry = first_.load(std::memory_order_acquire); entry; entry = entry->next) {
      if (entry->count != count) continue;
      Py_ssize_t i = 0;
      while (i < count && same_key(entry->keys[i], keys[i])) ++i;
      if (i == count) return entry->value;
    }
    return nullptr;
  }

  // Without memory, or when full, what the arguments mean is just asked again next time.
  void add(Value value, const ArgumentKey* keys, Py_ssize_t count) {
    forget_dead();
    int length = 0;
    for (auto* entry = first_.load(std::memory_order_acquire); entry; entry = entry->next) ++length;
    if (length >= kMost) return;
    auto* entry = static_cast<Entry*>(std::malloc(sizeof(Entry) + count * sizeof(ArgumentKey)));
    if (!entry) return;
    if (!remember_keys(entry->keys, keys, count)) return PyErr_Clear(), std::free(entry);
    hold_value(value);
    entry->value = value;
    entry->count = count;
    entry->next = first_.load(std::memory_order_acquire);
    while (!first_.compare_exchange_weak(entry->next, entry, std::memory_order_release)) {
    }
  }

  void clear() { free_all(first_.exchange(nullptr)); }

  int visit(visitproc visit, void* arg) const {
    for (auto* entry = first_.load(); entry; entry = entry->next) {
      if (int result = visit_value(entry->value, visit, arg)) return result;
      for (Py_ssize_t i = 0; i < entry->count; ++i) Py_VISIT(entry->keys[i].dtype);
    }
    return 0;
  }

 private:
  struct Entry {
    Value value;
    Entry* next;
    Py_ssize_t count;
    ArgumentKey keys[1];
  };
  static constexpr int kMost = 64;

  static void free_all(Entry* entry) {
    while (entry) {
      Entry* const next = entry->next;
      drop_value(entry->value);
      forget_keys(entry->keys, entry->count);
      std::free(entry);
      entry = next;
    }
  }

  // Entries one of whose classes has died. With the GIL, and with no reader in the list: those run no Python
  // code there. The others are linked first, as dropping a value may run some, which may look here.
  void forget_dead() {
    Entry *live = nullptr, *dead = nullptr;
    for (Entry *entry = first_.load(), *next; entry; entry = next) {
      next = entry->next;
      Entry*& list = is_gone(entry->keys, entry->count) ? dead : live;
      entry->next = list;
      list = entry;
    }
    first_.store(live, std::memory_order_release);
    free_all(dead);
  }

  std::atomic<Entry*> first_{nullptr};
};

int add_key_functions(PyObject* module);

}  // namespace samebytes
