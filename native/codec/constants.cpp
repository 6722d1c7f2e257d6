// The numbers of codecs that Python reads off the module.
#include "constants.hpp"

#include "codec/codec.hpp"

namespace samebytes {

int add_codec_constants(PyObject* module) {
  return add_constants(module, {{"LAUNCH_PARAMS", static_cast<long>(Launch::params)},
                                {"LAUNCH_EXTRA", static_cast<long>(Launch::extra)},
                                {"FIRST_PAGE", static_cast<long>(kFirstPage)}});
}

}  // namespace samebytes
