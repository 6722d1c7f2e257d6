// The parts of array recognition that no single protocol owns: accepted dtypes and strides.
#include "array/array.hpp"

#include <new>

#include "array/extents.hpp"
#include "array/numpy.hpp"
#include "view/view.hpp"

namespace samebytes {

namespace {
constexpr int kMaxDtypes =
    32;  // a linear search; programs that make a dtype per call must not grow it for ever
}

void ArraySpec::prepare() {
  const bool power_of_two = itemsize > 0 && (itemsize & (itemsize - 1)) == 0;
  shift = power_of_two ? __builtin_ctzll(static_cast<unsigned long long>(itemsize)) : 0;
  align_mask = static_cast<uintptr_t>(align - 1);
  stride_mask = power_of_two ? itemsize - 1 : -1;
  set_numpy_flags(*this);
}

bool ArraySpec::accepts(PyObject* candidate) const {
  for (const DtypeNode* node = accepted.load(std::memory_order_acquire); node; node = node->next)
    if (node->dtype == candidate) return true;
  return anything && is_plain_number(candidate, false);
}

bool ArraySpec::accept_dtype(PyObject* added) {
  if (added == dtype || accepts(added)) return true;
  int count = 0;
  for (const DtypeNode* node = accepted.load(std::memory_order_acquire); node; node = node->next) ++count;
  if (count >= kMaxDtypes) return true;
  auto* node = new (std::nothrow) DtypeNode{Py_NewRef(added), accepted.load(std::memory_order_relaxed)};
  if (!node) {
    Py_DECREF(added);
    PyErr_NoMemory();
    return false;
  }
  while (!accepted.compare_exchange_weak(node->next, node, std::memory_order_release,
                                         std::memory_order_relaxed)) {
  }
  return true;
}

int ArraySpec::visit(visitproc visit, void* arg) const {
  Py_VISIT(dtype);
  for (const DtypeNode* node = accepted.load(std::memory_order_acquire); node; node = node->next)
    Py_VISIT(node->dtype);
  return 0;
}

void ArraySpec::clear() {
  Py_CLEAR(dtype);
  DtypeNode* node = accepted.exchange(nullptr);
  while (node) {
    DtypeNode* next = node->next;
    Py_DECREF(node->dtype);
    delete node;
    node = next;
  }
}

bool divide_strides(const ArraySpec& spec, int64_t ndim, const int64_t* shape, const int64_t* strides,
                    ArrayRef& out) {
  const bool empty = is_empty(ndim, shape);
  for (int64_t d = 0; d < ndim; ++d) {
    const bool divides = strides[d] % spec.itemsize == 0;
    if (!divides && shape[d] > 1 && !empty) return false;
    out.shape[d] = shape[d];
    out.strides[d] = divides ? strides[d] / spec.itemsize : 0;
  }
  return true;
}

}  // namespace samebytes
