// Numbers in and out of memory: what the compiled core accepts for each, inlined into the call path.
#pragma once
#include <Python.h>

#include <cstring>
#include <type_traits>

#include "codec/codec.hpp"
#include "codec/integers.hpp"
#include "codec/numbers.hpp"

namespace samebytes {

// NumPy's and ml_dtypes' scalar objects: the value follows the object head.
inline const char* scalar_payload(PyObject* object) {
  return reinterpret_cast<const char*>(object) + sizeof(PyObject);
}

template <class T>
inline Match store(char* out, T value) {
  std::memcpy(out, &value, sizeof value);
  return Match::yes;
}

template <class T>
inline T load(const char* data) {
  T value;
  std::memcpy(&value, data, sizeof value);
  return value;
}

// An int of one digit, without a call. False: the int is longer.
inline bool short_int(PyObject* object, int64_t& out) {
#if PY_VERSION_HEX >= 0x030C0000
  auto* number = reinterpret_cast<PyLongObject*>(object);
  if (!PyUnstable_Long_IsCompact(number)) return false;
  out = PyUnstable_Long_CompactValue(number);
#else
  const Py_ssize_t digits = Py_SIZE(object);
  if (digits < -1 || digits > 1) return false;
  out = digits * static_cast<int64_t>(reinterpret_cast<PyLongObject*>(object)->ob_digit[0]);
#endif
  return true;
}

// Any int that fits 64 bits, signed (`negative` says so) or unsigned. False: it does not fit.
inline bool long_int(PyObject* object, uint64_t& out, bool& negative) {
  int overflow;
  const long long value = PyLong_AsLongLongAndOverflow(object, &overflow);
  negative = value < 0;
  out = static_cast<uint64_t>(value);
  if (!overflow) return true;
  if (overflow < 0) return false;
  negative = false;
  out = PyLong_AsUnsignedLongLong(object);
  if (out != static_cast<uint64_t>(-1) || !PyErr_Occurred()) return true;
  PyErr_Clear();
  return false;
}

// The UTF-8 of a str, which has it for as long as it lives; null: exception set. ASCII is that already.
inline const char* utf8_of(PyObject* text, Py_ssize_t& size) {
  if (unlikely(!PyUnicode_IS_COMPACT_ASCII(text))) return PyUnicode_AsUTF8AndSize(text, &size);
  size = PyUnicode_GET_LENGTH(text);
  return static_cast<const char*>(PyUnicode_DATA(text));
}

template <class T>
inline bool fits(uint64_t value, bool negative) {
  if (std::is_signed_v<T>) {
    const auto signed_value = static_cast<int64_t>(value);
    return (negative || signed_value >= 0) &&
           static_cast<int64_t>(static_cast<T>(signed_value)) == signed_value;
  }
  return !negative && static_cast<uint64_t>(static_cast<T>(value)) == value;
}

template <class T>
inline Match encode_integer(PyTypeObject* scalar, PyObject* object, char* out) {
  if (likely(PyLong_CheckExact(object))) {
    int64_t value;
    uint64_t bits;
    bool negative;
    if (likely(short_int(object, value))) {
      bits = static_cast<uint64_t>(value);
      negative = value < 0;
    } else if (!long_int(object, bits, negative)) {
      return Match::no;
    }
    return fits<T>(bits, negative) ? store(out, static_cast<T>(bits)) : Match::no;
  }
  if (Py_TYPE(object) == scalar) return std::memcpy(out, scalar_payload(object), sizeof(T)), Match::yes;
  uint64_t bits;
  bool negative;
  if (!other_int(object, bits, negative)) return Match::no;
  return fits<T>(bits, negative) ? store(out, static_cast<T>(bits)) : Match::no;
}

// The double that a Python float, or an int of at most `bits` bits, stands for.
inline bool real_value(PyObject* object, int bits, double& out) {
  if (likely(PyFloat_CheckExact(object))) {
    out = PyFloat_AS_DOUBLE(object);
    return true;
  }
  if (!PyLong_CheckExact(object)) return false;
  int64_t value;
  if (!short_int(object, value)) {
    int overflow;
    value = PyLong_AsLongLongAndOverflow(object, &overflow);
    if (overflow) return false;
  }
  const int64_t limit = int64_t{1} << bits;
  if (value < -limit || value > limit) return false;
  out = static_cast<double>(value);
  return true;
}

template <class F, class Storage>
inline Match encode_small(PyTypeObject* scalar, PyObject* object, char* out, bool saturate) {
  double value;
  if (real_value(object, F::mantissa + 1, value)) {
    uint32_t bits;
    if (saturate) {
      bits = saturate_to<F>(value);
    } else if (!round_to<F>(value, bits)) {
      return Match::no;
    }
    return store(out, static_cast<Storage>(bits));
  }
  if (Py_TYPE(object) == scalar) return std::memcpy(out, scalar_payload(object), sizeof(Storage)), Match::yes;
  return Match::no;
}

inline Match encode_float(PyTypeObject* scalar, PyObject* object, char* out) {
  double value;
  if (likely(real_value(object, 24, value))) {
    float narrow;
    return likely(round_to_float(value, narrow)) ? store(out, narrow) : Match::no;
  }
  if (Py_TYPE(object) == scalar) return std::memcpy(out, scalar_payload(object), sizeof(float)), Match::yes;
  return Match::no;
}

inline Match encode_double(PyTypeObject* scalar, PyObject* object, char* out) {
  double value;
  if (likely(real_value(object, 53, value))) return store(out, value);
  if (Py_TYPE(object) == scalar) return std::memcpy(out, scalar_payload(object), sizeof(double)), Match::yes;
  return Match::no;
}

template <class T>
inline Match encode_complex(PyTypeObject* scalar, PyObject* object, char* out) {
  double real, imaginary = 0;
  if (PyComplex_CheckExact(object)) {
    real = PyComplex_RealAsDouble(object);
    imaginary = PyComplex_ImagAsDouble(object);
  } else if (!real_value(object, std::numeric_limits<T>::digits, real)) {
    if (Py_TYPE(object) != scalar) return Match::no;
    return std::memcpy(out, scalar_payload(object), 2 * sizeof(T)), Match::yes;
  }
  const T parts[2] = {static_cast<T>(real), static_cast<T>(imaginary)};
  const bool overflow =
      (std::isinf(parts[0]) && !std::isinf(real)) || (std::isinf(parts[1]) && !std::isinf(imaginary));
  return overflow ? Match::no : (std::memcpy(out, parts, sizeof parts), Match::yes);
}

inline Match encode_bool(PyTypeObject* scalar, PyObject* object, char* out) {
  if (likely(PyBool_Check(object))) return store(out, static_cast<uint8_t>(object == Py_True));
  if (Py_TYPE(object) == scalar) return store(out, static_cast<uint8_t>(*scalar_payload(object) != 0));
  return Match::no;
}

inline Match encode_number(Kind kind, PyTypeObject* scalar, PyObject* object, char* out) {
  switch (kind) {
    case Kind::boolean:
      return encode_bool(scalar, object, out);
    case Kind::int8:
      return encode_integer<int8_t>(scalar, object, out);
    case Kind::int16:
      return encode_integer<int16_t>(scalar, object, out);
    case Kind::int32:
      return encode_integer<int32_t>(scalar, object, out);
    case Kind::int64:
      return encode_integer<int64_t>(scalar, object, out);
    case Kind::uint8:
      return encode_integer<uint8_t>(scalar, object, out);
    case Kind::uint16:
      return encode_integer<uint16_t>(scalar, object, out);
    case Kind::uint32:
      return encode_integer<uint32_t>(scalar, object, out);
    case Kind::uint64:
      return encode_integer<uint64_t>(scalar, object, out);
    case Kind::float16:
      return encode_small<Float16, uint16_t>(scalar, object, out, false);
    case Kind::bfloat16:
      return encode_small<BFloat16, uint16_t>(scalar, object, out, false);
    case Kind::float32:
      return encode_float(scalar, object, out);
    case Kind::float64:
      return encode_double(scalar, object, out);
    case Kind::float8e4m3:
      return encode_small<Float8E4M3, uint8_t>(scalar, object, out, true);
    case Kind::float8e5m2:
      return encode_small<Float8E5M2, uint8_t>(scalar, object, out, true);
    case Kind::complex64:
      return encode_complex<float>(scalar, object, out);
    case Kind::complex128:
      return encode_complex<double>(scalar, object, out);
    default:
      return Match::no;
  }
}

inline PyObject* decode_number(Kind kind, const char* data) {
  switch (kind) {
    case Kind::boolean:
      return PyBool_FromLong(*data != 0);
    case Kind::int8:
      return PyLong_FromLong(load<int8_t>(data));
    case Kind::int16:
      return PyLong_FromLong(load<int16_t>(data));
    case Kind::int32:
      return PyLong_FromLong(load<int32_t>(data));
    case Kind::int64:
      return PyLong_FromLongLong(load<int64_t>(data));
    case Kind::uint8:
      return PyLong_FromLong(load<uint8_t>(data));
    case Kind::uint16:
      return PyLong_FromLong(load<uint16_t>(data));
    case Kind::uint32:
      return PyLong_FromUnsignedLong(load<uint32_t>(data));
    case Kind::uint64:
      return PyLong_FromUnsignedLongLong(load<uint64_t>(data));
    case Kind::float16:
      return PyFloat_FromDouble(widen<Float16>(load<uint16_t>(data)));
    case Kind::bfloat16:
      return PyFloat_FromDouble(widen<BFloat16>(load<uint16_t>(data)));
    case Kind::float32:
      return PyFloat_FromDouble(load<float>(data));
    case Kind::float64:
      return PyFloat_FromDouble(load<double>(data));
    case Kind::float8e4m3:
      return PyFloat_FromDouble(widen<Float8E4M3>(load<uint8_t>(data)));
    case Kind::float8e5m2:
      return PyFloat_FromDouble(widen<Float8E5M2>(load<uint8_t>(data)));
    case Kind::complex64:
      return PyComplex_FromDoubles(load<float>(data), load<float>(data + 4));
    case Kind::complex128:
      return PyComplex_FromDoubles(load<double>(data), load<double>(data + 8));
    default:
      Py_UNREACHABLE();
  }
}

}  // namespace samebytes
