// Programs of a data set on their way into another, as they are: nothing is decoded.
#pragma once
#include <optional>
#include <vector>

#include "record/dataset.h"
#include "record/dataset_writer.h"

namespace hone::record {

// Both outlive it.
class DatasetCopy {
 public:
  DatasetCopy(const Dataset& from, DatasetWriter& to);
  void add(std::size_t program);
  void finish();  // what was added is in the other set only then

 private:
  std::uint32_t task_id(std::uint32_t task);

  const Dataset& from_;
  DatasetWriter& to_;
  DatasetPart part_;
  std::vector<std::uint32_t> sources_;                  // of `from`, as `to` numbers them
  std::vector<std::optional<std::uint32_t>> task_ids_;  // of `from`, as the part numbers them
};

}  // namespace hone::record
