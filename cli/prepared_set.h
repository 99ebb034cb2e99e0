// A data set with all the features that a model reads.
#pragma once
#include <memory>
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

// Several of them. Copies keep the names of their files, which may be all that tells machines apart.
class PreparedSets {
 public:
  // Copies stand beside `output`.
  PreparedSets(const std::vector<std::string>& sets, const std::vector<std::string>& features,
               const std::string& output, int threads);
  std::vector<std::string> paths() const;

 private:
  // Made for the copies, outermost first; they go when the copies have gone.
  struct Folders {
    std::vector<std::string> paths;
    ~Folders();
  };
  Folders folders_;
  std::vector<std::unique_ptr<PreparedSet>> sets_;
};

}  // namespace hone::cli
