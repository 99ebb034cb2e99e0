// What the loops around a statement touch, and so how much comes into a cache while they run.
#pragma once
#include <cstdint>
#include <vector>

#include "feature/loop_tree.h"
#include "target/target.h"

namespace hone::feature {

// The part of an operand that some loops touch.
struct Footprint {
  double bytes = 0;    // of the lines it lies in
  double passes = 1;   // 2 for what is written: it comes and goes
  double run = 0;      // bytes side by side
  double in_page = 0;  // bytes in each page that it lies in
  double pitch = 0;    // bytes between the places where its rows can begin in a page; 0: it is one run
};
// `box` is its extents in a tensor of this shape; what lies outside, in the padding, is not touched.
// Beyond a page the addresses that caches go by have nothing to do with those of the program.
inline constexpr std::int64_t kPageBytes = 4096;
Footprint footprint(const std::vector<std::int64_t>& box, const std::vector<std::int64_t>& shape,
                    int element_bytes);

// All operands of a statement, loop by loop.
struct Footprints {
  std::vector<double> buffer_bytes;  // of what holds each operand
  std::vector<double> extents;       // of the loops, innermost first
  std::vector<Footprint> parts;  // inside of the innermost loop for each operand, then of two loops...
  // What of these parts the loops around have not just touched: the last row of a window that moves
  // down.
  std::vector<Footprint> fresh_parts;

  const Footprint& part(std::size_t loop, std::size_t operand) const {
    return parts[loop * buffer_bytes.size() + operand];
  }
  const Footprint& fresh(std::size_t loop, std::size_t operand) const {
    return fresh_parts[loop * buffer_bytes.size() + operand];
  }
};

// What it costs to fetch from elsewhere than behind the last bytes: as much as would have come while
// the prefetcher found out. Between caches it copes with gaps inside of a page.
struct Restart {
  double bytes = 0;
  double streams = 32;       // sequences that the prefetcher keeps apart
  bool counts_gaps = false;  // gaps count too
};

// Bytes that come into the cache when a kernel is called again and again. The innermost loops that fit
// into it stay there; the next one walks through what it touches, and finds what its last iteration
// left; those outside begin anew every time. An operand whose rows fall into few sets of the cache
// leaves it earlier than the others.
double traffic(const Footprints& touched, const target::Cache& cache, const Restart& restart);

// How often a page is met whose address the core has forgotten, while it remembers those of `entries`.
double page_visits(const Footprints& touched, double entries);

}  // namespace hone::feature
