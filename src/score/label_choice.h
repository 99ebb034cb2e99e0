// Which programs to measure when a model is to learn a machine from few of them.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "score/model.h"

namespace hone::score {

// Something that could be measured.
struct Prospect {
  std::vector<float> place;  // where a model sees it: what is near is alike to the model
  double weight = 1;         // how much it matters that something near it is measured
};

// Up to `n` of the prospects, in the order in which they were chosen: one after the other the one that
// brings all others nearest to a chosen one, by weight. `wanted` of them are taken before any other.
// Each number of a place counts in its own standard deviations.
std::vector<std::size_t> cover(std::span<const Prospect> prospects, std::size_t n,
                               std::span<const std::size_t> wanted = {});

// Up to `n` programs of one task that teach a model most, by what it says of all that could be
// measured: the one that it believes to be the fastest, since labels are times relative to the best,
// and then such that the others are covered, of which those count more that it believes to be fast and
// those that it is unsure of. The predictions tell what the last layer read.
std::vector<std::size_t> choose_actively(std::span<const Prediction> programs, std::size_t n);

// Up to `n` numbers below `of`, all equally likely, in the order of the draw.
std::vector<std::size_t> choose_randomly(std::size_t of, std::size_t n, std::uint64_t seed,
                                         std::uint64_t stream);

// How many labels each of several tasks gets of `n`: as evenly as there is room, what is left over
// first come, first served.
std::vector<std::size_t> even_shares(std::size_t n, std::span<const std::size_t> room);

// Of how many tasks `n` labels are: a task with few labels says little about the order of its programs.
std::size_t tasks_for(std::size_t n);

}  // namespace hone::score
