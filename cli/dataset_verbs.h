// What `hone dataset` can do, a function a verb; each prints and returns the exit code.
#pragma once
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "cli/options.h"

namespace hone::cli {

int dataset_import(const Dataset& options);
int dataset_export(const Dataset& options);
int dataset_merge(const Dataset& options);
int dataset_split(const Dataset& options);
int dataset_sample(const Dataset& options);
int dataset_best(const Dataset& options);
int dataset_stats(const Dataset& options);
int dataset_check(const Dataset& options);
int dataset_index(const Dataset& options);
int dataset_features(const Dataset& options);
int dataset_align(const Dataset& options);

// Sets are costly to make: UserError when the file exists.
void check_new(const std::string& path);
int threads_of(const Dataset& options);
void print_report(const nlohmann::ordered_json& report);  // keys of others may be no UTF-8

// Says what is wrong on stderr: the first ones, or all when the user wants that.
class Complaints {
 public:
  explicit Complaints(bool says_all) : says_all_(says_all) {}
  ~Complaints();  // how many more there were
  Complaints(const Complaints&) = delete;
  Complaints& operator=(const Complaints&) = delete;
  void add(const std::string& text);

 private:
  const bool says_all_;
  int count_ = 0;
};

}  // namespace hone::cli
