#include "space/annotate/balanced.h"

#include <algorithm>
#include <bit>

#include "space/tiling.h"

namespace hone::space {
namespace {

std::int64_t pieces(std::int64_t extent, std::int64_t length) { return (extent + length - 1) / length; }

// Small sizes as often as large ones: uniform among powers of two, then inside the power.
std::int64_t draw_length(std::int64_t most, Random& random) {
  const int bits = std::bit_width(static_cast<std::uint64_t>(most));
  const std::int64_t low = std::int64_t{1} << random.below(bits);
  return std::min(most, low + random.below(low));
}

std::int64_t most_of(const SplitSite& site, int level, std::int64_t rest) {
  return level + 1 == site.count ? std::min(rest, kMaxInnermost) : rest;
}

std::int64_t& length(const SplitSite& site, int level, Decisions& decisions) {
  return *(decisions.begin() + site.first + level);
}

// What is left to a level by those inside of it.
std::int64_t rest_of(const SplitSite& site, int level, const Decisions& decisions) {
  std::int64_t rest = site.extent;
  const std::span<const std::int64_t> lengths = lengths_of(site, decisions);
  for (std::size_t i = lengths.size() - 1; i > static_cast<std::size_t>(level); --i) {
    rest = pieces(rest, lengths[i]);
  }
  return rest;
}

}  // namespace

void draw_balanced(const SplitSite& site, Decisions& decisions, Random& random) {
  std::int64_t rest = site.extent;
  for (int level = site.count - 1; level >= 0; --level) {
    std::int64_t& size = length(site, level, decisions);
    size = balanced(rest, draw_length(most_of(site, level, rest), random));
    rest = pieces(rest, size);
  }
}

void fit_balanced(const SplitSite& site, Decisions& decisions) {
  std::int64_t rest = site.extent;
  for (int level = site.count - 1; level >= 0; --level) {
    std::int64_t& size = length(site, level, decisions);
    size = balanced(rest, std::min(size, most_of(site, level, rest)));
    rest = pieces(rest, size);
  }
}

bool change_balanced(const SplitSite& site, Decisions& decisions, Random& random) {
  const int level = static_cast<int>(random.below(site.count));
  std::int64_t& size = length(site, level, decisions);
  const std::int64_t old = size;
  const std::int64_t rest = rest_of(site, level, decisions);
  size = balanced(rest, draw_length(most_of(site, level, rest), random));
  return size != old;
}

std::vector<Lengths> balanced_neighbours(const SplitSite& site, const Decisions& decisions) {
  const auto now = lengths_of(site, decisions);
  const Lengths lengths(now.begin(), now.end());
  std::vector<Lengths> found;
  for (int level = 0; level < site.count; ++level) {
    const std::int64_t rest = rest_of(site, level, decisions);
    const std::int64_t size = lengths[static_cast<std::size_t>(level)];
    const std::int64_t larger = pieces(rest, std::max<std::int64_t>(pieces(rest, size) - 1, 1));
    const std::int64_t smaller = balanced(rest, std::max<std::int64_t>(size - 1, 1));
    for (const std::int64_t other : {larger, smaller}) {
      if (other == size || other > most_of(site, level, rest)) continue;
      found.push_back(lengths);
      found.back()[static_cast<std::size_t>(level)] = other;
    }
  }
  return found;
}

}  // namespace hone::space
