#include "benchmarks/ablation.h"

#include <algorithm>

#include "benchmarks/ablation_beam.h"
#include "space/hardware.h"
#include "space/sketch.h"
#include "space/space.h"
#include "tune/make_proposer.h"

namespace hone::bench {
namespace {

using TaskPtr = std::shared_ptr<const task::Task>;

// What a template written by hand for one operator offers: one level of tiles, and nothing fused with
// it, cached or factored.
space::Space limited_space(const TaskPtr& task, const target::Target& target) {
  const space::Hardware hardware = space::hardware_of(target);
  std::vector<space::Rule> rules = space::ansor_rules(hardware.kind);
  std::erase_if(rules, [](const space::Rule& rule) {
    return rule.name == "tiling_with_fusion" || rule.name == "add_cache_write" ||
           rule.name == "add_rfactor";
  });
  const auto sketches = space::sketches_by(rules, task, hardware, space::parse_tile_levels("SRS"));
  return space::ansor_space(task, sketches, hardware);
}

std::unique_ptr<search::Search> without_crossover(const tune::Candidates& candidates,
                                                  search::Options options) {
  options.crossover_share = 0;
  return search::make_search("evolution", candidates, options);
}

std::unique_ptr<search::Search> beam(const tune::Candidates& candidates,
                                     const search::Options& options) {
  return std::make_unique<Beam>(candidates, options);
}

}  // namespace

const std::vector<AblationVariant>& ablation_variants() {
  static const std::vector<AblationVariant> kVariants = {
      {"full", "the default"},
      {"no crossover", "children are mutations only"},
      {"limited space", "one level of tiles, nothing fused, cached or factored"},
      {"early pruning", "unfinished programs are scored, and few of them finished"},
      {"random", "nothing guides the choice"},
  };
  return kVariants;
}

tune::Parts ablation_parts(const std::string& variant, const TaskPtr& task,
                           const tune::Options& options) {
  tune::Options asked = options;
  if (variant == "random") asked.search = tune::SearchKind::Random;
  tune::Parts parts = tune::make_parts(task, asked);
  parts.baseline.reset();
  auto candidates = std::make_unique<tune::SpaceCandidates>(
      variant == "limited space" ? limited_space(task, parts.target)
                                 : tune::make_space(task, parts.target, options.space));
  if (variant == "limited space")
    parts.proposer = tune::make_proposer(task, parts.target, std::move(candidates), asked);
  if (variant == "no crossover")
    parts.proposer =
        tune::make_proposer(task, parts.target, std::move(candidates), asked, without_crossover);
  if (variant == "early pruning")
    parts.proposer = tune::make_proposer(task, parts.target, std::move(candidates), asked, beam);
  return parts;
}

}  // namespace hone::bench
