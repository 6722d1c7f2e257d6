// Finds the way into the running torch: its C shim, the handle inside a tensor object, and what marks plain
// tensors.
#pragma once
#include "array.hpp"

namespace samebytes {

// Sets up the record of torch.Tensor or torch.nn.Parameter; false with an exception set if neither way works.
bool setup_torch(Route& route);

}  // namespace samebytes
