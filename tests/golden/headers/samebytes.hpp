// The types of samebytes' own headers: array descriptors, vectors and small numbers.
#include <samebytes/array.hpp>
#include <samebytes/vector.hpp>
struct Sun {
  float azimuth, altitude;
  double cell;
};
extern "C" int hillshade(samebytes::array<const short, 2> dem, Sun sun, samebytes::array<float, 2> out);
void many(samebytes::array<const double, 1> a, samebytes::array<const std::int64_t, 3>& b, const samebytes::array<bool, 1>& c);
samebytes::float32x4 vectors(samebytes::float32x3 a, const samebytes::int32x2& b, samebytes::float64x4* c);
samebytes::float16 small(samebytes::bfloat16 a, samebytes::float8e4m3 b, samebytes::float8e5m2 c);
struct Particle {
  char tag;
  samebytes::float32x3 position;
  samebytes::float32x4 color[2];
  samebytes::float16x2 half;
};
Particle move(Particle p, samebytes::array<Particle, 1> all, samebytes::array<samebytes::float32x4, 2> image);
