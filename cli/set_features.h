// Feature sections of a data set: which it has, and a copy of it with more.
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "feature/sections.h"
#include "record/dataset.h"

namespace hone::cli {

bool has_features(const record::hds::File& set, const std::string& name);

using OnFeatures = std::function<void(const std::string& name, const feature::Section& made)>;

// Writes the set with these sections besides; those it has already are made anew. `tell` hears of each
// section when it is made. UserError when the set cannot have one.
void add_features(const record::Dataset& set, const std::vector<std::string>& names,
                  const std::string& output, int threads, const OnFeatures& tell);

}  // namespace hone::cli
