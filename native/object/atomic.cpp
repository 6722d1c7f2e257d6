// What Python does to atomics where they lie: one function for each kind of number, by name of the operation.
#include "object/atomic.hpp"

#include <cmath>
#include <cstring>
#include <string_view>

namespace samebytes {

namespace {

// Replaces what lies there by what a rule makes of it, and gives what was there. All orders are sequentially
// consistent.
template <class T, class Rule>
T exchange_by(T* place, Rule rule) {
  T old, now;
  __atomic_load(place, &old, __ATOMIC_SEQ_CST);
  do now = rule(old);
  while (!__atomic_compare_exchange(place, &old, &now, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST));
  return old;
}

template <class T>
T wrapped(T a, T b,
          bool subtract) {  // a sum of signed integers wraps in atomics (ISO C++ [atomics.types.int])
  if constexpr (std::is_integral_v<T>) {
    using U = std::make_unsigned_t<T>;
    return static_cast<T>(subtract ? static_cast<U>(a) - static_cast<U>(b)
                                   : static_cast<U>(a) + static_cast<U>(b));
  } else {
    return subtract ? a - b : a + b;
  }
}

template <class T>
bool is_nan(T x) {
  return x != x;
}

// The one of two numbers; of a NaN and a number the NaN, or the number.
template <class T>
T bound(T a, T b, bool greater, bool numbers) {
  if (is_nan(a) || is_nan(b)) return is_nan(a) == numbers ? b : a;
  return (greater ? a < b : b < a) ? b : a;
}

// False: there is no such operation for the type.
template <class T>
bool act(std::string_view operation, T* place, T value, T expected, T* before) {
  if (operation == "load") return __atomic_load(place, before, __ATOMIC_SEQ_CST), true;
  if (operation == "store" || operation == "exch")
    return __atomic_exchange(place, &value, before, __ATOMIC_SEQ_CST), true;
  if (operation == "cas") {
    *before = expected;  // which the exchange replaces by what is there, where that is another
    __atomic_compare_exchange(place, before, &value, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
    return true;
  }
  const auto by = [&](auto rule) { return *before = exchange_by(place, rule), true; };
  if (operation == "add" || operation == "sub")
    return by([&](T old) { return wrapped(old, value, operation == "sub"); });
  if (operation == "max" || operation == "min")
    return by([&](T old) { return bound(old, value, operation == "max", false); });
  if (operation == "nanmax" || operation == "nanmin")
    return by([&](T old) { return bound(old, value, operation == "nanmax", true); });
  if constexpr (std::is_integral_v<T>) {
    if (operation == "and_") return by([&](T old) { return static_cast<T>(old & value); });
    if (operation == "or_") return by([&](T old) { return static_cast<T>(old | value); });
    if (operation == "xor") return by([&](T old) { return static_cast<T>(old ^ value); });
  }
  return false;
}

template <class T>
PyObject* perform(std::string_view operation, void* place, const Py_buffer& value,
                  const Py_buffer& expected) {
  T given{}, wanted{}, before{};
  if (value.len == sizeof(T)) std::memcpy(&given, value.buf, sizeof(T));
  if (expected.len == sizeof(T)) std::memcpy(&wanted, expected.buf, sizeof(T));
  if (!act(operation, static_cast<T*>(place), given, wanted, &before))
    return PyErr_SetString(PyExc_ValueError, "there is no such operation"), nullptr;
  return PyBytes_FromStringAndSize(reinterpret_cast<const char*>(&before), sizeof(T));
}

using Perform = PyObject* (*)(std::string_view, void*, const Py_buffer&, const Py_buffer&);
constexpr struct {
  char letter;  // of the struct module
  Perform perform;
} kKinds[] = {
    {'b', perform<int8_t>},  {'B', perform<uint8_t>},  {'h', perform<int16_t>}, {'H', perform<uint16_t>},
    {'i', perform<int32_t>}, {'I', perform<uint32_t>}, {'q', perform<int64_t>}, {'Q', perform<uint64_t>},
    {'f', perform<float>},   {'d', perform<double>},
};

// atomic(operation, letter, address, value, expected) -> the bytes that were there
PyObject* atomic(PyObject*, PyObject* args) {
  const char* operation;
  int letter;
  unsigned long long address;
  Py_buffer value, expected;
  if (!PyArg_ParseTuple(args, "sCKy*y*:atomic", &operation, &letter, &address, &value, &expected))
    return nullptr;
  PyObject* found = nullptr;
  for (const auto& kind : kKinds)
    if (kind.letter == letter)
      found = kind.perform(operation, reinterpret_cast<void*>(address), value, expected);
  if (!found && !PyErr_Occurred()) PyErr_SetString(PyExc_ValueError, "there is no such number");
  PyBuffer_Release(&value);
  PyBuffer_Release(&expected);
  return found;
}

PyMethodDef functions[] = {{"atomic", atomic, METH_VARARGS, nullptr}, {nullptr, nullptr, 0, nullptr}};

}  // namespace

int add_atomic(PyObject* module) { return PyModule_AddFunctions(module, functions); }

}  // namespace samebytes
