// Default arguments: the text always, the value where it is a constant.
#include <complex>
#define DEFAULT_WIDTH 80
namespace ns {
enum class Mode : unsigned char { fast, exact = 7 };
struct Options {
  int level;
  float rate;
};
constexpr int kLevel = 3;
constexpr double twice(double x) { return 2 * x; }
int numbers(int a = 1, long b = -2, unsigned c = 3u, float d = 0.5f, double e = 1e-3, bool f = true, char g = 'x',
            unsigned long h = ~0ul, short i = 'a' + 1, double j = 1, int k = sizeof(double), unsigned l = -1);
int names(Mode m = Mode::exact, int level = kLevel, int level2 = ns::kLevel + 1, int width = DEFAULT_WIDTH,
          double two = twice(1.5));
int text(const char* s = "a \"quoted\" = text", const char* none = nullptr, int* p = 0, void* q = NULL);
int objects(Options o = Options{1, 2.5f}, Options p = {}, std::complex<float> z = {1, 2}, const Options& r = Options());
int references(const double& x = 2.5, const Mode& m = Mode::fast, int&& y = 4);
int partly(int a, int b = 2);
int later(int a, int b);
int later(int a, int b = 9);
int empty_braces(int a = {}, double b = {});
}  // namespace ns
