#include "cli/prepared_set.h"

#include <fmt/format.h>

#include <filesystem>

#include "cli/set_features.h"

namespace hone::cli {

namespace fs = std::filesystem;

PreparedSet::PreparedSet(const std::string& set, const std::vector<std::string>& features,
                         const std::string& copy, int threads)
    : path_(set) {
  const record::Dataset given = record::Dataset::open(set);
  std::vector<std::string> missing;
  for (const std::string& name : features)
    if (!has_features(given.file, name)) missing.push_back(name);
  if (missing.empty()) return;
  path_ = copy;
  std::error_code ignored;  // where there is no folder the copy cannot be written, and that says why
  fs::create_directories(fs::path(copy).parent_path(), ignored);
  add_features(given, {.names = missing, .machine = {}, .threads = threads}, copy,
               [](const std::string& name, const feature::Section& made) {
                 fmt::print(stderr, "features {} added\n", name);
                 for (const feature::LeftOut& without : made.left_out)
                   fmt::print(stderr, "  {} without: {}\n", without.count, without.reason);
               });
  is_copy_ = true;
}

PreparedSet::~PreparedSet() {
  std::error_code ignored;
  if (is_copy_) fs::remove(path_, ignored);
}

PreparedSets::PreparedSets(const std::vector<std::string>& sets,
                           const std::vector<std::string>& features, const std::string& output,
                           int threads) {
  const fs::path folder = output + ".features";
  folders_.paths.push_back(folder);
  for (std::size_t i = 0; i < sets.size(); ++i) {
    folders_.paths.push_back(folder / std::to_string(i));
    const fs::path copy = fs::path(folders_.paths.back()) / fs::path(sets[i]).filename();
    sets_.push_back(std::make_unique<PreparedSet>(sets[i], features, copy, threads));
  }
}

PreparedSets::Folders::~Folders() {
  std::error_code ignored;
  for (auto folder = paths.rbegin(); folder != paths.rend(); ++folder) fs::remove(*folder, ignored);
}

std::vector<std::string> PreparedSets::paths() const {
  std::vector<std::string> out;
  for (const auto& set : sets_) out.push_back(set->path());
  return out;
}

}  // namespace hone::cli
