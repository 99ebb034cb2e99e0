// How the program ends, for scripts.
#pragma once

namespace hone::cli {

inline constexpr int kDone = 0;
inline constexpr int kAnswerIsNo = 1;  // done, but a mismatch, a failed check or no valid candidate
inline constexpr int kWrongUse = 2;    // also input that cannot be read
inline constexpr int kNoWorker = 3;    // nothing to run kernels on
inline constexpr int kOurBug = 4;
inline constexpr int kStopped = 130;  // by Ctrl-C; what was measured is saved

}  // namespace hone::cli
