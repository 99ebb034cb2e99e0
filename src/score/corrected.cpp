#include "score/corrected.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "score/forest.h"

namespace hone::score {
namespace {

constexpr double kMillion = 1e6;
constexpr double kMostWrong = 3;  // in either direction, a factor of 20: programs unlike all others

class Corrected final : public Network {
 public:
  Corrected(Forest forest, std::size_t cycles_column)
      : Network(corrected_views()), forest_(std::move(forest)), cycles_column_(cycles_column) {}

  std::vector<Prediction> predict(std::span<const Sample> samples) const override {
    std::vector<float> rows;
    rows.reserve(samples.size() * forest_.columns);
    for (const Sample& sample : samples) append_row(sample, rows);
    const std::vector<float> wrong_by = forest_.values(rows);
    std::vector<Prediction> out(samples.size());
    for (std::size_t i = 0; i < samples.size(); ++i) {
      const double log_cycles = rows[i * forest_.columns + cycles_column_];
      const double correction = std::clamp(double{wrong_by[i]}, -kMostWrong, kMostWrong);
      out[i].score = kMillion / std::max(1.0, std::exp2(log_cycles) - 1) * std::exp(correction);
    }
    return out;
  }

 private:
  void append_row(const Sample& sample, std::vector<float>& rows) const {
    const std::size_t begin = rows.size();
    for (const std::string& name : views()) {
      const std::vector<float>& values = view_of(sample, name).values;
      rows.insert(rows.end(), values.begin(), values.end());
    }
    check(rows.size() - begin == forest_.columns, "every view of a program is one row");
  }

  const Forest forest_;
  const std::size_t cycles_column_;
};

}  // namespace

const std::vector<std::string>& corrected_views() {
  static const std::vector<std::string> kViews = {"code", "summary", "context"};
  return kViews;
}

std::unique_ptr<Network> make_corrected(const ScorerFile& file, const CompileDense& /*unused*/,
                                        bool tells_hidden) {
  if (tells_hidden)
    throw UserError("scorers of kind 'corrected' are trees, which have no last layer",
                    "use it with --scorer-use residual or frozen");
  Forest forest = parse_forest(parse_tensors(file.weights));
  const auto column = static_cast<std::size_t>(whole_option(file.header, "cycles_column"));
  if (column >= forest.columns)
    throw UserError("the trees of the scorer do not have the column of the analysis",
                    "train the scorer again");
  return std::make_unique<Corrected>(std::move(forest), column);
}

}  // namespace hone::score
