// What the array descriptor promises, decided while this compiles; SPAN is the namespace of an mdspan
// (libcu++, C++23).
#include <samebytes/array.hpp>

namespace array_header {

using samebytes::array;
using size = decltype(sizeof 0);

template <class A, class B>
inline constexpr bool same = false;
template <class A>
inline constexpr bool same<A, A> = true;
template <class T>
SAMEBYTES_HD T make() noexcept;
template <class A, class B, class = void>
inline constexpr bool converts = false;
template <class...>
using void_of = void;
template <class B>
SAMEBYTES_HD void take(B);
template <class A, class B>
inline constexpr bool converts<A, B, void_of<decltype(take<B>(make<A>()))>> = true;

static_assert(sizeof(array<float, 0>) == 8 && sizeof(array<float, 1>) == 24 && sizeof(array<char, 4>) == 72,
              "");
static_assert(__is_trivially_copyable(array<float, 0>) && __is_trivially_copyable(array<float, 3>), "");
static_assert(__is_standard_layout(array<float, 0>) && __is_standard_layout(array<float, 3>), "");
static_assert(SAMEBYTES_OFFSETOF_ARRAY(data) == 0 && SAMEBYTES_OFFSETOF_ARRAY(shape) == 8, "");
static_assert(SAMEBYTES_OFFSETOF_ARRAY(strides) == 24, "");

// To read-only and not back, never to another number or rank.
static_assert(converts<array<float, 2>, array<const float, 2>> &&
                  converts<array<float, 0>, array<const float, 0>>,
              "");
static_assert(!converts<array<const float, 2>, array<float, 2>>, "");
static_assert(!converts<array<float, 2>, array<double, 2>> && !converts<array<float, 2>, array<float, 3>>,
              "");
static_assert(!converts<float*, array<float, 2>> && !converts<int, array<float, 1>>, "");

constexpr SAMEBYTES_HD float indexing() {
  float p[12] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
  array<float, 2> a(p, {3, 4}, {4, 1});
  array<float, 2> backwards(p + 11, {3, 4}, {static_cast<size>(-4), static_cast<size>(-1)});
  array<float, 1> row(p, {4}, {2});
  array<float, 0> one(p + 7);
  a(0, 0) = 100;
  const array<float, 2> copy = a;  // a descriptor is a view: const says nothing about the elements
  copy(0, 1) = 50;
  array<float, 2> assigned(nullptr, {0, 0}, {0, 0});
  assigned = copy;
  array<const float, 2> view = assigned;
  array deduced = a;  // a copy is a copy
  static_assert(same<decltype(deduced), array<float, 2>>, "");
  one() += 1;
  if (a.size() != 12 || a.extent(1) != 4 || backwards.stride(0) != -4 || row.stride(0) != 2) return -1;
  if (backwards.strides_are_positive() || !a.strides_are_positive() || one.size() != 1 || one.rank() != 0)
    return -2;
  return view(0, 0) + view(0, 1) + backwards(1, 3) + row[1] + view(2, 3) + deduced(1, 0) + one();
}
static_assert(indexing() == 100 + 50 + 4 + 2 + 11 + 4 + 8, "");

#if defined(SPAN)
using Right = SPAN::mdspan<float, SPAN::dextents<size, 2>>;
using Left = SPAN::mdspan<float, SPAN::dextents<size, 2>, SPAN::layout_left>;
using Fixed = SPAN::mdspan<float, SPAN::extents<size, 2, 3>>;
using Narrow = SPAN::mdspan<float, SPAN::dextents<int, 2>, SPAN::layout_stride>;
using Strided = SPAN::mdspan<float, SPAN::dextents<size, 2>, SPAN::layout_stride>;
using ReadOnly = SPAN::mdspan<const float, SPAN::dextents<size, 2>, SPAN::layout_stride>;
using Single = SPAN::mdspan<float, SPAN::extents<size>, SPAN::layout_stride>;
using Doubles = SPAN::mdspan<double, SPAN::dextents<size, 2>>;

static_assert(sizeof(Strided) == sizeof(array<float, 2>) && alignof(Strided) == alignof(array<float, 2>), "");
static_assert(converts<Right, array<float, 2>> && converts<Left, array<const float, 2>>, "");
static_assert(converts<Fixed, array<float, 2>> && converts<Narrow, array<float, 2>>, "");
static_assert(converts<array<float, 2>, Strided> && converts<array<float, 2>, ReadOnly>, "");
static_assert(converts<array<const float, 2>, ReadOnly> && converts<array<float, 2>, Narrow>, "");
static_assert(!converts<ReadOnly, array<float, 2>> && !converts<array<const float, 2>, Strided>, "");
static_assert(!converts<Doubles, array<float, 2>> && !converts<Right, array<float, 3>>, "");
// An mdspan without strides of its own would silently forget ours, and one with fixed extents our shape.
static_assert(!converts<array<float, 2>, Right> && !converts<array<float, 2>, Fixed>, "");
static_assert(!converts<array<float, 3>, Strided>, "");

SAMEBYTES_HD constexpr float read(array<const float, 2> a) { return a(1, 2); }

constexpr SAMEBYTES_HD float conversions() {
  float p[6] = {0, 1, 2, 3, 4, 5};
  array<float, 2> right = Right(p, 2, 3);
  array<float, 2> left = Left(p, 2, 3);
  array<float, 2> fixed = Fixed(p);
  array deduced = Left(p, 2, 3);
  static_assert(same<decltype(deduced), array<float, 2>>, "");
  Strided strided = right;
  ReadOnly readonly = left;
  Narrow narrow = right;
  array<float, 2> again = strided;
  array<float, 2> wide = narrow;
  Single single = array<float, 0>(p + 5);
  array<float, 0> one = single;
  if (strided.extent(0) != 2 || strided.stride(0) != 3 || readonly.stride(1) != 2) return -1;
  if (wide.shape[1] != 3 || wide.strides[0] != 3 || fixed.shape[0] != 2 || deduced.strides[1] != 2) return -2;
  return read(again) + read(left) + read(strided) + read(Right(p, 2, 3)) + one();
}
static_assert(conversions() == 5 + 5 + 5 + 5 + 5, "");
#endif

}  // namespace array_header
