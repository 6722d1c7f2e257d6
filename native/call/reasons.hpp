// Why C++ cannot have an object: the words by which Python knows the sentences
// (values/conversion/handles.py).
#pragma once

namespace samebytes {

namespace why {
inline constexpr char gone[] = "gone";            // an earlier call took it
inline constexpr char shared[] = "shared";        // a std::shared_ptr has it
inline constexpr char used[] = "used";            // by a running call
inline constexpr char twice[] = "twice";          // two arguments are it
inline constexpr char seen[] = "seen";            // Python's objects lie inside of it, or refer to it
inline constexpr char made[] = "made";            // by Python, which alone ends it
inline constexpr char kept[] = "kept";            // by Python, with what lies inside of it
inline constexpr char replaced[] = "replaced";    // a running call uses what an assignment would end
inline constexpr char beyond[] = "beyond";        // Python's objects may lie in what an assignment would end
inline constexpr char unwatched[] = "unwatched";  // of a class of Python's, and nobody would tell of its end
}  // namespace why

inline constexpr const char* kReasons[] = {why::gone,   why::shared,   why::used, why::twice,
                                           why::seen,   why::made,     why::kept, why::replaced,
                                           why::beyond, why::unwatched};
inline constexpr int kReasonCount = sizeof kReasons / sizeof *kReasons;

}  // namespace samebytes
