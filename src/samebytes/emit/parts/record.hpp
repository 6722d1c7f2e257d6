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
  samebytes_end,  // of an iteration
};

struct samebytes_failure {
  int samebytes_code;  // a samebytes_cause
  int samebytes_reserved;
  char samebytes_message[1024];  // UTF-8, NUL-terminated if shorter
};
#endif
