// The resources of one call: buffers that it locks, references that it holds, memory that nothing locks.
#pragma once
#include <cstdlib>

#include "call/spec.hpp"
#include "object/ending.hpp"

namespace samebytes {

struct ArraySpec;
struct ArrayRef;
struct Route;
class CallResources;
using MatchFunction = Match (*)(const ArraySpec&, PyObject*, const Route&, ArrayRef&, CallResources&);

// Memory that nothing locks, as it was when its address was taken: see call/unlocked.hpp.
struct Unlocked {
  PyObject* object;     // an argument or a part of one, which lives as long as the call
  MatchFunction match;  // how it was read; null: only that it is written matters
  const char *low, *high;
  bool written;  // by C++
};

// Locked buffers and references, released together. Needs the GIL whenever it is touched;
// allocates only beyond its inline slots. Buffers never move, because exporters may point into them.
class CallResources {
 public:
  static constexpr int kNotes = 8;
  CallResources() = default;
  CallResources(const CallResources&) = delete;
  CallResources& operator=(const CallResources&) = delete;
  ~CallResources() {
    std::free(written_);
    if ((buffers_ | objects_ | (more_ != nullptr)) && may_touch_python()) release();
  }

  Match lock(PyObject* exporter, int flags, Py_buffer** out);  // no: the exporter refuses
  void unlock();                                               // the buffer locked last
  bool hold(PyObject* stolen);  // false: MemoryError is set, the reference dropped
  void release();
  bool empty() const { return !(buffers_ | objects_); }
  bool note(const Unlocked& unlocked);  // false: MemoryError is set
  // Where notes go from now on, before the first: a call with many arguments needs no memory for them.
  void note_in(Unlocked* place, int count) { notes_ = place, note_room_ = count; }
  bool is_bare() const { return !(buffers_ | objects_ | noted_); }
  void stir() { stirred_ = true; }  // code that is not ours has run since the call began
  bool is_stirred() const { return stirred_; }
  bool is_open() const {
    return stirred_ | (noted_ != 0);
  }  // something must be looked at before C++ is entered
  // Whether all that is noted, held and locked passes.
  template <class Noted, class Held, class Locked>
  bool every(const Noted& noted, const Held& held, const Locked& locked) const {
    for (int i = 0; i < noted_; ++i)
      if (!noted(notes_[i])) return false;
    for (int i = 0; i < objects_; ++i)
      if (!held(object_[i])) return false;
    for (int i = 0; i < buffers_; ++i)
      if (!locked(buffer_[i])) return false;
    return !more_ || more_->every(noted, held, locked);
  }
  int visit(visitproc visit, void* arg) const;
  // Bytes that the call may write to, beside its arguments' own. False: MemoryError is set.
  bool write(const char* data, Py_ssize_t size);
  template <class Act>
  void each_written(const Act& act) const {
    for (int i = 0; i < written_count_; ++i) act(written_[i].data, written_[i].size);
  }
  // Calls `act` with each reference held, until it says false.
  bool each(bool (*act)(PyObject* object, PyObject* context), PyObject* context) const;

 private:
  struct Written {
    const char* data;
    Py_ssize_t size;
  };
  static constexpr int kSlots = 4;
  CallResources* more();

  int buffers_ = 0;
  int objects_ = 0;
  int noted_ = 0;
  int note_room_ = kNotes;
  int written_count_ = 0;
  bool stirred_ = false;
  Unlocked* notes_ = unlocked_;
  CallResources* more_ = nullptr;
  Written* written_ = nullptr;  // from malloc()
  Py_buffer buffer_[kSlots];
  PyObject* object_[kSlots];
  Unlocked unlocked_[kNotes];
};

// Bytes for as long as the call takes, aligned for every number; null: MemoryError.
char* scratch(Py_ssize_t size, CallResources& resources);

}  // namespace samebytes
