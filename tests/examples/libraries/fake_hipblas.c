/* hipBLAS on the host's memory, as much as the scripts use. */
#include "hipblas/hipblas.h"

#include <stdlib.h>

hipblasStatus_t hipblasCreate(hipblasHandle_t* handle) {
  return *handle = malloc(1), HIPBLAS_STATUS_SUCCESS;
}
hipblasStatus_t hipblasDestroy(hipblasHandle_t handle) {
  if (!handle) return HIPBLAS_STATUS_NOT_INITIALIZED;
  return free(handle), HIPBLAS_STATUS_SUCCESS;
}
hipblasStatus_t hipblasSscal(hipblasHandle_t handle, int n, const float* alpha, float* x, int incx) {
  if (!alpha || !x) return HIPBLAS_STATUS_INVALID_VALUE;
  for (int i = 0; i < n; ++i) x[i * incx] *= *alpha;
  return HIPBLAS_STATUS_SUCCESS;
}
hipblasStatus_t hipblasSaxpy(hipblasHandle_t handle, int n, const float* alpha, const float* x, int incx, float* y,
                             int incy) {
  if (!alpha || !x || !y) return HIPBLAS_STATUS_INVALID_VALUE;
  for (int i = 0; i < n; ++i) y[i * incy] += *alpha * x[i * incx];
  return HIPBLAS_STATUS_SUCCESS;
}
hipblasStatus_t hipblasSdot(hipblasHandle_t handle, int n, const float* x, int incx, const float* y, int incy,
                            float* result) {
  if (!x || !y || !result) return HIPBLAS_STATUS_INVALID_VALUE;
  *result = 0;
  for (int i = 0; i < n; ++i) *result += x[i * incx] * y[i * incy];
  return HIPBLAS_STATUS_SUCCESS;
}
