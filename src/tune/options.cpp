#include "tune/options.h"

#include <fmt/format.h>

#include <cctype>
#include <cmath>

#include "base/json.h"
#include "base/md5.h"

namespace hone::tune {
namespace {

// TOML's basic strings are spelled as JSON's.
std::string quoted(std::string_view text) {
  std::string out;
  append_json_string(out, text);
  return out;
}

template <class Kind, class Names>
std::string name_of(Kind kind, const Names& names) {
  return quoted(names.at(static_cast<std::size_t>(kind)));
}

}  // namespace

std::size_t trials_left(const Options& options, std::size_t have) {
  if (options.trials == kAnyTrials) return std::numeric_limits<std::size_t>::max();
  const auto wanted = static_cast<std::size_t>(options.trials);
  return have < wanted ? wanted - have : 0;
}

std::string to_toml(const Options& options) {
  std::string text = "# The options of the last `hone tune` in this folder.\n[tune]\n";
  const auto put = [&](const char* key, const std::string& value) {
    text += fmt::format("{} = {}\n", key, value);
  };
  put("op", quoted(options.op));
  if (options.trials != kAnyTrials) put("trials", std::to_string(options.trials));
  if (std::isfinite(options.budget_s)) put("budget_s", fmt::format("{}", options.budget_s));
  put("space", name_of(options.space, kSpaceNames));
  if (options.scorer_file.empty()) {
    put("scorer", name_of(options.scorer, kScorerNames));
  } else {
    const std::string hash = options.scorer_hash.empty() ? "" : "  # " + options.scorer_hash;
    put("scorer", quoted(options.scorer_file) + hash);
    put("scorer_use", name_of(options.scorer_use, kScorerUseNames));
    put("scorer_share", fmt::format("{}", options.scorer_share));
  }
  put("search", name_of(options.search, kSearchNames));
  put("seed", std::to_string(options.seed));
  put("threads", std::to_string(options.threads));
  put("folder", quoted(options.folder));
  if (!options.replay.empty()) put("replay", quoted(options.replay));
  return text;
}

std::string scorer_name(const Options& options) {
  if (options.scorer_file.empty())
    return std::string(kScorerNames.at(static_cast<std::size_t>(options.scorer)));
  const std::string_view use = kScorerUseNames.at(static_cast<std::size_t>(options.scorer_use));
  return fmt::format("{}{}{}, {}", options.scorer_file, options.scorer_hash.empty() ? "" : ", ",
                     options.scorer_hash, use);
}

std::string default_folder(const Options& options) {
  constexpr std::size_t kMaxName = 100;  // with room to spare below the 255 bytes of a file's name
  std::string name;
  for (const char c : options.op) {
    const bool separates = c == ':' || c == ',' || c == '+';
    if (separates) name += '-';
    if (std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.') name += c;
  }
  if (name.size() > kMaxName) name = name.substr(0, kMaxName) + "-" + md5_hex(options.op).substr(0, 8);
  return fmt::format("runs/{}-{}", name,
                     options.replay.empty() ? fmt::format("t{}", options.threads) : "replay");
}

}  // namespace hone::tune
