// Reads torch tensors: through torch's C shim, else through the DLPack exchange API, which needs a guard
// because it exports what must be refused (tensors that require grad, or whose conjugate or negative bit is
// set).
#include "array/torch.hpp"

#include <initializer_list>

#include "array/dlpack.hpp"
#include "array/extents.hpp"
#include "array/overlap.hpp"
#include "array/torch_shim.hpp"
#include "call/pending.hpp"
#include "call/unlocked.hpp"
#include "ref.hpp"
#include "view/known_elements.hpp"

namespace samebytes {

namespace {

using Word = uint64_t;

std::atomic<const TorchShim*> known{nullptr};  // set before any function below is used

const TorchShim& the_shim() { return *known.load(std::memory_order_relaxed); }

PyTypeObject* tensor_type;  // torch.Tensor; null: no tensor has been met

int guard_by_keys(PyObject* object) {
  const TorchShim& shim = the_shim();
  return shim.is_plain(shim.handle(object));
}

// Asks the tensor itself, where the shim is not to be trusted.
int guard_by_question(PyObject* object) {
  for (const char* question : {"requires_grad", "is_conj", "is_neg"}) {
    Ref answer = Ref::steal(PyObject_GetAttrString(object, question));
    if (answer && PyCallable_Check(answer.get())) answer = Ref::steal(PyObject_CallNoArgs(answer.get()));
    const int truth = answer ? PyObject_IsTrue(answer.get()) : -1;
    if (truth != 0) return truth < 0 ? -1 : 0;
  }
  const Ref forward = Ref::steal(PyImport_ImportModule("torch.autograd.forward_ad"));
  const Ref dual =
      Ref::steal(forward ? PyObject_CallMethod(forward.get(), "unpack_dual", "O", object) : nullptr);
  const Ref tangent = Ref::steal(dual ? PyObject_GetAttrString(dual.get(), "tangent") : nullptr);
  return tangent ? tangent.get() == Py_None : -1;
}

bool is_torch_type(PyTypeObject* type) {
  const Ref torch = Ref::steal(PyImport_ImportModule("torch"));
  const Ref tensor = Ref::steal(torch ? PyObject_GetAttrString(torch.get(), "Tensor") : nullptr);
  const Ref nn = Ref::steal(tensor ? PyObject_GetAttrString(torch.get(), "nn") : nullptr);
  const Ref parameter = Ref::steal(nn ? PyObject_GetAttrString(nn.get(), "Parameter") : nullptr);
  if (!parameter) return false;
  auto* asked = reinterpret_cast<PyObject*>(type);
  if (!tensor_type) tensor_type = reinterpret_cast<PyTypeObject*>(Py_NewRef(tensor.get()));
  tensors_are_met = true;
  if (asked == tensor.get() || asked == parameter.get()) return true;
  PyErr_Format(PyExc_ValueError, "%s is neither torch.Tensor nor torch.nn.Parameter", type->tp_name);
  return false;
}

}  // namespace

namespace {

// A plain tensor's dtype number; kDtypes where it is not plain.
size_t plain_dtype(const TorchShim& shim, TensorHandle handle) {
  const size_t number = shim.is_plain(handle)
                            ? TorchShim::at<uint16_t>(*static_cast<void**>(handle), shim.dtype_at)
                            : shim.kDtypes;
  return number < shim.kDtypes ? number : shim.kDtypes;
}

// How many elements behind the first the last one lies; torch has no negative strides.
int64_t last_of(int64_t rank, const int64_t* sizes, const int64_t* strides) {
  int64_t last = 0;
  for (int64_t d = 0; d < rank; ++d) last += (sizes[d] - 1) * strides[d];
  return last;
}

PyObject* make_view(PyObject* object, const Route& route) {
  const TorchShim& shim = the_shim();
  TensorHandle handle = shim.handle(object);
  const void* tensor = *static_cast<void**>(handle);
  const size_t dtype = plain_dtype(shim, handle);
  Elements* elements = dtype < shim.kDtypes ? known_elements(SaidBy::dlpack, shim.types[dtype]) : nullptr;
  if (!elements) return nullptr;
  const auto rank = TorchShim::at<int64_t>(tensor, shim.rank_at);
  const int64_t* sizes = &TorchShim::at<int64_t>(tensor, shim.sizes_at);
  const int64_t* strides = &TorchShim::at<int64_t>(tensor, shim.strides_at);
  if (rank > TorchShim::kInlineRank && (shim.sizes(handle, &sizes) || shim.strides(handle, &strides)))
    return nullptr;
  void* data;
  if (rank > kMaxRank || shim.data(handle, &data)) return nullptr;
  if (!is_empty(rank, sizes) &&
      !shim.has_room(tensor, data, last_of(rank, sizes, strides), elements->itemsize))
    return nullptr;
  View* made = new_view(elements, rank, object);
  if (!made) return nullptr;
  made->data = static_cast<char*>(data);
  made->readonly = route.readonly.load(std::memory_order_relaxed);
  bool fits = true;
  for (int64_t d = 0; d < rank; ++d) {
    made->shape[d] = sizes[d];
    fits &= !__builtin_mul_overflow(strides[d], elements->itemsize, &made->bytes[d]);
  }
  if (likely(fits && settle(made))) return as_object(made);
  PyErr_Clear();
  return Py_DECREF(as_object(made)), nullptr;
}

void learn(PyObject* object, const View& described) {
  const TorchShim& shim = the_shim();
  const size_t dtype = plain_dtype(shim, shim.handle(object));
  if (dtype == shim.kDtypes || !is_by(described, "DLPack")) return;
  if (described.elements->dl == shim.types[dtype]) learn_elements(SaidBy::dlpack, described.elements);
}

}  // namespace

const Showing kShowTorch = {make_view, learn};

bool setup_torch(Route& route) {
  if (!is_torch_type(route.type)) return false;
  const TorchShim* found = torch_shim();
  const DLPackExchangeAPI* api = find_exchange(route.type);
  if (!api && !found) return false;
  PyErr_Clear();
  if (found) known.store(found, std::memory_order_release);
  route.exchange = api;
  route.guard = found ? guard_by_keys : guard_by_question;
  route.match = found ? match_torch : match_exchange;
  if (found) route.showing = &kShowTorch;
  return true;
}

PyObject* meet_torch(PyObject*, PyObject* type) {
  if (!PyType_Check(type)) return PyErr_SetString(PyExc_TypeError, "meet_torch() takes a class"), nullptr;
  Route route{reinterpret_cast<PyTypeObject*>(type), match_nothing, false, nullptr, nullptr};
  if (!setup_torch(route)) PyErr_Clear();  // a torch whose tensors are unknown is asked by its own functions
  Py_RETURN_NONE;
}

Match match_torch(const ArraySpec& spec, PyObject* object, const Route& route, ArrayRef& out,
                  CallResources& resources) {
  const TorchShim& shim = the_shim();
  TensorHandle handle = shim.handle(object);
  const void* tensor = *static_cast<void**>(handle);
  if (!shim.is_plain(handle)) return Match::no;
  if (spec.writable && route.readonly.load(std::memory_order_relaxed)) return Match::no;

  const auto dtype = TorchShim::at<uint16_t>(tensor, shim.dtype_at);
  if (dtype >= TorchShim::kDtypes) return Match::no;
  const auto rank = TorchShim::at<int64_t>(tensor, shim.rank_at);
  if (!is_element(spec, shim.types[dtype]) || !rank_fits(spec, rank)) return Match::no;

  const int64_t* sizes = &TorchShim::at<int64_t>(tensor, shim.sizes_at);
  const int64_t* strides = &TorchShim::at<int64_t>(tensor, shim.strides_at);
  if (rank > TorchShim::kInlineRank && (shim.sizes(handle, &sizes) || shim.strides(handle, &strides)))
    return Match::no;
  if (spec.contiguous && !is_c_contiguous(rank, sizes, strides, 1)) return Match::no;

  void* data;
  if (shim.data(handle, &data) || !is_aligned(spec, data)) return Match::no;
  const bool written = spec.writable && !is_empty(rank, sizes);
  if (written && !spec.contiguous && may_overlap(rank, sizes, strides, 1)) return Match::no;
  const int64_t itemsize = shim.types[dtype].bits / 8;
  if (!is_empty(rank, sizes) && !shim.has_room(tensor, data, last_of(rank, sizes, strides), itemsize))
    return Match::no;
  put_element_strides(rank, sizes, strides, out);
  out.data = data;
  if (written && !resources.note({object, nullptr, nullptr, nullptr, true})) return Match::error;
  return Match::yes;
}

bool tensors_are_met = false;

bool is_tensor(PyObject* object) { return tensor_type && PyObject_TypeCheck(object, tensor_type); }

Bytes tensor_storage(PyObject* object) {
  const TorchShim* shim = known.load(std::memory_order_acquire);
  const void* tensor = shim ? *static_cast<void**>(shim->handle(object)) : nullptr;
  if (!tensor) return {nullptr, reinterpret_cast<const char*>(UINTPTR_MAX)};  // nothing is known of it
  if (!shim->storage(tensor)) return {};
  return {shim->base(tensor), shim->base(tensor) + shim->bytes(tensor)};
}

Bytes tensor_bytes(PyObject* object) {
  const TorchShim* shim = known.load(std::memory_order_acquire);
  TensorHandle handle = shim ? shim->handle(object) : nullptr;
  const void* tensor = shim ? *static_cast<void**>(handle) : nullptr;
  void* data = nullptr;
  const int64_t *sizes, *strides;
  if (!tensor || !shim->storage(tensor) || shim->data(handle, &data) || shim->sizes(handle, &sizes) ||
      shim->strides(handle, &strides))
    return {};
  const auto dtype = TorchShim::at<uint16_t>(tensor, shim->dtype_at);
  const int64_t itemsize = dtype < TorchShim::kDtypes ? shim->types[dtype].bits / 8 : 1;
  return reach(data, TorchShim::at<int64_t>(tensor, shim->rank_at), sizes, strides, itemsize, itemsize);
}

// What torch's own operators do in place: autograd notices that a tensor it needs was written to.
void raise_version(PyObject* object) {
  const PendingException pending;
  if (const TorchShim* shim = known.load(std::memory_order_acquire)) {
    TensorHandle handle = shim->handle(object);
    const void* tensor = *static_cast<void**>(handle);
    const Word counted = shim->plain_keys & ~shim->inference_keys;  // without them, torch counts no versions
    if (tensor && (TorchShim::at<Word>(tensor, shim->keys_at) & counted) == counted)
      shim->raise_version(handle);
    return;
  }
  const Ref graph = Ref::steal(PyImport_ImportModule("torch.autograd.graph"));
  if (graph) Ref::steal(PyObject_CallMethod(graph.get(), "increment_version", "O", object));
}

}  // namespace samebytes
