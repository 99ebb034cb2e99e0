#include "feature/traffic.h"

#include <algorithm>
#include <numeric>

namespace hone::feature {
namespace {

constexpr double kLineBytes = 64;
constexpr double kUsable = 0.75;  // of a cache, before other data push it out
// Of the rows that find a place in their sets. What is pushed out is not always the oldest: sixteen
// rows in twelve ways cost nothing, 32 do.
constexpr double kSetsHold = 1.4;

// Whether the sets that the rows fall into hold all of them. Seven rows 4 KB apart stay in the eight
// ways of a first cache; fourteen do not, and a product of such rows takes 1.3 times as long, with 28
// of them five times.
bool sets_hold(const Footprint& part, const target::Cache& cache) {
  const double way = static_cast<double>(cache.size_bytes) / std::max(1, cache.ways);
  const double pitch = std::min(part.pitch, way);
  const double row = std::max(part.run, kLineBytes);
  return pitch <= row || part.bytes <= kSetsHold * static_cast<double>(cache.size_bytes) * row / pitch;
}

// Bytes that are fetched one after the other: those of the few sequences that the innermost loops
// touch. A loop further out may fill the gaps, but when it comes to that the prefetcher has long been
// misled, or what it brought has been pushed out again.
double sequence(const Footprints& touched, std::size_t operand, const target::Cache& cache,
                const Restart& restart) {
  double bytes = kLineBytes;
  for (std::size_t loop = 0; loop < touched.extents.size(); ++loop) {
    const Footprint& part = touched.part(loop, operand);
    bytes = std::max(kLineBytes, restart.counts_gaps ? part.run : part.in_page);
    if (part.bytes >= restart.streams * bytes || !sets_hold(part, cache)) break;
  }
  return bytes;
}

}  // namespace

Footprint footprint(const std::vector<std::int64_t>& box, const std::vector<std::int64_t>& shape,
                    int element_bytes) {
  std::int64_t elements = 1, stride = element_bytes, run = element_bytes, pitch = 0;
  std::int64_t rows_a_page = 0;
  bool is_one_run = true;
  for (std::size_t d = box.size(); d-- > 0;) {
    const std::int64_t extent = std::min(box[d], shape[d]);
    elements *= extent;
    if (is_one_run) {
      run *= extent;
    } else if (extent > 1) {
      pitch = std::gcd(pitch == 0 ? kPageBytes : pitch, stride);
      if (rows_a_page == 0) rows_a_page = std::clamp(kPageBytes / stride, std::int64_t{1}, extent);
    }
    is_one_run &= extent == shape[d];
    stride *= shape[d];
  }
  const double bytes = static_cast<double>(elements * element_bytes);
  const double row =
      static_cast<double>(box.empty() ? 1 : std::min(box.back(), shape.back())) * element_bytes;
  const double in_page = std::max(kLineBytes, static_cast<double>(run)) *
                         static_cast<double>(std::max(rows_a_page, std::int64_t{1}));
  return {.bytes = row < kLineBytes ? bytes * kLineBytes / row : bytes,
          .run = static_cast<double>(run),
          .in_page = std::min(in_page, static_cast<double>(kPageBytes)),
          .pitch = static_cast<double>(pitch)};
}

double traffic(const Footprints& touched, const target::Cache& cache, const Restart& restart) {
  const double usable = kUsable * static_cast<double>(cache.size_bytes);
  const std::size_t n_operands = touched.buffer_bytes.size(), n_loops = touched.extents.size();
  std::size_t n_fit = 0;  // loops that stay in the cache
  for (; n_fit < n_loops; ++n_fit) {
    double bytes = 0;
    for (std::size_t o = 0; o < n_operands; ++o)
      bytes += touched.part(n_fit, o).bytes * touched.part(n_fit, o).passes;
    if (bytes > usable) break;
  }
  double moved = 0;
  for (std::size_t o = 0; o < n_operands; ++o) {
    if (touched.buffer_bytes[o] <= usable) continue;
    std::size_t loop = 0;
    while (loop < n_fit && sets_hold(touched.part(loop, o), cache)) ++loop;
    if (loop == n_loops) continue;  // the last call has left it there
    double bytes = touched.part(loop, o).bytes * touched.part(loop, o).passes;
    for (std::size_t outer = loop + 1; outer < n_loops; ++outer) bytes *= touched.extents[outer];
    moved += bytes * (1 + restart.bytes / sequence(touched, o, cache, restart));
  }
  return moved;
}

double page_visits(const Footprints& touched, double entries) {
  const std::size_t n_operands = touched.buffer_bytes.size(), n_loops = touched.extents.size();
  const auto pages = [&](std::size_t loop, std::size_t operand) {
    const Footprint& part = touched.part(loop, operand);
    return part.bytes / std::max(kLineBytes, part.in_page);
  };
  std::size_t n_fit = 0;
  for (; n_fit < n_loops; ++n_fit) {
    double sum = 0;
    for (std::size_t o = 0; o < n_operands; ++o) sum += pages(n_fit, o);
    if (sum > kUsable * entries) break;
  }
  if (n_fit == n_loops) return 0;
  double visits = 0;
  for (std::size_t o = 0; o < n_operands; ++o) {
    double some = pages(n_fit, o);
    for (std::size_t outer = n_fit + 1; outer < n_loops; ++outer) some *= touched.extents[outer];
    visits += some;
  }
  return visits;
}

}  // namespace hone::feature
