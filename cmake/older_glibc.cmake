# Links the core for systems with an older glibc than this one's: the system's compiler compiles as ever, and zig's linker,
# which knows the symbols of every glibc, binds to those that an old one has. Included where SAMEBYTES_GLIBC is given.
find_program(SAMEBYTES_ZIG NAMES python-zig zig REQUIRED DOC "zig, of `pip install ziglang`")

foreach(runtime libstdc++.so libgcc_s.so.1)
  execute_process(
    COMMAND ${CMAKE_CXX_COMPILER} -print-file-name=${runtime}
    OUTPUT_VARIABLE path OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
  # By their paths: by their names zig takes its own, whose unwinder knows nothing of the one by which glibc ends threads.
  list(APPEND runtimes "\"${path}\"")
endforeach()
list(JOIN runtimes " " runtimes)

set(CMAKE_CXX_CREATE_SHARED_MODULE
    "\"${SAMEBYTES_ZIG}\" cc -target x86_64-linux-gnu.${SAMEBYTES_GLIBC} -mcpu=baseline -shared -s -Wl,--as-needed <OBJECTS> \
-o <TARGET> <LINK_LIBRARIES> ${runtimes} -lpthread -ldl -lm")
list(APPEND SOURCES ${CMAKE_CURRENT_LIST_DIR}/older_libstdcxx.cpp)
