// What the members of an ensemble say of a program together.
#pragma once
#include <cmath>

namespace hone::score {

// T: one number, or a tensor of many.
template <class T>
struct Opinion {
  T log_latency;  // of the program / the best of its task; the mean of the members
  T spread;       // standard deviation between the members
};

// With one more member, whose vote weighs `share` of all.
template <class T, class Share>
Opinion<T> join(const Opinion<T>& others, const T& member, const Share& share) {
  using std::sqrt;
  const T apart = member - others.log_latency;
  return {others.log_latency + share * apart,
          sqrt((1 - share) * (others.spread * others.spread + share * apart * apart))};
}

}  // namespace hone::score
