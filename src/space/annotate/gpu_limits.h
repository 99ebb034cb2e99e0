// Whether a candidate keeps within the limits of a GPU: products of its tile sizes, nothing lowered.
#pragma once
#include "space/annotate/footprint.h"
#include "space/annotate/outline.h"

namespace hone::space {

class GpuLimits {
 public:
  GpuLimits(const Outline& outline, const Hardware& hardware);
  bool allow(const Decisions& decisions) const;

 private:
  struct Between {
    Size size;
    std::int64_t least, most;
  };
  // A stage in shared memory: a copy of what its reader needs for one block.
  struct Fetch {
    ReadTerms read;
    std::vector<Size> tiles;            // of the reader's axes in one block
    std::vector<std::int64_t> extents;  // of those axes
    std::vector<std::int64_t> shape;    // of what is copied
    std::int64_t element_bytes;
  };
  void add_loops(const Outline& outline, const Hardware& hardware, int stage);
  void add_fetch(const Outline& outline, int stage, const ReadTerms& read);
  std::int64_t shared_bytes(const Fetch& fetch, const Decisions& decisions) const;

  std::vector<Between> limits_;
  std::vector<Fetch> fetches_;
  std::int64_t max_shared_bytes_;
};

}  // namespace hone::space
