// What DPC++ knows of kernels, for the parser: the property that makes a function one becomes an annotation.
// The compiler itself never sees this file.
#pragma once
#include <sycl/sycl.hpp>

#undef SYCL_EXT_ONEAPI_FUNCTION_PROPERTY
#define SAMEBYTES_TEXT(...) #__VA_ARGS__
#define SAMEBYTES_SAID(...) SAMEBYTES_TEXT(__VA_ARGS__)
#define SYCL_EXT_ONEAPI_FUNCTION_PROPERTY(...) \
  __attribute__((annotate("global"), annotate("sycl " SAMEBYTES_SAID(__VA_ARGS__))))
