// Who asks for a buffer: NumPy makes an array of what shows one, before it asks for __array__.
#pragma once

namespace samebytes {

// Whether the buffer that is being asked for becomes an array of NumPy's at once, and not a memoryview of
// Python's.
bool is_asked_by_numpy();

}  // namespace samebytes
