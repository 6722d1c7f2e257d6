// Gives a source on its standard input to DPC++'s run-time compiler of device code, and prints what that
// says. The arguments are options of the compiler. With SYCL_DUMP_IMAGES the runtime writes what was made.
#include <iostream>
#include <iterator>
#include <string>
#include <sycl/sycl.hpp>
#include <vector>

namespace experimental = sycl::ext::oneapi::experimental;

int main(int count, char** arguments) {
  const std::string text(std::istreambuf_iterator<char>(std::cin), {});
  const std::vector<std::string> options(arguments + 1, arguments + count);
  try {
    sycl::queue queue;
    auto source = experimental::create_kernel_bundle_from_source(queue.get_context(),
                                                                 experimental::source_language::sycl, text);
    experimental::build(source, experimental::properties{experimental::build_options{options}});
    return 0;
  } catch (const std::exception& error) {
    std::cerr << error.what();
    return 1;
  }
}
