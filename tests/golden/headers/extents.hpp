// Extents of array parameters, which C++ lets decay to pointers.
#include <array>
typedef double vec3[3];
using mat4 = float[4][4];
void direct(double x[3], const float m[2][3], int open[], int* pointer);
void through_typedef(vec3 v, const vec3 c, mat4 m, vec3 several[5], vec3* pointer);
void deep(float a[2][3][4], float (*row)[4], std::array<int, 3> a3);
void one_redeclaration(int n, double* out);
void one_redeclaration(int n, double out[6]);
void one_redeclaration(int, double[]);
void largest(double out[2]);
void largest(double out[4]);
void in_records(struct Cell* cells[2]);
constexpr int count = 7;
void computed(double out[count + 1], double last[sizeof(double)]);
