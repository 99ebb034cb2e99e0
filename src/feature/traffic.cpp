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
    const Footprint& fresh = touched.fresh(loop, operand);
    bytes = std::max(kLineBytes, restart.counts_gaps ? fresh.run : fresh.in_page);
    if (fresh.bytes >= restart.streams * bytes || !sets_hold(touched.part(loop, operand), cache)) break;
  }
  return bytes;
}

// The innermost loops whose operands together take no more than there is room for.
template <class Amount>
std::size_t loops_that_stay(const Footprints& touched, double room, const Amount& amount) {
  std::size_t n_fit = 0;
  for (; n_fit < touched.extents.size(); ++n_fit) {
    double sum = 0;
    for (std::size_t o = 0; o < touched.buffer_bytes.size(); ++o) sum += amount(touched.part(n_fit, o));
    if (sum > room) break;
  }
  return n_fit;
}

// What one pass through the loop moves, for all passes.
double in_all_passes(const Footprints& touched, std::size_t loop, double moved) {
  for (std::size_t outer = loop + 1; outer < touched.extents.size(); ++outer)
    moved *= touched.extents[outer];
  return moved;
}

double held_bytes(const Footprint& part) { return part.bytes; }
double moved_bytes(const Footprint& part) { return part.bytes * part.passes; }
double pages(const Footprint& part) { return part.bytes / std::max(kLineBytes, part.in_page); }

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
  const double in_page = std::max(kLineBytes, static_cast<double>(run)) *
                         static_cast<double>(std::max(rows_a_page, std::int64_t{1}));
  return {.bytes = bytes * std::max(1.0, kLineBytes / static_cast<double>(run)),
          .run = static_cast<double>(run),
          .in_page = std::min(in_page, static_cast<double>(kPageBytes)),
          .pitch = static_cast<double>(pitch)};
}

double traffic(const Footprints& touched, const target::Cache& cache, const Restart& restart) {
  const double usable = kUsable * static_cast<double>(cache.size_bytes);
  const std::size_t n_operands = touched.buffer_bytes.size(), n_loops = touched.extents.size();
  const std::size_t n_fit = loops_that_stay(touched, usable, held_bytes);
  double moved = 0;
  for (std::size_t o = 0; o < n_operands; ++o) {
    if (touched.buffer_bytes[o] <= usable) continue;
    std::size_t loop = 0;
    while (loop < n_fit && sets_hold(touched.part(loop, o), cache)) ++loop;
    if (loop == n_loops) continue;  // the last call has left it there
    const double bytes = in_all_passes(touched, loop, moved_bytes(touched.part(loop, o)));
    moved += bytes * (1 + restart.bytes / sequence(touched, o, cache, restart));
  }
  return moved;
}

double page_visits(const Footprints& touched, double entries) {
  const std::size_t n_fit = loops_that_stay(touched, kUsable * entries, pages);
  if (n_fit == touched.extents.size()) return 0;
  double visits = 0;
  for (std::size_t o = 0; o < touched.buffer_bytes.size(); ++o)
    visits += in_all_passes(touched, n_fit, pages(touched.part(n_fit, o)));
  return visits;
}

}  // namespace hone::feature
