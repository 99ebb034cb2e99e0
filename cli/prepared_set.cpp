#include "cli/prepared_set.h"

#include <fmt/format.h>

#include <filesystem>

#include "cli/set_features.h"

namespace hone::cli {

PreparedSet::PreparedSet(const std::string& set, const std::vector<std::string>& features,
                         const std::string& copy, int threads)
    : path_(set) {
  const record::Dataset given = record::Dataset::open(set);
  std::vector<std::string> missing;
  for (const std::string& name : features)
    if (!has_features(given.file, name)) missing.push_back(name);
  if (missing.empty()) return;
  path_ = copy;
  add_features(given, missing, copy, threads,
               [](const std::string& name, const feature::Section& made) {
                 fmt::print(stderr, "features {} added\n", name);
                 for (const feature::LeftOut& without : made.left_out)
                   fmt::print(stderr, "  {} without: {}\n", without.count, without.reason);
               });
  is_copy_ = true;
}

PreparedSet::~PreparedSet() {
  std::error_code ignored;
  if (is_copy_) std::filesystem::remove(path_, ignored);
}

}  // namespace hone::cli
