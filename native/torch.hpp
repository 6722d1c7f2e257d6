// Sets up how torch tensors are read.
#pragma once
#include "array.hpp"

namespace samebytes {

// Completes the record of torch.Tensor or torch.nn.Parameter; false with an exception set if no way works.
bool setup_torch(Route& route);

}  // namespace samebytes
