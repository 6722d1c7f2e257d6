// Recognises array objects of any library and checks them against what one C++ parameter needs.
#pragma once
#include <Python.h>

#include <atomic>

#include "array/numpy.hpp"
#include "call/resources.hpp"
#include "call/spec.hpp"

namespace samebytes {

// How objects of one exact type are read. Records never end, and one whose type has died is another's later,
// so that caches of them never go stale.
struct Route {
  PyTypeObject* type;                // remembered: see object/classes.hpp
  std::atomic<MatchFunction> match;  // one of the functions below
  std::atomic<bool> readonly;        // treat every object of this type as read-only
  std::atomic<const struct DLPackExchangeAPI*> exchange;
  std::atomic<int (*)(PyObject*)> guard;  // before `exchange` is used: 1 go on, 0 refused, -1 error
  std::atomic<const struct Showing*> showing{nullptr};  // null: views are made in Python
};

// The routes, one per source file.
Match match_ndarray(const ArraySpec&, PyObject*, const Route&, ArrayRef&, CallResources&);
Match match_readonly_ndarray(const ArraySpec&, PyObject*, const Route&, ArrayRef&, CallResources&);
Match match_torch(const ArraySpec&, PyObject*, const Route&, ArrayRef&, CallResources&);
Match match_exchange(const ArraySpec&, PyObject*, const Route&, ArrayRef&, CallResources&);
Match match_buffer(const ArraySpec&, PyObject*, const Route&, ArrayRef&, CallResources&);
Match match_view(const ArraySpec&, PyObject*, const Route&, ArrayRef&, CallResources&);
Match match_shown(const ArraySpec&, PyObject*, const Route&, ArrayRef&,
                  CallResources&);  // as a view, made for the call
Match match_known(const ArraySpec&, PyObject*, const Route&, ArrayRef&,
                  CallResources&);  // as the view that a pointer has
Match match_nothing(const ArraySpec&, PyObject*, const Route&, ArrayRef&, CallResources&);

// Whether the call keeps what tells where the memory is: a lock, or a view.
inline bool keeps_memory(MatchFunction match) {
  return match == match_buffer || match == match_shown || match == match_known;
}

// numpy.ndarray while objects of exactly that type take match_ndarray, else null: a shorter test than a
// route.
extern std::atomic<PyTypeObject*> plain_ndarray __attribute__((visibility("hidden")));

bool setup_view(Route& route);  // false: exception set

extern Route kNoRoute;
const Route* find_route(PyTypeObject* type);  // null: unknown

// The inline cache of one parameter slot.
struct RouteCache {
  std::atomic<const Route*> last{&kNoRoute};
};

// Reads `object` into `out` if it is an array that meets `spec`; raises only what an exporter's own code
// raises.
inline Match match_array(const ArraySpec& spec, PyObject* object, RouteCache& cache, ArrayRef& out,
                         CallResources& resources) {
  const Route* route = cache.last.load(std::memory_order_acquire);
  if (__builtin_expect(route->type != Py_TYPE(object), 0)) {
    route = find_route(Py_TYPE(object));
    if (!route) return Match::no;
    cache.last.store(route, std::memory_order_release);
  }
  const MatchFunction match = route->match.load(std::memory_order_acquire);
  if (__builtin_expect(match == match_ndarray, 1))
    return ndarray_fits(spec, object, out) ? Match::yes : Match::no;
  return match(spec, object, *route, out, resources);
}

// The route of an object that was read through a cache, which another thread may have changed since.
inline const Route& route_of(const RouteCache& cache, PyObject* object) {
  const Route* route = cache.last.load(std::memory_order_acquire);
  if (__builtin_expect(route->type != Py_TYPE(object), 0)) route = find_route(Py_TYPE(object));
  return route ? *route : kNoRoute;
}

// Adds describe_ndarray, describe_buffer, describe_dlpack, describe_exchange and set_route; -1: exception
// set.
int add_array_functions(PyObject* module);

}  // namespace samebytes
