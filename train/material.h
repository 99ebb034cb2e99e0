// What one training learns from: the sets, which tasks are for what, and what is known of the target.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "train/options.h"
#include "train/split.h"

namespace hone::train {

// The machine that is learned for. The other machines of the sets are sources.
struct Target {
  std::string platform;               // empty: none; all machines are alike
  std::optional<std::size_t> labels;  // how many of its programs were measured; nothing: all
  std::string programs;               // a file that names them; empty: chosen at random
};

struct Material {
  DataSet set;
  Split split;
  std::vector<std::string> keys;      // of all tasks of the split, with labels or without
  std::vector<std::string> warnings;  // for the user

  std::uint64_t hash() const;  // of all that is learned from
  // Those of the target where it has any, else all: what the validation tasks are to say something of.
  TaskIds judged() const;
};

// `options` are those of the kind. UserError when the sets do not allow it.
Material load_material(const std::vector<std::string>& sets, const Options& options, Fold left_out,
                       const Target& target);

}  // namespace hone::train
