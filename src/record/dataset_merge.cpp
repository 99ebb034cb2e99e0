#include "record/dataset_merge.h"

#include <fmt/format.h>

#include <unordered_set>

#include "base/error.h"
#include "record/dataset.h"
#include "record/dataset_copy.h"
#include "record/dataset_writer.h"

namespace hone::record {
namespace {

void check_machines(const Dataset& set) {
  for (std::size_t task = 0; task < set.n_tasks(); ++task) {
    if (!set.machine[task].empty()) continue;
    throw UserError(
        fmt::format("{} does not say which machine it was measured on", set.file.path()),
        "import its logs again with --machine NAME; sets without a machine are never merged");
  }
}

// All that tells one measurement from another, as bytes.
std::string measurement(const Dataset& set, std::size_t program, const std::string& task) {
  std::string bytes = task;
  const auto put = [&](const void* from, std::size_t size) {
    bytes.append(static_cast<const char*>(from), size);
  };
  put(&set.timestamp[program], sizeof(double));
  put(&set.status[program], sizeof(std::uint8_t));
  const auto times = set.times(program);
  put(times.data(), times.size_bytes());
  bytes += set.code(program);
  return bytes;
}

// Two independent halves: among a hundred million programs two that differ do not meet.
struct Digest {
  std::uint64_t high, low;
  friend bool operator==(const Digest&, const Digest&) = default;
};
struct DigestHash {
  std::size_t operator()(const Digest& digest) const { return digest.low; }
};

Digest digest_of(std::string_view bytes) {
  return {hds::hash_of(bytes), hds::hash_of(bytes, 0x2545f4914f6cdd1dULL)};
}

}  // namespace

MergeSummary merge_datasets(const std::vector<std::string>& paths, const std::string& output) {
  std::vector<Dataset> sets;
  for (const std::string& path : paths) {
    sets.push_back(Dataset::open(path));
    check_machines(sets.back());
  }
  MergeSummary summary;
  DatasetWriter writer(output);
  std::unordered_set<Digest, DigestHash> seen;
  for (const Dataset& set : sets) {
    std::vector<std::string> tasks;
    for (std::size_t task = 0; task < set.n_tasks(); ++task)
      tasks.push_back(to_text(set.identity(task)));
    DatasetCopy copy(set, writer);
    for (std::size_t program = 0; program < set.n_programs(); ++program) {
      set.check_program(program);
      if (seen.insert(digest_of(measurement(set, program, tasks[set.task[program]]))).second) {
        copy.add(program);
      } else {
        ++summary.duplicates;
      }
    }
    copy.finish();
  }
  writer.finish();
  summary.programs = static_cast<std::int64_t>(writer.n_programs());
  summary.tasks = static_cast<std::int64_t>(writer.tasks().size());
  return summary;
}

}  // namespace hone::record
