// libtorch on the same weights and rows: hone-train in a process of its own, so that none is loaded
// here.
#pragma once
#include <string>
#include <vector>

#include "base/process.h"

namespace hone::bench {

struct Seconds {
  double wall = 0;
  double busy = 0;  // of all cores together: what others do on the machine hardly counts
};

class TorchPeer {
 public:
  TorchPeer(const std::string& program, const std::string& scorer, const std::string& set,
            const std::string& scores, int threads);

  Seconds time();               // of scoring all programs of the set once
  std::vector<float> finish();  // ends it and reads its scores

 private:
  std::string program_, scores_;
  Descriptor ours_;
  Process process_;
};

// Trains a scorer for one epoch: weights for those who only want to know its speed.
void train_briefly(const std::string& program, const std::string& kind, const std::string& set,
                   const std::string& scorer);

}  // namespace hone::bench
