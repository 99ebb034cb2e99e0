// Which programs of a data set are most like one in the eyes of a scorer.
#pragma once
#include <vector>

#include "record/dataset.h"
#include "score/nearest_rows.h"
#include "tune/explain.h"

namespace hone::tune {

struct NearestOptions {
  std::vector<std::uint32_t> tasks;       // of the set, whose programs are compared
  std::vector<space::Hardware> hardware;  // of every task of the set
  std::size_t count = 5;
  int threads = 1;
};

struct NearestPrograms {
  bool is_by_hidden = false;  // by what the last layer reads; else by the summary of the program
  std::vector<score::NearestRows::Near> nearest;  // numbers are programs of the set
  double median_distance = 0;                     // of all compared
  std::size_t compared = 0, unread = 0;  // the last: their task is not known, or they do not fit it
};

NearestPrograms nearest_programs(const AnyScorer& scorer, const Subject& subject,
                                 const record::Dataset& set, const NearestOptions& options);

}  // namespace hone::tune
