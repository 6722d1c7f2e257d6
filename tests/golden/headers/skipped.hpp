// What cannot cross, each with its precise reason. flags: -std=c++20; judge: yes
#include <atomic>
#include <cstdarg>
#include <functional>
#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>
#include <vector>
long double wide(int x);
int wide_parameter(int ok, long double bad);
__int128 huge(unsigned __int128 x);
int variadic(int n, ...);
int arguments(std::va_list list);
void callback(void (*f)(int), int n);
void reference_to_function(void (&f)(int));
void reference_to_array(float (&a)[3]);
struct S {
  int x;
  int method();
};
void member_pointer(int S::* p);
void method_pointer(int (S::*p)());
void nothing(std::nullptr_t p);
void atomic(std::atomic<int> a);
void string(std::string s);
void const_string(const std::string& s);
std::vector<int> vector(const std::vector<int>* v);
void function(std::function<void(int)> f);
std::unique_ptr<int> unique();
std::string_view view(std::string_view v);
void list(std::initializer_list<int> l);
int deleted(int x) = delete;
static int no_body(int x);
inline int no_inline_body(int x);
auto undeduced(int x);
consteval int immediate(int x) { return x; }
S operator+(const S& a, const S& b);
long double operator""_deg(long double x);
typedef float simd __attribute__((vector_size(16)));
simd builtin_vector(simd x);
template <class T>
concept Anything = true;
void constrained(Anything auto x);
constexpr auto lambda = [](int x) { return x; };
int takes_lambda(decltype(lambda) f);
int sizeless(int (*p)[]);
