// Hillshade by Horn's method: how bright each cell of an elevation model is under a given sun.
#include <algorithm>
#include <cmath>
#include <samebytes/array.hpp>
#include <stdexcept>

/// Where the light comes from, and how wide a cell is.
struct Sun {
  float azimuth;   ///< degrees clockwise from north
  float altitude;  ///< degrees above the horizon
  double cell;     ///< width of a cell, in the unit of the elevations
};

/// Shade `dem` (row 0 is north) into `out`, 0 for darkness and 1 for full light; return the cells written.
extern "C" int hillshade(samebytes::array<const short, 2> dem, Sun sun, samebytes::array<float, 2> out) {
  const int rows = static_cast<int>(dem.shape[0]), columns = static_cast<int>(dem.shape[1]);
  if (out.shape[0] != dem.shape[0] || out.shape[1] != dem.shape[1])
    throw std::invalid_argument("out must have the shape of dem");
  if (!(sun.cell > 0)) throw std::invalid_argument("cell must be positive");

  const double degree = 3.14159265358979323846 / 180;
  const double azimuth = sun.azimuth * degree, altitude = sun.altitude * degree;
  const double east = std::sin(azimuth) * std::cos(altitude);
  const double north = std::cos(azimuth) * std::cos(altitude);
  const double up = std::sin(altitude);
  const double per_cell = 1 / (8 * sun.cell);

  for (int i = 0; i < rows; ++i) {
    const int n = std::max(i - 1, 0), s = std::min(i + 1, rows - 1);  // the border repeats its own cells
    for (int j = 0; j < columns; ++j) {
      const int w = std::max(j - 1, 0), e = std::min(j + 1, columns - 1);
      const int to_east = (dem(n, e) + 2 * dem(i, e) + dem(s, e)) - (dem(n, w) + 2 * dem(i, w) + dem(s, w));
      const int to_south = (dem(s, w) + 2 * dem(s, j) + dem(s, e)) - (dem(n, w) + 2 * dem(n, j) + dem(n, e));
      const double p = to_east * per_cell, q = to_south * per_cell;
      const double light = (up + q * north - p * east) / std::sqrt(1 + p * p + q * q);
      out(i, j) = static_cast<float>(std::max(light, 0.0));
    }
  }
  return rows * columns;
}
