// What has been launched on a stream and may still run: what its arrays are kept by, and the events that say
// that it has run, one for many launches.
#pragma once
#include <Python.h>

#include <deque>
#include <utility>

#include "launch/driver.hpp"
#include "ref.hpp"
#include "view/view.hpp"

namespace samebytes {

// Objects, and nulls between them. It is filled without a call; what it holds is let go of by end().
class Kept {
 public:
  Kept() = default;
  Kept(Kept&& other) noexcept { *this = static_cast<Kept&&>(other); }
  Kept& operator=(Kept&& other) noexcept {
    std::swap(first_, other.first_), std::swap(next_, other.next_), std::swap(end_, other.end_);
    return *this;
  }
  ~Kept() { std::free(first_); }
  // Room for so many more; where there is none to be had, the process ends, as what is running needs it.
  PyObject** room(ptrdiff_t count) {
    if (__builtin_expect(end_ - next_ < count, 0)) grow(count);
    return next_;
  }
  void put(PyObject** end) { next_ = end; }
  PyObject* const* begin() const { return first_; }
  PyObject* const* end() const { return next_; }
  bool empty() const { return first_ == next_; }

 private:
  void grow(ptrdiff_t count);
  PyObject **first_ = nullptr, **next_ = nullptr, **end_ = nullptr;
};

// Launches behind which there is one event. Each is what was launched, and then what its memory is kept by.
struct Batch {
  void* event = nullptr;  // null: none yet, or the driver had none; a later one is behind these launches, too
  uint64_t last = 0;      // the number of its last launch
  int count = 0;
  int users = 0;      // threads that record, ask or await its event without the GIL; it stays meanwhile
  int64_t bytes = 0;  // of the arrays
  Kept kept;          // of each launch: the launch itself, its owners, and a null
};

struct Track {
  PyObject_HEAD Driver driver;
  void *context, *stream;
  int most;                    // launches of a batch
  int captures;                // whether its stream may be captured into a graph
  uint64_t launched, done;     // numbers of launches, from 1 on
  Batch open;                  // whose event is not due yet
  std::deque<Batch> recorded;  // the oldest first
};

extern PyTypeObject* track_type;
inline Track* as_track(PyObject* object) { return reinterpret_cast<Track*>(object); }

// So many launches may wait in a driver's queue before it lets its callers wait, and some more.
constexpr int kQueued = 512;
// Whether so much is waiting there that a launch may have to wait for room.
inline bool may_block(const Track& track) {
  return static_cast<int>(track.recorded.size()) * track.most >= kQueued;
}

// Bytes of arrays that wait for no event: one that is due only after many launches would keep too much.
constexpr int64_t kMostKept = 1 << 24;

// Keeps what a launch needs that the driver has just taken, whose number is then track.launched. `owners`:
// borrowed. Whether an event is due, by close_and_collect().
inline bool keep(Track& track, PyObject* launch, PyObject* const* owners, int count);

// Puts an event behind what was launched, and lets go of what has run. Both release the GIL: other threads
// launch meanwhile.
int32_t close_and_collect(Track& track);

inline bool keep(Track& track, PyObject* launch, PyObject* const* owners, int count) {
  Batch& batch = track.open;
  PyObject** to = batch.kept.room(count + 2);
  *to++ = Py_NewRef(launch);
  for (int i = 0; i < count; ++i) {
    *to++ = Py_NewRef(owners[i]);
    if (Py_TYPE(owners[i]) == array_view.load(std::memory_order_relaxed))
      batch.bytes += as_view(owners[i])->size * as_view(owners[i])->elements->itemsize;
  }
  *to++ = nullptr;
  batch.kept.put(to);
  batch.last = ++track.launched;
  return __builtin_expect(++batch.count >= track.most || batch.bytes >= kMostKept, 0);
}

int add_tracks(PyObject* module);

}  // namespace samebytes
