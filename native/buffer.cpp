// Reads exporters of the buffer protocol; the buffer stays locked until the call ends.
#include "describe.hpp"
#include "extents.hpp"

namespace samebytes {

namespace {

struct Format {
  char letter;
  uint8_t code;      // DLPack type code
  uint8_t native;    // bits after '@' or no prefix
  uint8_t standard;  // bits after '=' or '<'; 0: not allowed there
};

constexpr Format kFormats[] = {
    {'b', 0, 8, 8},
    {'h', 0, 16, 16},
    {'i', 0, 32, 32},
    {'l', 0, 8 * sizeof(long), 32},
    {'q', 0, 64, 64},
    {'B', 1, 8, 8},
    {'H', 1, 16, 16},
    {'I', 1, 32, 32},
    {'L', 1, 8 * sizeof(long), 32},
    {'Q', 1, 64, 64},
    {'n', 0, 64, 0},
    {'N', 1, 64, 0},
    {'?', 6, 8, 8},
    {'e', 2, 16, 16},
    {'f', 2, 32, 32},
    {'d', 2, 64, 64},
};
static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "'<' is read as the native byte order");

constexpr uint8_t kFloat = 2, kComplex = 5;

// The element type that a one-element struct-module format names; zero bits: none, or not in native byte
// order.
ElementType parse_format(const char* format) {
  if (!format) return {1, 8, 1};
  bool native = true;
  if (*format == '@' || *format == '=' || *format == '<') native = *format++ == '@';
  const bool complex = *format == 'Z';
  if (complex) ++format;
  if (!format[0] || format[1]) return {};
  for (const Format& known : kFormats) {
    if (known.letter != *format) continue;
    const uint8_t bits = native ? known.native : known.standard;
    if (!complex) return {known.code, bits, 1};
    return known.code == kFloat ? ElementType{kComplex, static_cast<uint8_t>(2 * bits), 1} : ElementType{};
  }
  return {};
}

bool buffer_fits(const ArraySpec& spec, const Py_buffer& view, ArrayRef& out) {
  static_assert(sizeof(Py_ssize_t) == sizeof(int64_t), "extents are read as 64-bit numbers");
  if (!rank_fits(spec, view.ndim) || view.itemsize != spec.itemsize || !is_aligned(spec, view.buf))
    return false;
  if (spec.dl.bits == 0 || !(parse_format(view.format) == spec.dl)) return false;
  if (spec.writable && view.readonly) return false;
  const auto* shape = reinterpret_cast<const int64_t*>(view.shape);
  const auto* strides = reinterpret_cast<const int64_t*>(view.strides);
  if (spec.contiguous && !is_c_contiguous(view.ndim, shape, strides, view.itemsize)) return false;
  return put_byte_strides(spec, view.ndim, shape, strides, out);
}

}  // namespace

Match match_buffer(const ArraySpec& spec, PyObject* object, const Route& route, ArrayRef& out, Keep& keep) {
  if (spec.writable && route.readonly.load(std::memory_order_relaxed)) return Match::no;
  Py_buffer* view;
  const Match locked = keep.lock(object, spec.writable ? PyBUF_RECORDS : PyBUF_RECORDS_RO, &view);
  if (locked != Match::yes) return locked;
  if (!buffer_fits(spec, *view, out)) {
    keep.unlock();
    return Match::no;
  }
  out.data = view->buf;
  return Match::yes;
}

// A memoryview is the lock: it releases its buffer when the last reference goes.
PyObject* describe_buffer(PyObject*, PyObject* exporter) {
  PyObject* lock = PyMemoryView_FromObject(exporter);
  if (!lock) return nullptr;
  const Py_buffer* view = PyMemoryView_GET_BUFFER(lock);
  PyObject* result = nullptr;
  if (view->suboffsets)
    PyErr_SetString(PyExc_BufferError, "the buffer is reached through pointers (suboffsets)");
  else
    result = description({view->buf, view->ndim, reinterpret_cast<const int64_t*>(view->shape),
                          reinterpret_cast<const int64_t*>(view->strides), 1,
                          PyUnicode_FromString(view->format ? view->format : "B"), view->itemsize, 1, 0,
                          view->readonly != 0, lock});
  Py_DECREF(lock);
  return result;
}

}  // namespace samebytes
