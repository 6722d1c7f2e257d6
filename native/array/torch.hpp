// Sets up how torch tensors are read.
#pragma once
#include "array/array.hpp"

namespace samebytes {

// Completes the record of torch.Tensor or torch.nn.Parameter; false with an exception set if no way works.
bool setup_torch(Route& route);

// For tensors of subclasses, which no route reads: where a tensor keeps what it is.
PyObject* meet_torch(PyObject*, PyObject* type);

}  // namespace samebytes
