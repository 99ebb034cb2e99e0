// A data set with all the features that a model reads.
#pragma once
#include <string>
#include <vector>

namespace hone::cli {

// The set given, or a copy under the name `copy` with what it lacks, which goes away with its owner.
class PreparedSet {
 public:
  // Says on stderr what is added. UserError when the set cannot have one of the features.
  PreparedSet(const std::string& set, const std::vector<std::string>& features, const std::string& copy,
              int threads);
  ~PreparedSet();
  PreparedSet(const PreparedSet&) = delete;
  PreparedSet& operator=(const PreparedSet&) = delete;

  const std::string& path() const { return path_; }

 private:
  std::string path_;
  bool is_copy_ = false;
};

}  // namespace hone::cli
