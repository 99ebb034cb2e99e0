#include "cli/shipped_scorer.h"

#include <filesystem>

#include "base/gzip.h"
#include "record/hds/layout.h"
#include "score/scorer_file.h"
#include "target/target.h"
#include "tune/scorer_fit.h"

namespace hone::cli {

std::string hash_of_scorer(const std::string& path) {
  return score::hexadecimal(record::hds::hash_of(read_maybe_gzip(path)));
}

std::optional<ShippedScorer> shipped_scorer() {
  namespace fs = std::filesystem;
  const fs::path above = fs::read_symlink("/proc/self/exe").parent_path().parent_path();
  for (const char* folder : {"share/hone", "data"}) {
    const std::string path = (above / folder / "default.scorer").string();
    if (!fs::exists(path)) continue;
    const score::ScorerFile file = score::parse_scorer(read_maybe_gzip(path), path);
    std::string misfit = tune::misfit_of(file.header);
    if (misfit.empty()) misfit = tune::foreign_to(target::host().cpu, file.header);
    return ShippedScorer{path, hash_of_scorer(path), std::move(misfit)};
  }
  return std::nullopt;
}

}  // namespace hone::cli
