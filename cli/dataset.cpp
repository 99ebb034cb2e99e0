// `hone dataset VERB`: measured programs as files to learn from.
#include <fmt/format.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <thread>

#include "base/error.h"
#include "base/gzip.h"
#include "base/split.h"
#include "cli/commands.h"
#include "cli/dataset_verbs.h"
#include "cli/exit_code.h"
#include "cli/terminal.h"
#include "record/database.h"
#include "record/dataset_merge.h"
#include "record/dataset_sample.h"
#include "record/dataset_split.h"
#include "tune/run_folder.h"

namespace hone::cli {
namespace {

constexpr int kShownComplaints = 10;

struct Verb {
  std::string_view name;
  int (*run)(const Dataset& options);
};
constexpr Verb kVerbs[] = {
    {"import", dataset_import},     {"export", dataset_export}, {"merge", dataset_merge},
    {"split", dataset_split},       {"sample", dataset_sample}, {"best", dataset_best},
    {"stats", dataset_stats},       {"check", dataset_check},   {"index", dataset_index},
    {"features", dataset_features}, {"align", dataset_align}};

// Workload keys, a line each.
std::vector<std::string> keys_in(const std::string& path) {
  std::vector<std::string> keys = split(read_maybe_gzip(path), '\n');
  std::erase(keys, "");
  return keys;
}

std::vector<std::string> names_in(const std::string& text) {
  return text.empty() ? std::vector<std::string>{} : split(text, ',');
}

record::SplitBy split_by(const std::string& word) {
  if (word == "structure") return record::SplitBy::Structure;
  if (word == "model") return record::SplitBy::Model;
  if (word == "target") return record::SplitBy::Target;
  if (word == "list") return record::SplitBy::List;
  return record::SplitBy::Task;
}

}  // namespace

Complaints::~Complaints() {
  if (says_all_ || count_ <= kShownComplaints) return;
  fmt::print(stderr, "{} {} more; --verbose names them all\n",
             paint("warning:", Colour::Yellow, stderr), count_ - kShownComplaints);
}

void Complaints::add(const std::string& text) {
  if (++count_ > kShownComplaints && !says_all_) return;
  fmt::print(stderr, "{} {}\n", paint("warning:", Colour::Yellow, stderr), text);
}

void check_new(const std::string& path) {
  if (std::filesystem::exists(path))
    throw UserError(fmt::format("{} exists already", path), "choose another name, or remove it first");
}

int threads_of(const Dataset& options) {
  return options.threads > 0 ? options.threads
                             : static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
}

void print_report(const nlohmann::ordered_json& report) {
  fmt::print("{}\n", report.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
}

int dataset(const Dataset& options) {
  for (const Verb& verb : kVerbs) {
    if (options.verb == verb.name) return verb.run(options);
  }
  fail("every verb of the options is in the list");
}

int dataset_merge(const Dataset& options) {
  check_new(options.output);
  const record::MergeSummary summary = record::merge_datasets(options.inputs, options.output);
  if (options.json) {
    const nlohmann::ordered_json report = {{"schema", "hone.dataset_merge/1"},
                                           {"output", options.output},
                                           {"programs", summary.programs},
                                           {"tasks", summary.tasks},
                                           {"duplicates", summary.duplicates}};
    print_report(report);
  } else {
    fmt::print("wrote      {}\n", options.output);
    fmt::print("programs   {} of {} tasks\n", summary.programs, summary.tasks);
    fmt::print("dropped    {} that were there already\n", summary.duplicates);
  }
  return kDone;
}

int dataset_split(const Dataset& options) {
  record::SplitOptions split;
  split.by = split_by(options.by);
  split.hold_out = split.by == record::SplitBy::List && !options.hold_out.empty()
                       ? keys_in(options.hold_out)
                       : names_in(options.hold_out);
  split.share = options.share;
  split.seed = options.seed;
  const bool needs_names = split.by != record::SplitBy::Task && split.by != record::SplitBy::Structure;
  if (needs_names == split.hold_out.empty())
    throw UserError(
        needs_names ? fmt::format("--by {} needs --hold-out", options.by)
                    : fmt::format("--by {} draws what is held out; --hold-out names it", options.by),
        needs_names ? "name what is to be judged on: --hold-out resnet_50,bert_tiny"
                    : "leave --hold-out away, or split by model or target");
  const std::string train = options.output + ".train.hds", test = options.output + ".test.hds";
  check_new(train);
  check_new(test);
  const record::SplitSummary summary =
      record::split_dataset(record::Dataset::open(options.inputs.front()), split, train, test);
  if (options.json) {
    const auto side = [](const std::string& file, std::int64_t programs, std::int64_t tasks) {
      return nlohmann::ordered_json{{"file", file}, {"programs", programs}, {"tasks", tasks}};
    };
    const nlohmann::ordered_json report = {
        {"schema", "hone.dataset_split/1"},
        {"train", side(train, summary.train_programs, summary.train_tasks)},
        {"test", side(test, summary.test_programs, summary.test_tasks)}};
    print_report(report);
  } else {
    fmt::print("train      {}: {} programs of {} tasks\n", train, summary.train_programs,
               summary.train_tasks);
    fmt::print("test       {}: {} programs of {} tasks\n", test, summary.test_programs,
               summary.test_tasks);
  }
  return kDone;
}

int dataset_sample(const Dataset& options) {
  check_new(options.output);
  const record::SampleSummary summary =
      record::sample_dataset(record::Dataset::open(options.inputs.front()),
                             {.tasks = static_cast<std::size_t>(options.tasks),
                              .per_task = static_cast<std::size_t>(options.per_task),
                              .seed = options.seed},
                             options.output);
  if (options.json) {
    print_report({{"schema", "hone.dataset_sample/1"},
                  {"output", options.output},
                  {"programs", summary.programs},
                  {"tasks", summary.tasks}});
  } else {
    fmt::print("wrote      {}\n", options.output);
    fmt::print("programs   {} of {} tasks\n", summary.programs, summary.tasks);
  }
  return kDone;
}

int dataset_index(const Dataset& options) {
  namespace fs = std::filesystem;
  const fs::path given = options.inputs.front();
  const fs::path log = fs::is_directory(given) ? given / tune::kRecordsFile : given;
  const fs::path database = log.parent_path() / tune::kDatabaseFile;
  if (!fs::exists(log))
    throw UserError(fmt::format("{} does not exist", log.string()),
                    "give the folder of a run of `hone tune`, or its log");
  record::Database(database.string()).rebuild(log.string());
  if (options.json) {
    const nlohmann::ordered_json report = {
        {"schema", "hone.dataset_index/1"}, {"log", log.string()}, {"database", database.string()}};
    print_report(report);
  } else {
    fmt::print("wrote      {}\n", database.string());
  }
  return kDone;
}

}  // namespace hone::cli
