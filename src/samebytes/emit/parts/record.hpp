// A shim's error record, for the units that write it and for the core, which reads it. It stands among the
// user's declarations and includes nothing: every name that a macro could have is ours.
#if !defined(__CUDACC__)
enum samebytes_cause {
  samebytes_nothing,
  samebytes_invalid_argument,
  samebytes_out_of_range,
  samebytes_bad_alloc,
  samebytes_overflow_error,
  samebytes_other,
  samebytes_end,            // of an iteration
  samebytes_os_error,       // a std::system_error of the generic or the system category
  samebytes_caught = 256,   // beside the cause: the exception itself is in the record, and is to be dropped
  samebytes_holding = 512,  // beside that: it holds another
  samebytes_coded = 1024,  // beside samebytes_caught: it has a std::error_code, which samebytes_code_of tells
  samebytes_bits = samebytes_caught | samebytes_holding | samebytes_coded,
};

// The std::error_code of an exception; null: unknown. The texts live as long as the exception.
struct samebytes_error_code {
  int samebytes_value;
  const char* samebytes_category;
  const char* samebytes_paths[2];  // of a std::filesystem::filesystem_error that names one or two files
};

struct samebytes_failure;
// What is asked about an exception that a record has: a std::exception_ptr, by the address of its bytes.
struct samebytes_asking {
  void (*samebytes_drop)(void**);
  void (*samebytes_copy)(void**, void**);  // the second is made
  char* (*samebytes_type)(void**);         // its name, for free(); null: unknown
  // The exception that it holds (std::nested_exception), as a record; of code 0: none.
  void (*samebytes_nested)(void**, struct samebytes_failure*);
  // Tells the name and the address of the object, and then of its public bases.
  void (*samebytes_parts)(void**, void (*)(void*, const char*, void*), void*);
  void (*samebytes_code_of)(void**, struct samebytes_error_code*);  // with samebytes_coded only
};

struct samebytes_failure {
  int samebytes_code;  // a samebytes_cause, with samebytes_caught or without
  int samebytes_reserved;
  char samebytes_message[1024];  // UTF-8, NUL-terminated if shorter
  // With samebytes_caught only.
  void* samebytes_thrown;
  const struct samebytes_asking* samebytes_asked;
  void* samebytes_classes;  // a callable of Python's, which knows the library's classes; null: there are none
};
#endif
