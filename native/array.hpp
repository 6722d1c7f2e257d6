// Recognises array objects of any library and checks them against what one C++ parameter needs.
#pragma once
#include <Python.h>

#include <atomic>
#include <cstdint>

namespace samebytes {

enum class Match { yes, no, error };  // no: not recognised or not acceptable, and no Python exception is set

// An element type in DLPack's terms. Zero bits: it has no DLPack form.
struct ElementType {
  uint8_t code = 0;
  uint8_t bits = 0;
  uint16_t lanes = 0;
};

inline bool operator==(ElementType a, ElementType b) {
  return a.code == b.code && a.bits == b.bits && a.lanes == b.lanes;
}

// np.dtype objects accepted beside the first, newest first; nodes are only ever added while the spec lives.
struct DtypeNode {
  PyObject* dtype;
  DtypeNode* next;
};

// What a parameter needs. Fill the plain fields, call prepare(), then leave them alone; `accepted` grows by
// accept_dtype(). The owner of the spec calls visit() in its tp_traverse and clear() when it dies.
struct ArraySpec {
  PyObject* dtype = nullptr;  // np.dtype compared by identity (strong); may be null
  ElementType dl;
  int ndim = 0;             // -1: any rank (pointer parameters)
  bool writable = true;     // the callee may write
  bool contiguous = false;  // C order without gaps (pointer parameters)
  int64_t itemsize = 0;     // bytes of one element, a multiple of align
  int64_t align = 1;        // bytes, a power of two

  int shift = -1;     // log2(itemsize), -1 if that is no power of two; set by prepare()
  int flags = 0;      // NumPy array flags that must be set, and ...
  int flag_mask = 0;  // ... those looked at; set by prepare()
  std::atomic<DtypeNode*> accepted{nullptr};

  void prepare();
  bool accept_dtype(PyObject* dtype);  // false: MemoryError is set; a list that is full stays as it is
  bool accepts(PyObject* dtype) const;
  int visit(visitproc visit, void* arg) const;
  void clear();
};

// Where to write what was found. The caller points `shape` and `strides` (in elements) at room for spec.ndim
// numbers each, e.g. inside a C++ array descriptor, or leaves both null when only the address is wanted.
struct ArrayRef {
  void* data = nullptr;
  int64_t* shape = nullptr;
  int64_t* strides = nullptr;
};

// What one call must hold until it ends: locked buffers and references. Needs the GIL whenever it is touched;
// allocates only beyond its inline slots. Buffers never move, because exporters may point into them.
class Keep {
 public:
  Keep() = default;
  Keep(const Keep&) = delete;
  Keep& operator=(const Keep&) = delete;
  ~Keep() {
    if (buffers_ | objects_) release();
  }

  Match lock(PyObject* exporter, int flags, Py_buffer** out);  // no: the exporter refuses
  void unlock();                                               // the buffer locked last
  bool hold(PyObject* stolen);  // false: MemoryError is set, the reference dropped
  void release();

 private:
  static constexpr int kSlots = 4;
  Keep* more();

  int buffers_ = 0;
  int objects_ = 0;
  Keep* more_ = nullptr;
  Py_buffer buffer_[kSlots];
  PyObject* object_[kSlots];
};

struct Route;
using MatchFunction = Match (*)(const ArraySpec&, PyObject*, const Route&, ArrayRef&, Keep&);

// How objects of one exact type are read. One immortal record per type, so that caches never go stale.
struct Route {
  PyTypeObject* type;                // strong
  std::atomic<MatchFunction> match;  // one of the functions below
  std::atomic<bool> readonly;        // treat every object of this type as read-only
  std::atomic<const struct DLPackExchangeAPI*> exchange;
  std::atomic<int (*)(PyObject*)> guard;  // before `exchange` is used: 1 go on, 0 refused, -1 error
};

extern Route kNoRoute;
const Route* find_route(PyTypeObject* type);  // null: unknown

// The inline cache of one parameter slot.
struct RouteCache {
  std::atomic<const Route*> last{&kNoRoute};
};

// Reads `object` into `out` if it is an array that meets `spec`; raises only what an exporter's own code
// raises.
inline Match match_array(const ArraySpec& spec, PyObject* object, RouteCache& cache, ArrayRef& out,
                         Keep& keep) {
  const Route* route = cache.last.load(std::memory_order_acquire);
  if (__builtin_expect(route->type != Py_TYPE(object), 0)) {
    route = find_route(Py_TYPE(object));
    if (!route) return Match::no;
    cache.last.store(route, std::memory_order_release);
  }
  return route->match.load(std::memory_order_acquire)(spec, object, *route, out, keep);
}

// The routes, one per source file.
Match match_ndarray(const ArraySpec&, PyObject*, const Route&, ArrayRef&, Keep&);
Match match_torch(const ArraySpec&, PyObject*, const Route&, ArrayRef&, Keep&);
Match match_exchange(const ArraySpec&, PyObject*, const Route&, ArrayRef&, Keep&);
Match match_buffer(const ArraySpec&, PyObject*, const Route&, ArrayRef&, Keep&);
Match match_nothing(const ArraySpec&, PyObject*, const Route&, ArrayRef&, Keep&);

// Adds describe_ndarray, describe_buffer, describe_dlpack, describe_exchange and set_route; -1: exception
// set.
int add_array_functions(PyObject* module);

}  // namespace samebytes
