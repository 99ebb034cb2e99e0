// The programs of a data set as cost models see them: rows out of its feature sections.
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "record/hds/file.h"
#include "score/sample.h"

namespace hone::cli {

// One sample a program: the rows of its statements, each followed by the columns of its task's row of
// every other view, such as `embedding`. UserError when a section is missing or damaged.
std::vector<score::Sample> statement_samples(const record::hds::File& set,
                                             const std::vector<std::string>& task_views);

// Several views of each program.
class SetViews {
 public:
  // UserError when a section is missing or damaged.
  SetViews(const record::hds::File& set, const std::vector<std::string>& names);
  ~SetViews();

  bool has(std::size_t program) const;  // whether it has rows in all of them
  score::Sample sample(std::size_t program) const;
  // Its first row of each, one behind the other.
  void append_row(std::size_t program, std::vector<float>& to) const;
  std::size_t columns() const;  // of that

 private:
  struct View;
  std::vector<View> views_;
  std::span<const std::uint32_t> task_of_;
};

// "statements 1, embedding 1": what a scorer says it reads.
std::string feature_versions(const record::hds::File& set, const std::vector<std::string>& views);

}  // namespace hone::cli
