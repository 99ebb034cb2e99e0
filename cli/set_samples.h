// The programs of a data set as cost models see them: rows out of its feature sections.
#pragma once
#include <string>
#include <vector>

#include "record/hds/file.h"
#include "score/sample.h"

namespace hone::cli {

// One sample a program: the rows of its statements, each followed by the columns of its task's row of
// every other view, such as `embedding`. UserError when a section is missing or damaged.
std::vector<score::Sample> statement_samples(const record::hds::File& set,
                                             const std::vector<std::string>& task_views);

// "statements 1, embedding 1": what a scorer says it reads.
std::string feature_versions(const record::hds::File& set, const std::vector<std::string>& views);

}  // namespace hone::cli
