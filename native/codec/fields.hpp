// The fields of a struct's codec, as its description lists them.
#pragma once
#include "codec/codec.hpp"

namespace samebytes {

// False: exception set.
bool take_fields(Codec& codec, PyObject* fields);
bool survey_fields(Codec& codec);

}  // namespace samebytes
