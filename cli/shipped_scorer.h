// The trained scorer that comes with hone, and scorers by name and hash.
#pragma once
#include <optional>
#include <string>

namespace hone::cli {

struct ShippedScorer {
  std::string path, hash;
  std::string misfit;  // why it cannot be used here; empty: it can
};

// share/hone/default.scorer of an installation, data/default.scorer of the sources that a build is of.
// None where there is no such file; UserError when it is damaged.
std::optional<ShippedScorer> shipped_scorer();

// Of the file's bytes, sixteen hexadecimal digits.
std::string hash_of_scorer(const std::string& path);

}  // namespace hone::cli
