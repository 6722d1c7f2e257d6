// What the packages of tests/golden/packages are made of: a header that uses each kind of declaration once.
#pragma once
#include <array>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace shapes {
/// Two numbers.
struct Point {
  double x, y;
};
enum class Colour { red = 1, green };
constexpr int corners = 4;
inline double level = 1.5;

inline Point moved(Point p, double by = 1) { return {p.x + by, p.y}; }
inline double total(const std::vector<double>& v) {
  double s = 0;
  for (double x : v) s += x;
  return s;
}
inline std::map<std::string, int> counted(const std::vector<std::string>& words) {
  std::map<std::string, int> m;
  for (auto& w : words) ++m[w];
  return m;
}
inline std::optional<int> maybe(bool b) { return b ? std::optional<int>(1) : std::nullopt; }
inline std::pair<int, std::string> both() { return {1, "one"}; }
inline double called(const std::function<double(double)>& f, double x) { return f(x); }
inline void filled(float (&row)[3]) { row[0] = row[1] = row[2] = 1; }
inline void doubled(double* values, int n) {
  for (int i = 0; i < n; ++i) values[i] *= 2;
}
inline int over(int x) { return x; }
inline double over(double x) { return -x; }
inline int failing() { throw std::out_of_range("no such shape"); }
template <class T>
T twice(T x) {
  return x + x;
}

/// Something with a name.
class Shape {
  std::string name_;

 public:
  explicit Shape(std::string name) : name_(std::move(name)) {}
  virtual ~Shape() {}
  virtual double area() const { return 0; }
  const std::string& name() const { return name_; }
  static int made() { return 7; }
  Shape& operator+=(const std::string& more) {
    name_ += more;
    return *this;
  }
  bool operator==(const Shape& o) const { return name_ == o.name_; }
};
class Square : public Shape {
 public:
  double side;
  explicit Square(double side) : Shape("square"), side(side) {}
  double area() const override { return side * side; }
};
inline std::unique_ptr<Shape> made(double side) { return std::make_unique<Square>(side); }
inline double area_of(const Shape& s) { return s.area(); }
}  // namespace shapes
