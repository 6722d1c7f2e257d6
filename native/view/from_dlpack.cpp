// Views of DLPack producers whose class Python has met: through the class's own exchange table, else a
// capsule.
#include <new>

#include "array/dlpack.hpp"
#include "array/extents.hpp"
#include "view/known_elements.hpp"

namespace samebytes {

namespace {

Elements* known_elements(const DLTensor& t) { return known_elements(SaidBy::dlpack, t.dtype); }

// What Python says of a device in DLPack's numbers, and of the stream on which a producer leaves its memory
// ready.
struct DeviceFacts {
  PyObject *device, *stream;  // `stream` may be null
  bool on_host;
};
constexpr int kTypes = 20, kIds = 32;
std::atomic<const DeviceFacts*> devices[kTypes][kIds];

bool is_host(const DLTensor& t) { return t.device_type == kCpu && t.device_id == 0; }

std::atomic<const DeviceFacts*>* entry_of(int32_t type, int32_t id) {
  const bool inside = type > 0 && type < kTypes && id >= 0 && id < kIds;
  return inside && type != kOneApi ? &devices[type][id]
                                   : nullptr;  // of USM, each object has a context of its own
}

const DeviceFacts* known_device(const DLTensor& t) {
  const std::atomic<const DeviceFacts*>* place = entry_of(t.device_type, t.device_id);
  return place ? place->load(std::memory_order_acquire) : nullptr;
}

void put_device(View* v, const DLTensor& t) {
  if (likely(is_host(t))) return;
  const DeviceFacts* place = known_device(t);
  v->device_type = t.device_type;
  v->device_id = t.device_id;
  v->device = Py_NewRef(place->device);
  v->stream = Py_XNewRef(place->stream);
  v->on_host = place->on_host;
}

void learn_device(const View& described) {
  std::atomic<const DeviceFacts*>* at = entry_of(described.device_type, described.device_id);
  if (!at || !described.device || at->load(std::memory_order_relaxed)) return;
  const DeviceFacts* none = nullptr;
  auto* place = new (std::nothrow) DeviceFacts{described.device, described.stream, described.on_host};
  if (!place || !at->compare_exchange_strong(none, place, std::memory_order_acq_rel)) return delete place;
  Py_INCREF(place->device);
  Py_XINCREF(place->stream);
}

bool is_known(const DLTensor& t) {
  return is_readable(t) && known_elements(t) && (is_host(t) || known_device(t));
}

bool put_extents(View* v, const DLTensor& t) {
  const int64_t itemsize = v->elements->itemsize;
  int64_t next = itemsize;
  bool fits = true;
  for (int d = t.ndim; d-- > 0;) {
    v->shape[d] = t.shape[d];
    if (t.strides) {
      fits &= !__builtin_mul_overflow(t.strides[d], itemsize, &v->bytes[d]);
    } else {
      v->bytes[d] = next;
      fits &= !__builtin_mul_overflow(next, t.shape[d], &next);
    }
  }
  return fits;
}

// Null without an exception: the tensor cannot be, and Python says why.
PyObject* shown(const Taken& t) {
  Ref made = Ref::steal(as_object(new_view(known_elements(*t.tensor), t.tensor->ndim, t.owner.get())));
  if (!made) return nullptr;
  View* v = as_view(made.get());
  v->data = address(*t.tensor);
  v->readonly = t.flags & kReadOnly;
  put_device(v, *t.tensor);
  if (unlikely(!put_extents(v, *t.tensor))) return nullptr;
  if (likely(settle(v))) return made.release();
  return PyErr_Clear(), nullptr;
}

// The table does not synchronise, so that it serves the host's memory only.
PyObject* through_table(const DLPackExchangeAPI& api, PyObject* object) {
  DLManagedTensorVersioned* managed;
  if (api.managed_from_object(object, &managed) != 0) return give_up();
  const Taken t = take_managed(managed);
  if (!t.owner) return PyErr_Clear(), nullptr;
  return is_host(*t.tensor) && is_known(*t.tensor) ? shown(t) : nullptr;
}

PyObject *question, *version;  // what is asked: ("max_version",) and its value

PyObject* ask(PyObject* object) {
  static PyObject* const method = PyUnicode_InternFromString("__dlpack__");
  PyObject* args[] = {object, version};
  return PyObject_VectorcallMethod(method, args, 1, question);
}

void learn(PyObject*, const View& described) {
  if (!is_by(described, "DLPack")) return;
  learn_device(described);
  learn_elements(SaidBy::dlpack, described.elements);
}

PyObject* make(PyObject* object, const Route& route) {
  const DLPackExchangeAPI* api = route.exchange.load(std::memory_order_acquire);
  if (api) return through_table(*api, object);
  Ref capsule = Ref::steal(ask(object));
  if (!capsule) return give_up();
  const Peeked seen = peek(capsule.get());
  if (unlikely(!seen.tensor || !is_known(*seen.tensor))) {
    PyObject* made = adopted(capsule.get(), object);
    if (made && is_view(made)) learn(object, *as_view(made));
    return made;
  }
  const Taken t = take_over(std::move(capsule), seen);
  return t.owner ? shown(t) : nullptr;
}

}  // namespace

const Showing kShowDLPack = {make, learn};

int add_dlpack_route() {
  question = Py_BuildValue("(s)", "max_version");
  version = Py_BuildValue("(ii)", kDLPackMajor, kDLPackMinor);
  return question && version ? 0 : -1;
}

}  // namespace samebytes
