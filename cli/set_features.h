// Feature sections of a data set: which it has, and a copy of it with more.
#pragma once
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "feature/sections.h"
#include "record/dataset.h"
#include "record/machines.h"

namespace hone::cli {

bool has_features(const record::hds::File& set, const std::string& name);

using OnFeatures = std::function<void(const std::string& name, const feature::Section& made)>;

struct MoreFeatures {
  std::vector<std::string> names;          // of the sections
  std::optional<record::Machine> machine;  // is described so from now on; the set must have it
  int threads = 1;
};

// Writes the set with these sections besides; those it has already are made anew. `tell` hears of each
// section when it is made. UserError when the set cannot have one.
void add_features(const record::Dataset& set, const MoreFeatures& more, const std::string& output,
                  const OnFeatures& tell);

}  // namespace hone::cli
