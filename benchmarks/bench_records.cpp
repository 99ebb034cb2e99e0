// How fast logs are read: plain text into records with their steps, on one core, minimum of the
// repeats.
//   bench_records [LOG...] [--repeats N] [--json FILE]
// Without a LOG: the public logs in HONE_SHARED, or one made up here where there are none.
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <random>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/gzip.h"
#include "record/reader.h"
#include "record/record.h"

namespace {

namespace fs = std::filesystem;
using hone::record::Record;

constexpr int kMadeUpRecords = 100'000;

struct Options {
  std::vector<std::string> logs;
  int repeats = 5;
  std::string json;
};

Options parse(int argc, char** argv) {
  Options options;
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i];
    const bool has_value = argument == "--repeats" || argument == "--json";
    if (has_value && i + 1 == argc) throw hone::UserError(argument + " needs a value");
    if (argument == "--repeats") {
      options.repeats = std::max(1, std::atoi(argv[++i]));
    } else if (argument == "--json") {
      options.json = argv[++i];
    } else {
      options.logs.push_back(argument);
    }
  }
  return options;
}

// Records of a tiled matrix multiplication as a CPU search leaves them.
std::string made_up_log() {
  namespace sched = hone::schedule;
  std::mt19937 random(1);
  const auto power = [&](int most) -> std::int64_t { return 1 << random() % (most + 1); };
  Record record;
  record.workload_key = R"(["made_up_matmul", [512, 512], [512, 512], [512, 512]])";
  record.target = "llvm -keys=cpu -mcpu=core-avx2";
  record.hardware = {8, 64, 64, 0, 0, 0, 0, 0};
  std::string text;
  for (int i = 0; i < kMadeUpRecords; ++i) {
    record.steps = {sched::Split{2, 0, 512, {power(3), power(3), power(3)}},
                    sched::Split{2, 4, 512, {power(3), power(3), power(3)}},
                    sched::Split{2, 8, 512, {power(5)}},
                    sched::Reorder{2, {0, 4, 1, 5, 8, 2, 6, 9, 3, 7}},
                    sched::FollowSplit{3, 0, 0, 2},
                    sched::FollowSplit{3, 3, 1, 2},
                    sched::Reorder{3, {0, 3, 1, 4, 2, 5}},
                    sched::ComputeAt{2, 3, 3},
                    sched::Fuse{3, {0, 1, 2}},
                    sched::Annotate{3, 0, hone::ir::LoopKind::Parallel},
                    sched::Pragma{2, 0, fmt::format("auto_unroll_max_step${}", power(9))},
                    sched::Annotate{2, 9, hone::ir::LoopKind::Vectorized}};
    record.costs.clear();
    for (int repeat = 0; repeat < 3; ++repeat)
      record.costs.push_back(1e-9 * (1000 + random() % 1'000'000));
    record.timestamp = 1'700'000'000 + i;
    text += to_line(record) + "\n";
  }
  return text;
}

std::vector<std::string> public_logs() {
  const char* shared = std::getenv("HONE_SHARED");
  const fs::path folder = fs::path(shared != nullptr ? shared : HONE_SOURCE_DIR "/../shared") / "data";
  std::vector<std::string> logs;
  if (fs::is_directory(folder))
    for (const auto& entry : fs::directory_iterator(folder))
      if (entry.path().filename().string().starts_with("ansor_") && entry.path().extension() == ".gz" &&
          entry.file_size() > 1'000'000)
        logs.push_back(entry.path());
  std::sort(logs.begin(), logs.end());
  return logs;
}

// A plain file for the time of the measurement.
class PlainFile {
 public:
  explicit PlainFile(const std::string& text)
      : path_(fs::temp_directory_path() /
              fmt::format("hone_bench_records_{}.jsonl", std::random_device()())) {
    std::ofstream(path_) << text;
  }
  ~PlainFile() { fs::remove(path_); }
  std::string path() const { return path_; }

 private:
  fs::path path_;
};

nlohmann::json measure(const std::string& name, const std::string& text, int repeats) {
  const PlainFile file(text);
  double best_s = 1e30;
  hone::record::ReadSummary summary;
  std::size_t steps = 0;
  for (int repeat = 0; repeat < repeats; ++repeat) {
    steps = 0;
    const std::clock_t start = std::clock();
    summary = hone::record::read_records(
        file.path(), [&](Record&& record, std::int64_t) { steps += record.steps.size(); },
        [](const hone::record::Problem&) {});
    best_s = std::min(best_s, static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC);
  }
  return {{"name", name},
          {"mb", text.size() / 1e6},
          {"records", summary.records},
          {"steps", steps},
          {"problems", summary.problems},
          {"mb_per_s", text.size() / 1e6 / best_s},
          {"records_per_s", summary.records / best_s}};
}

void run(const Options& options) {
  std::vector<std::string> logs = options.logs.empty() ? public_logs() : options.logs;
  std::ofstream json;
  if (!options.json.empty()) json.open(options.json);
  const auto report = [&](const std::string& name, const std::string& text) {
    const nlohmann::json row = measure(name, text, options.repeats);
    fmt::print("{:<50} {:7.1f} MB {:8} records {:7.1f} MB/s {:9.0f} records/s\n", name,
               row["mb"].get<double>(), row["records"].get<std::int64_t>(),
               row["mb_per_s"].get<double>(), row["records_per_s"].get<double>());
    if (json.is_open()) json << row.dump() << "\n";
  };
  for (const std::string& log : logs) report(fs::path(log).filename(), hone::read_maybe_gzip(log));
  if (logs.empty()) report("made up", made_up_log());
}

}  // namespace

int main(int argc, char** argv) {
  try {
    run(parse(argc, argv));
  } catch (const hone::UserError& error) {
    fmt::print(stderr, "bench_records: {}\n", error.what());
    return 2;
  }
  return 0;
}
