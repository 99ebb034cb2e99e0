// What the loop asks for the next candidates.
#pragma once
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "tune/trial.h"

namespace hone::tune {

using IsKnown = std::function<bool(const std::string& key)>;

struct Proposals {
  std::vector<Candidate> candidates;  // different ones, the most promising first
  double search_s = 0, score_s = 0;   // what choosing them took
};

// Used by one thread at a time; what it proposes depends on its seed and on what it was taught, on
// nothing else.
class Proposer {
 public:
  virtual ~Proposer() = default;
  // Up to `count` candidates that are not known; fewer when the space has no more.
  virtual Proposals propose(int round, std::size_t count, const IsKnown& is_known) = 0;
  virtual void learn(std::span<const Trial> trials) = 0;
};

}  // namespace hone::tune
