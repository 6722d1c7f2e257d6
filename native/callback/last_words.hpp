// What a process says that std::terminate ends while a Python callable's exception goes through C++.
#pragma once
#include <exception>

namespace samebytes {

// Given the handler that is set: the one to set in its place, which ends by calling it. C++ calls this where
// a callable has failed, so that no call costs anything for it.
std::terminate_handler last_words(std::terminate_handler now);

}  // namespace samebytes
