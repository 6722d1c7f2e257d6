// std::ostream and std::istream that write to and read from a file of Python's, for the length of one call.
#pragma once
#include <cstring>
#include <exception>
#include <functional>
#include <istream>
#include <mutex>
#include <ostream>
#include <streambuf>

#include "callable.hpp"

namespace samebytes {

// What C++ asks of the Python object, by an address and a number of bytes; call/streams.py has the same.
// It says how many bytes it took or gave.
enum class file_call : int { write, read, put_back, flush, end };
using file_function = long(int, unsigned long, long);
using crossing_file = crossing_callable<file_function, shown::copied, shown::copied, shown::copied>;

class file_buffer : public std::streambuf {
 public:
  explicit file_buffer(std::function<file_function> file) : file_(std::move(file)) {
    setp(room_, room_ + sizeof room_ - 1);
    setg(room_, room_, room_);
  }

  // What C++ has written arrives, and what it has not read is there for the next who reads.
  void end() {
    write_out();
    if (egptr() != gptr()) ask(file_call::put_back, nullptr, egptr() - gptr());
    setg(room_, room_, room_);
    ask(file_call::end, nullptr, 0);
  }

 protected:
  int_type overflow(int_type c) override {
    if (!traits_type::eq_int_type(c, traits_type::eof())) {
      *pptr() = traits_type::to_char_type(c);
      pbump(1);
    }
    return write_out() ? traits_type::not_eof(c) : traits_type::eof();
  }
  int sync() override { return write_out() && ask(file_call::flush, nullptr, 0) == 0 ? 0 : -1; }
  int_type underflow() override {
    const long got = ask(file_call::read, room_, sizeof room_);
    if (got <= 0) return traits_type::eof();
    setg(room_, room_, room_ + got);
    return traits_type::to_int_type(*gptr());
  }

 private:
  long ask(file_call what, char* bytes, long count) {
    return file_(static_cast<int>(what), reinterpret_cast<unsigned long>(bytes), count);
  }
  bool write_out() {
    const long count = pptr() - pbase();
    setp(room_, room_ + sizeof room_ - 1);
    return !count || ask(file_call::write, room_, count) == count;
  }

  std::function<file_function> file_;
  char room_[4096];
};

// The last streams of calls that are over. C++ that has kept one is told by the Python object, which is over,
// too.
class past_streams {
 public:
  static void add(void* stream, void (*drop)(void*)) {
    static past_streams* const all = new past_streams;  // no end: others may use theirs until the last
    one old;
    {
      const std::lock_guard<std::mutex> guard(all->lock_);
      old = all->streams_[all->next_];
      all->streams_[all->next_] = {stream, drop};
      all->next_ = (all->next_ + 1) % most;
    }
    if (old.stream) old.drop(old.stream);
  }

 private:
  static constexpr std::size_t most = 256;
  struct one {
    void* stream;
    void (*drop)(void*);
  };
  std::mutex lock_;
  std::size_t next_ = 0;
  one streams_[most] = {};
};

// An argument for a S&.
template <class S>
class file_stream {
 public:
  explicit file_stream(const void* slot)
      : made_(new whole(crossing_file::in(*static_cast<const callable_wire*>(slot)))) {}
  file_stream(const file_stream&) = delete;
  file_stream& operator=(const file_stream&) = delete;
  ~file_stream() noexcept(false) {
    struct retired {
      whole* stream;
      ~retired() {
        past_streams::add(stream, [](void* old) { delete static_cast<whole*>(old); });
      }
    } const last{made_};
    try {
      made_->buffer.end();
    } catch (const std::exception&) {
      // The call raises what Python has raised.
    }
  }
  operator S&() { return made_->stream; }

 private:
  struct whole {
    file_buffer buffer;
    S stream;
    explicit whole(std::function<file_function> file) : buffer(std::move(file)), stream(&buffer) {}
  };
  whole* made_;
};

// A stream that a function takes and gives back.
struct dropped_result {
  template <class Call, class... A>
  static void samebytes_run(void*, Call call, A&&... a) {
    call(static_cast<A&&>(a)...);
  }
};

template <>
struct crossing<std::ostream, void> {
  using wire = callable_wire;
};
template <>
struct crossing<std::istream, void> {
  using wire = callable_wire;
};

}  // namespace samebytes
