// nanobind as a peer of the matrix: takes any array as an nb::ndarray, and shows memory as one.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <cstring>
#include <optional>
#include <vector>

namespace nb = nanobind;

namespace {

// What a C++ function sees of its argument, and holds.
struct Taken {
  nb::ndarray<nb::ro> array;
  void* writable;  // null for a read-only array

  char* place(const std::vector<std::size_t>& index, std::size_t itemsize) const {
    std::int64_t offset = 0;
    for (std::size_t d = 0; d < array.ndim(); ++d) offset += array.stride(d) * std::int64_t(index[d]);
    return const_cast<char*>(static_cast<const char*>(array.data())) + offset * std::int64_t(itemsize);
  }
};

std::vector<std::size_t> from(nb::sequence numbers) {
  std::vector<std::size_t> found;
  for (nb::handle n : numbers) found.push_back(nb::cast<std::size_t>(n));
  return found;
}

nb::tuple shape(const Taken& self) {
  nb::list extents;
  for (std::size_t d = 0; d < self.array.ndim(); ++d) extents.append(self.array.shape(d));
  return nb::tuple(extents);
}

}  // namespace

NB_MODULE(nanobind_peer, m) {
  nb::class_<Taken>(m, "Taken")
      .def_prop_ro("address", [](const Taken& self) { return std::uintptr_t(self.array.data()); })
      .def_prop_ro("readonly", [](const Taken& self) { return self.writable == nullptr; })
      .def_prop_ro("shape", shape)
      .def_prop_ro("dtype", [](const Taken& self) {
        return nb::make_tuple(self.array.dtype().code, self.array.dtype().bits, self.array.dtype().lanes);
      })
      .def("read", [](const Taken& self, nb::sequence index) {
        const std::size_t size = self.array.dtype().bits / 8;
        return nb::bytes(self.place(from(index), size), size);
      })
      .def("write", [](const Taken& self, nb::sequence index, nb::bytes value) {
        if (!self.writable) throw nb::type_error("read-only");
        std::memcpy(self.place(from(index), value.size()), value.c_str(), value.size());
      });

  m.def("take", [](nb::ndarray<> x) { return Taken{nb::ndarray<nb::ro>(x), x.data()}; });
  m.def("take", [](nb::ndarray<nb::ro> x) { return Taken{x, nullptr}; });

  m.def("show", [](std::uintptr_t address, nb::sequence shape, nb::sequence strides, nb::tuple code, nb::object owner,
                   bool readonly) -> nb::object {
    const auto extents = from(shape);
    std::vector<std::int64_t> steps;
    for (nb::handle s : strides) steps.push_back(nb::cast<std::int64_t>(s));
    const nb::dlpack::dtype type{nb::cast<std::uint8_t>(code[0]), nb::cast<std::uint8_t>(code[1]), 1};
    void* data = reinterpret_cast<void*>(address);
    if (readonly)
      return nb::cast(nb::ndarray<nb::array_api, nb::ro>(data, extents.size(), extents.data(), owner, steps.data(), type));
    return nb::cast(nb::ndarray<nb::array_api>(data, extents.size(), extents.data(), owner, steps.data(), type));
  });
}
