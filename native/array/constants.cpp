// The numbers of arrays that Python reads off the module: DLPack's devices, type codes and flags, and the
// rank.
#include "constants.hpp"

#include "array/dlpack.hpp"
#include "view/view.hpp"

namespace samebytes {

namespace {

struct Named {
  const char* name;
  TypeCode code;
};

// As messages and ml_dtypes name them.
constexpr Named kTypeCodes[] = {
    {"int", TypeCode::integer},
    {"uint", TypeCode::unsigned_integer},
    {"float", TypeCode::floating},
    {"opaque", TypeCode::opaque},
    {"bfloat", TypeCode::bfloat},
    {"complex", TypeCode::complex},
    {"bool", TypeCode::boolean},
    {"float8_e3m4", TypeCode::float8_e3m4},
    {"float8_e4m3", TypeCode::float8_e4m3},
    {"float8_e4m3b11fnuz", TypeCode::float8_e4m3b11fnuz},
    {"float8_e4m3fn", TypeCode::float8_e4m3fn},
    {"float8_e4m3fnuz", TypeCode::float8_e4m3fnuz},
    {"float8_e5m2", TypeCode::float8_e5m2},
    {"float8_e5m2fnuz", TypeCode::float8_e5m2fnuz},
    {"float8_e8m0fnu", TypeCode::float8_e8m0fnu},
    {"float6_e2m3fn", TypeCode::float6_e2m3fn},
    {"float6_e3m2fn", TypeCode::float6_e3m2fn},
    {"float4_e2m1fn", TypeCode::float4_e2m1fn},
};
static_assert(sizeof kTypeCodes / sizeof *kTypeCodes == kTypeCodeCount, "each code has a name");

int add_type_codes(PyObject* module) {
  const Ref codes = Ref::steal(PyDict_New());
  for (const Named& one : kTypeCodes) {
    const Ref code = codes ? Ref::steal(PyLong_FromLong(static_cast<long>(one.code))) : Ref();
    if (!code || PyDict_SetItemString(codes.get(), one.name, code.get()) < 0) return -1;
  }
  return PyModule_AddObjectRef(module, "DLPACK_CODES", codes.get());
}

}  // namespace

int add_array_constants(PyObject* module) {
  const Ref version = Ref::steal(Py_BuildValue("(ii)", kDLPackMajor, kDLPackMinor));
  if (!version || PyModule_AddObjectRef(module, "DLPACK_VERSION", version.get()) < 0) return -1;
  if (add_type_codes(module) < 0) return -1;
  return add_constants(module, {{"MAX_RANK", kMaxRank},
                                {"DLPACK_READ_ONLY", static_cast<long>(kReadOnly)},
                                {"DLPACK_SUBBYTE_PADDED", static_cast<long>(kSubbytePadded)},
                                {"DEVICE_CPU", kCpu},
                                {"DEVICE_CUDA", kCuda},
                                {"DEVICE_CUDA_HOST", kCudaHost},
                                {"DEVICE_OPENCL", kOpenCl},
                                {"DEVICE_VULKAN", kVulkan},
                                {"DEVICE_METAL", kMetal},
                                {"DEVICE_ROCM", kRocm},
                                {"DEVICE_ROCM_HOST", kRocmHost},
                                {"DEVICE_CUDA_MANAGED", kCudaManaged},
                                {"DEVICE_ONEAPI", kOneApi},
                                {"DEVICE_WEBGPU", kWebGpu}});
}

}  // namespace samebytes
