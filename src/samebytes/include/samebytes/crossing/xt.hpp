// xtensor's containers, xarray and xtensor, which own their elements.
#pragma once
#include <xtensor/xarray.hpp>
#include <xtensor/xtensor.hpp>

#include "ndarray.hpp"

namespace samebytes {

template <class A>
struct crossing_xt {
  using wire = nd_wire;
  using element = typename A::value_type;
  static A in(const wire& from) {
    typename A::shape_type shape =
        xtl::make_sequence<typename A::shape_type>(static_cast<std::size_t>(from.rank), 0);
    matrix_fits(shape.size() == static_cast<std::size_t>(from.rank));
    for (std::size_t i = 0; i < shape.size(); ++i) shape[i] = static_cast<std::size_t>(from.shape[i]);
    A made = A::from_shape(shape);
    nd_copy(made.data(), from, sizeof(element), rows_first(made));
    return made;
  }
  static A show(const wire& from) { return in(from); }
  static bool finish(const A& shown, const wire& from) {
    bool same = shown.dimension() == static_cast<std::size_t>(from.rank);
    for (std::size_t i = 0; same && i < shown.dimension(); ++i)
      same = shown.shape()[i] == static_cast<std::size_t>(from.shape[i]);
    if (same) nd_store(from, shown.data(), sizeof(element), rows_first(shown));
    return same;
  }
  static void out(wire* to, const A& value, arena&) {
    nd_describe(to, value.data(), static_cast<std::int64_t>(value.dimension()), 0);
    for (std::size_t i = 0; i < value.dimension(); ++i) {
      to->shape[i] = static_cast<std::int64_t>(value.shape()[i]);
      to->strides[i] =
          static_cast<std::int64_t>(value.strides()[i]) * static_cast<std::int64_t>(sizeof(element));
    }
    nd_measure(to, sizeof(element));
  }

 private:
  // xtensor has no stride for an extent of one, and no other gaps.
  static bool rows_first(const A& of) { return of.layout() != xt::layout_type::column_major; }
};
template <class E, xt::layout_type L, class S, class Tag>
struct crossing<xt::xarray_container<E, L, S, Tag>, void> : crossing_xt<xt::xarray_container<E, L, S, Tag>> {
};
template <class E, std::size_t N, xt::layout_type L, class Tag>
struct crossing<xt::xtensor_container<E, N, L, Tag>, void>
    : crossing_xt<xt::xtensor_container<E, N, L, Tag>> {};

}  // namespace samebytes
