#include "score/join_rows.h"

#include <numeric>

namespace hone::score {

void join_rows(Sample& sample) {
  const View& rows = sample.views.front();
  sample.nodes.resize(rows.n_rows());
  std::iota(sample.nodes.begin(), sample.nodes.end(), 0);
  for (std::size_t at = 0; at < rows.values.size(); at += rows.columns) {
    const auto row = std::span(rows.values).subspan(at, rows.columns);
    sample.values.insert(sample.values.end(), row.begin(), row.end());
    for (std::size_t i = 1; i < sample.views.size(); ++i) {
      const std::vector<float>& more = sample.views[i].values;
      sample.values.insert(sample.values.end(), more.begin(), more.end());
    }
  }
  sample.views.clear();
}

}  // namespace hone::score
