#include "cli/set_scorer.h"

#include <algorithm>
#include <limits>

#include "target/target.h"
#include "tune/dense_compiler.h"

namespace hone::cli {

using train::Program;

namespace {

std::unique_ptr<score::Network> compiled(const score::ScorerFile& file, int threads) {
  target::Target target = target::host();
  target.cores = threads;
  return score::make_network(file, tune::dense_compiler({.target = target}));
}

}  // namespace

SetScorer::SetScorer(const score::ScorerFile& file, const record::hds::File& set, int threads)
    : network_(compiled(file, threads)), views_(set, network_->views()) {}

// A portion at a time, because samples are copies.
std::vector<score::Prediction> SetScorer::predict(std::span<const Program> programs) const {
  constexpr std::size_t kAtOnce = 4096;
  std::vector<score::Prediction> all;
  while (!programs.empty()) {
    const std::size_t n = std::min(kAtOnce, programs.size());
    std::vector<score::Sample> samples;
    for (const Program program : programs.first(n)) samples.push_back(views_.sample(program));
    std::ranges::move(network_->predict(samples), std::back_inserter(all));
    programs = programs.subspan(n);
  }
  return all;
}

std::vector<double> SetScorer::scores(const std::vector<Program>& programs) const {
  std::vector<Program> known;
  std::ranges::copy_if(programs, std::back_inserter(known),
                       [&](Program program) { return views_.has(program); });
  const std::vector<score::Prediction> said = predict(known);
  std::vector<double> out;
  auto next = said.begin();
  for (const Program program : programs) {
    const bool is_known = views_.has(program);
    out.push_back(is_known ? next->score * next->valid : -std::numeric_limits<double>::infinity());
    if (is_known) ++next;
  }
  return out;
}

}  // namespace hone::cli
