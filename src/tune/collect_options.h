// What a user may choose about collecting a data set.
#pragma once
#include <cstdint>
#include <string>

namespace hone::tune {

struct CollectOptions {
  std::string folder;
  int per_task = 400;  // samples of each task, where its space has as many
  int threads = 1;     // that a kernel runs on
  int jobs = 1;        // threads that choose candidates
  std::uint64_t seed = 1;
  bool fresh = false;  // forget what the folder holds
};

}  // namespace hone::tune
