// How much of a tensor its reader touches while some of the reader's axes stand still.
#pragma once
#include <cstdint>
#include <vector>

#include "task/analysis.h"

namespace hone::space {

// scale * ((axis mod upper) div lower); upper 0 means no modulus.
struct AxisTerm {
  int axis;  // of the reader; its reduce axes follow its axes
  std::int64_t scale, lower, upper;
};
// One index of a read: the sum of its terms. Unknown when it is something else.
struct IndexTerms {
  bool is_known = true;
  std::vector<AxisTerm> terms;
};
struct ReadTerms {
  int reader;
  std::vector<IndexTerms> index;
};

// All reads of each op's result, by the op that is read.
std::vector<std::vector<ReadTerms>> reads_by_producer(const task::Task& task,
                                                      const task::Analysis& analysis);

// The number of neighbouring values an index takes while the reader's axes run over `extents` values;
// `whole` when nothing better is known.
std::int64_t touched(const IndexTerms& index, const std::vector<std::int64_t>& extents,
                     std::int64_t whole);

}  // namespace hone::space
