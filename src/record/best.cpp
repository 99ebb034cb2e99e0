#include "record/best.h"

#include <filesystem>

#include "record/reader.h"

namespace hone::record {

BestRecords best_records(const std::vector<std::string>& paths, const std::string& target) {
  BestRecords best;
  const auto take = [&](Record&& record, std::int64_t) {
    if (!is_valid(record)) return;
    if (record.target != target) {
      ++best.others;
      return;
    }
    const auto [known, is_new] = best.by_workload.try_emplace(record.workload_key, record);
    if (!is_new && best_cost(record) < best_cost(known->second)) known->second = std::move(record);
  };
  for (const std::string& path : paths) {
    const bool is_run = std::filesystem::is_directory(path);
    read_records(is_run ? path + "/records.jsonl" : path, take,
                 [&](const Problem&) { ++best.problems; });
  }
  return best;
}

}  // namespace hone::record
