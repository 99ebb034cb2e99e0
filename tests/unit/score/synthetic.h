// Programs made up for tests, whose speed is a known function of their rows.
#pragma once
#include <algorithm>
#include <cmath>

#include "base/random.h"
#include "score/sample.h"

namespace hone::score {

struct Synthetic {
  std::vector<Sample> samples;
  std::vector<double> labels;  // best time / time
};

// Programs of one task: a row of 8 columns for each node. A row costs what its first three columns say,
// not linearly; three are noise, one is the node and one is constant.
inline Synthetic synthetic(int n, int n_nodes, std::uint64_t seed) {
  constexpr int kColumns = 8;
  Synthetic out;
  std::vector<double> times;
  for (int i = 0; i < n; ++i) {
    Random random(seed, static_cast<std::uint64_t>(i));
    Sample& sample = out.samples.emplace_back();
    double time = 0.2;
    for (int node = 0; node < n_nodes; ++node) {
      sample.nodes.push_back(node);
      for (int column = 0; column < kColumns - 2; ++column)
        sample.values.push_back(static_cast<float>(random.unit()));
      sample.values.push_back(static_cast<float>(node));
      sample.values.push_back(1);
      const float* row = sample.values.data() + node * kColumns;
      time += std::abs(row[0] - 0.5) + row[1] * row[2];
    }
    times.push_back(time);
  }
  const double best = *std::ranges::min_element(times);
  for (const double time : times) out.labels.push_back(best / time);
  return out;
}

}  // namespace hone::score
