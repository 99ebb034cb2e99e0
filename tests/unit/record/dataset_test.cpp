#include "record/dataset.h"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <set>

#include "base/error.h"
#include "base/gzip.h"
#include "record/dataset_merge.h"
#include "record/dataset_sample.h"
#include "record/dataset_split.h"
#include "record/import.h"
#include "record/import_sources.h"
#include "record/line_reader.h"
#include "record/machines.h"
#include "task/text.h"
#include "tests/shared_data.h"

namespace hone::record {
namespace {

std::string line(const std::string& key, const std::string& steps, const std::string& costs,
                 int error = 0) {
  return R"({"i": [["[\")" + key +
         R"(\", [4, 4]]", "llvm -keys=cpu", [8, 64, 64, 0, 0, 0, 0, 0], "", 2, )" + R"([]], [[], [)" +
         steps + R"(]]], "r": [[)" + costs + "], " + std::to_string(error) +
         R"(, 0.5, 1700000000], "v": "v0.6"})";
}

const std::string kKnobs =
    R"({"input": ["cuda", "dense.gpu", [["TENSOR", [4, 4], "float32"]], {}], "config": {"index": 7, )"
    R"("code_hash": null, "entity": [["tile_x", "sp", [-1, 2]]]}, "result": [[0.001], 0, 0.25, )"
    R"(1650051313.5], "version": 0.2, "tvm_version": "0.8.dev0"})";

const std::vector<std::string> kLines = {
    line("aa", R"(["SP", 2, 0, 512, [4, 2, 8], 1], ["PR", 17, 0, "auto_unroll_max_step$64"])",
         "0.002, 0.001"),
    line("bb", R"(["CHW", 3, "local"], ["PR", 2, 0, "auto_unroll_max_step$064"])", "1e+10", 6),
    line("aa", R"(["CI", 200], ["CHR", 1, "a scope", [2, 300]])", "0.003"),
    kKnobs,
    R"({"i": [["[\"cc\"]", "cuda"], [[], [["CI", 1]]]], "r": [[0.0010], 0, 1, 2], "v": "v0.2"})",  // 0.0010
    line("aa", "", "", 0),  // neither an error nor a time
    line("aa", R"(["CI", 9])", "0", 0),
};

std::string joined(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& each : lines) text += each + "\n";
  return text;
}

std::string written(const std::string& name, const std::string& text) {
  const std::string path = temporary_file(name);
  std::ofstream(path, std::ios::binary) << text;
  return path;
}

struct Imported {
  Dataset set;
  ImportSummary summary;
  std::vector<ImportProblem> problems;
};

Imported import(ImportOptions options, const std::string& name = "set.hds") {
  options.output = temporary_file(name);
  std::vector<ImportProblem> problems;
  const ImportSummary summary =
      import_logs(options, [&](const ImportProblem& problem) { problems.push_back(problem); });
  return {Dataset::open(options.output), summary, problems};
}

Imported import_text(const std::string& text, const std::string& machine = "",
                     const std::string& name = "set.hds") {
  ImportOptions options;
  options.logs = {written(name + ".log", text)};
  options.machine = machine;
  options.threads = 2;
  return import(options, name);
}

std::vector<std::string> lines_of(const Dataset& set) {
  std::vector<std::string> lines;
  for (std::size_t i = 0; i < set.n_programs(); ++i) lines.push_back(set.line(i));
  return lines;
}

TEST(Dataset, LinesOfAllKindsComeBackByteForByte) {
  const Imported imported = import_text(joined(kLines));
  EXPECT_EQ(lines_of(imported.set), kLines);
  EXPECT_TRUE(imported.problems.empty());
  EXPECT_EQ(imported.summary.programs, 7);
  EXPECT_EQ(imported.summary.valid, 4);
  EXPECT_EQ(imported.set.n_tasks(), 4u);
}

TEST(Dataset, ColumnsSayWhatTheLinesSay) {
  const Dataset set = import_text(joined(kLines)).set;
  EXPECT_EQ(set.key[0], R"(["aa", [4, 4]])");
  EXPECT_EQ(set.structure[0], "aa");
  EXPECT_EQ(set.structure[2], "dense.gpu");
  EXPECT_EQ(set.hardware[0], "8 64 64 0 0 0 0 0");
  EXPECT_EQ(set.hardware[3], "");
  EXPECT_EQ(set.dag[0], "");
  EXPECT_EQ(set.kind_of(3), ProgramKind::Knobs);
  EXPECT_EQ((std::vector<int>(set.status.begin(), set.status.end())),
            (std::vector<int>{0, 6, 0, 0, 0, kUnknownFailure, kUnknownFailure}));
  EXPECT_FLOAT_EQ(set.best[0], 0.001f);
  EXPECT_TRUE(std::isnan(set.best[1]));
  EXPECT_EQ(set.times(0).size(), 2u);
  EXPECT_EQ(set.line_number[3], 4u);
  EXPECT_EQ(set.steps(2), (schedule::Steps{schedule::ComputeInline{200},
                                           schedule::CacheRead{1, "a scope", {2, 300}}}));
}

TEST(Dataset, CorruptLinesAreNamedAndTheRestIsKept) {
  const std::string text = "# a comment\n" + kLines[0] + "\nnothing\n" + std::string(2 << 20, 'x') +
                           "\n" + kLines[2] + "\n" + kLines[0].substr(0, 40);
  const Imported imported = import_text(text);
  EXPECT_EQ(lines_of(imported.set), (std::vector<std::string>{kLines[0], kLines[2]}));
  EXPECT_EQ(imported.summary.lines, 6);
  EXPECT_EQ(imported.summary.comments, 1);
  EXPECT_EQ(imported.summary.corrupt, 3);
  ASSERT_EQ(imported.problems.size(), 3u);
  EXPECT_EQ(imported.problems[0].line, 3);
  EXPECT_EQ(imported.problems[1].line, 4);
  EXPECT_EQ(imported.problems[2].line, 6);
  EXPECT_NE(imported.problems[2].reason.find("torn"), std::string::npos);
}

TEST(Dataset, NothingDependsOnThreads) {
  std::string text;
  for (int i = 0; i < 4000; ++i) text += joined({kLines[i % 5], kLines[(i / 7) % 5]}) + "bad\n";
  ImportOptions options;
  options.logs = {written("many.log", text)};
  const Imported one = import(options, "one.hds");
  options.threads = 3;
  const Imported three = import(options, "three.hds");
  EXPECT_EQ(one.set.file.content_hash(), three.set.file.content_hash());
  EXPECT_EQ(one.problems.size(), 4000u);
  ASSERT_EQ(three.problems.size(), 4000u);
  for (std::size_t i = 0; i < 4000; ++i) ASSERT_EQ(three.problems[i].line, 3 * static_cast<int>(i) + 3);
}

TEST(Dataset, ReadsTheLayoutOfTenset) {
  namespace fs = std::filesystem;
  const fs::path folder = temporary_file("tenset"), records = folder / "measure_records";
  fs::remove_all(folder);
  fs::create_directories(records / "e5-2673");
  fs::create_directories(records / "t4");
  fs::create_directories(folder / "to_measure_programs");
  std::ofstream(folder / "all_tasks.pkl") << "never opened";
  std::ofstream(folder / "to_measure_programs/p.json") << joined({kLines[0]});
  const std::string name = "([aa,[4,4]],llvm).json";
  std::ofstream(records / "e5-2673" / name) << joined({kLines[0], kLines[1]});
  std::ofstream(records / "t4" / name) << joined({kLines[0]});
  ImportOptions options;
  options.logs = {folder.string()};
  options.networks = written("networks.tsv",
                             "network\tweight\tworkload_key\n"
                             "resnet_50\t3\t[\"aa\", [4, 4]]\n"
                             "bert\t1\t[\"aa\", [4, 4]]\n");
  const Imported imported = import(options);
  ASSERT_EQ(imported.set.n_tasks(), 3u);
  EXPECT_EQ(imported.set.machine[0], "e5-2673");
  EXPECT_EQ(imported.set.machine[2], "t4");
  EXPECT_EQ(imported.set.networks[0], "resnet_50:3;bert:1");
  EXPECT_EQ(imported.set.networks[1], "");
  EXPECT_EQ(imported.summary.misaligned, 1);  // the line of bb
  EXPECT_EQ(imported.summary.corrupt, 2);     // the pickle, and what was not measured
  EXPECT_EQ(imported.problems.size(), 3u);
}

TEST(Dataset, TablesOfAnotherFormAreRefused) {
  ImportOptions options;
  options.logs = {written("a.log", joined({kLines[0]}))};
  for (const char* text : {"", "network\tkey\n", "network\tweight\tworkload_key\na\t1\n",
                           "network\tweight\tworkload_key\na\tmany\tk\n"}) {
    options.networks = written("networks.tsv", text);
    EXPECT_THROW(import(options), UserError) << text;
  }
  options.networks.clear();
  options.dags = written("dags.jsonl", "{\"workload_key\": \"k\"}\n");
  EXPECT_THROW(import(options), UserError);
}

TEST(Dataset, UnreadableComputationsAreReportedAndUnknown) {
  ImportOptions options;
  options.logs = {written("a.log", joined({kLines[0], kLines[1]}))};
  options.dags = written(
      "dags.jsonl",
      R"({"workload_key": "[\"aa\", [4, 4]]", "dag": "A = PLACEHOLDER [4]\nB(i) = C[i]\n"})"
      "\n"
      R"({"workload_key": "[\"bb\", [4, 4]]", "dag": "A = PLACEHOLDER [4]\nB(i) = (A[i]*2f)\n"})"
      "\n");
  const Imported imported = import(options);
  EXPECT_EQ(imported.set.dag[0], "");
  EXPECT_EQ(imported.set.dag[1].substr(0, 1), "A");
  EXPECT_EQ(imported.set.flops[1], 4);
  EXPECT_EQ(imported.problems.size(), 1u);
}

TEST(Dataset, ReadableKeysAreComputations) {
  std::string text = kLines[0];
  const std::string key = R"([\"aa\", [4, 4]])", readable = R"([\"matmul_layer\", 4, 8, 16])";
  text.replace(text.find(key), key.size(), readable);
  const Dataset set = import_text(text + "\n" + kLines[0] + "\n").set;
  EXPECT_EQ(set.flops[0], 2 * 4 * 8 * 16);
  ASSERT_NE(set.computation(0), nullptr);
  EXPECT_EQ(task::print(*set.computation(0)), set.dag[0]);
  EXPECT_EQ(set.computation(1), nullptr);
}

TEST(Dataset, CoresTellTasksApartUnlessItIsOneMachine) {
  std::string other = kLines[0];
  other.replace(other.find("[8, 64"), 6, "[4, 64");
  ImportOptions options;
  options.logs = {written("a.log", joined({kLines[0], other}))};
  EXPECT_EQ(import(options).set.n_tasks(), 2u);
  options.is_one_machine = true;
  const Dataset set = import(options).set;
  EXPECT_EQ(set.n_tasks(), 1u);
  EXPECT_EQ(lines_of(set), (std::vector<std::string>{kLines[0], other}));
}

TEST(Dataset, MergesOnlyWhatSaysItsMachine) {
  const std::string a = import_text(joined({kLines[0], kLines[1]}), "e5-2673", "a.hds").set.file.path();
  const std::string b = import_text(joined({kLines[0], kLines[2]}), "e5-2673", "b.hds").set.file.path();
  const std::string c = import_text(joined({kLines[0]}), "i7", "c.hds").set.file.path();
  const std::string unknown = import_text(joined({kLines[0]}), "", "d.hds").set.file.path();
  const std::string output = temporary_file("merged.hds");
  std::filesystem::remove(output);
  EXPECT_THROW(merge_datasets({a, unknown}, output), UserError);
  EXPECT_FALSE(std::filesystem::exists(output));
  const MergeSummary summary = merge_datasets({a, b, c}, output);
  EXPECT_EQ(summary.programs, 4);
  EXPECT_EQ(summary.duplicates, 1);
  EXPECT_EQ(summary.tasks, 3);
  EXPECT_EQ(lines_of(Dataset::open(output)),
            (std::vector<std::string>{kLines[0], kLines[1], kLines[2], kLines[0]}));
}

TEST(Dataset, OneNameIsOneMachine) {
  const auto import_as = [&](const char* machine, const char* name) {
    return import_text(joined({kLines[0]}), machine, name).set.file.path();
  };
  const std::string a = import_as("mine:kind=cpu,cores=4", "a.hds");
  const std::string b = import_as("mine:kind=cpu,cores=8", "b.hds");
  EXPECT_EQ(Dataset::open(a).descriptors[0], "kind=cpu cores=4");
  EXPECT_THROW(merge_datasets({a, b}, temporary_file("merged.hds")), UserError);
  EXPECT_THROW(import_as("e5-2763", "c.hds"), UserError);
  EXPECT_THROW(import_as("mine:colour=red", "c.hds"), UserError);
}

TEST(Dataset, TheDocumentedMachinesAreThoseThatAreKnown) {
  const std::string page = read_maybe_gzip(HONE_SOURCE_DIR "/docs/formats/dataset.md");
  for (const Machine& machine : known_machines()) {
    const std::string row = "| `" + machine.name + "` | " + machine.descriptor + " |";
    EXPECT_NE(page.find(row), std::string::npos) << row;
    EXPECT_EQ(machine_from(machine.name).descriptor, machine.descriptor);
  }
}

// Ten tasks of two networks, one program each.
Dataset splittable() {
  std::string log, table = "network\tweight\tworkload_key\n";
  for (int i = 0; i < 10; ++i) {
    const std::string key = "k" + std::to_string(i);
    log += line(key, R"(["CI", 1])", "0.001") + "\n";
    table += (i < 4 ? "first" : "second") + std::string("\t2\t[\"") + key + "\", [4, 4]]\n";
    if (i == 3) table += "second\t1\t[\"k3\", [4, 4]]\n";  // of both
  }
  ImportOptions options;
  options.logs = {written("a.log", log)};
  options.networks = written("networks.tsv", table);
  return import(options).set;
}

TEST(Dataset, SplitsByNetwork) {
  const Dataset set = splittable();
  const std::string train = temporary_file("train.hds"), test = temporary_file("test.hds");
  SplitOptions options{SplitBy::Model, {"first"}, 0, 1};
  const SplitSummary summary = split_dataset(set, options, train, test);
  EXPECT_EQ(summary.test_tasks, 4);
  EXPECT_EQ(summary.train_programs, 6);
  EXPECT_EQ(Dataset::open(test).networks[3], "first:2;second:1");
  options.hold_out = {"frist"};
  EXPECT_THROW(held_out(set, options), UserError);
  options.hold_out = {"first", "second"};
  EXPECT_THROW(held_out(set, options), UserError);
}

TEST(Dataset, NoKeyIsOnBothSidesWhateverItsMachine) {
  std::string log;
  for (int i = 0; i < 10; ++i) log += line("k" + std::to_string(i), R"(["CI", 1])", "0.001") + "\n";
  const std::string a = import_text(log, "i7", "a.hds").set.file.path();
  const std::string b = import_text(log, "e5-2673", "b.hds").set.file.path();
  const std::string both = temporary_file("both.hds"), train = temporary_file("train.hds"),
                    test = temporary_file("test.hds");
  merge_datasets({a, b}, both);
  for (const SplitBy by : {SplitBy::Task, SplitBy::Structure}) {
    split_dataset(Dataset::open(both), {by, {}, 0.3, 5}, train, test);
    const Dataset learnt = Dataset::open(train), judged = Dataset::open(test);
    EXPECT_EQ(learnt.n_tasks(), 14u);
    EXPECT_EQ(judged.n_tasks(), 6u);
    for (std::size_t i = 0; i < learnt.n_tasks(); ++i)
      for (std::size_t j = 0; j < judged.n_tasks(); ++j) EXPECT_NE(learnt.key[i], judged.key[j]);
  }
}

TEST(Dataset, SplitsByTaskWithASeed) {
  const Dataset set = splittable();
  SplitOptions options{SplitBy::Task, {}, 0.3, 1};
  const std::vector<bool> first = held_out(set, options);
  EXPECT_EQ(std::count(first.begin(), first.end(), true), 3);
  EXPECT_EQ(held_out(set, options), first);
  options.seed = 2;
  EXPECT_NE(held_out(set, options), first);
}

TEST(Dataset, SamplesAreNestedAndWholeInWhatTheyHold) {
  std::string log;
  for (int task = 0; task < 6; ++task)  // task k has k + 1 programs
    for (int i = 0; i <= task; ++i)
      log +=
          line("k" + std::to_string(task), "[\"CI\", " + std::to_string(i + 1) + "]", "0.001") + "\n";
  const Dataset set = import_text(log, "i7", "sampled.hds").set;
  const std::string small = temporary_file("small.hds"), large = temporary_file("large.hds");
  const SampleSummary summary = sample_dataset(set, {.tasks = 2, .per_task = 3, .seed = 4}, small);
  EXPECT_EQ(summary.tasks, 2);
  EXPECT_EQ(summary.programs, 6);
  sample_dataset(set, {.tasks = 4, .per_task = 3, .seed = 4}, large);
  const Dataset few = Dataset::open(small), more = Dataset::open(large);
  std::set<std::string_view> keys;
  for (std::size_t task = 0; task < more.n_tasks(); ++task) keys.insert(more.key[task]);
  for (std::size_t task = 0; task < few.n_tasks(); ++task) EXPECT_TRUE(keys.contains(few.key[task]));
  EXPECT_THROW(sample_dataset(set, {.tasks = 5, .per_task = 3, .seed = 4}, small), UserError)
      << "only four tasks have three programs";
}

struct Log {
  std::string file;
  std::int64_t programs, valid, tasks;
};
class PublicDatasets : public testing::TestWithParam<Log> {};

TEST_P(PublicDatasets, OracleLogsComeBackInFewBytes) {
  const std::string path = shared_file("data/" + GetParam().file);
  HONE_REQUIRE_FILE(path);
  ImportOptions options;
  options.logs = {path};
  options.threads = 2;
  const Imported imported = import(options);
  EXPECT_EQ(imported.summary.programs, GetParam().programs);
  EXPECT_EQ(imported.summary.valid, GetParam().valid);
  EXPECT_EQ(imported.summary.tasks, GetParam().tasks);
  EXPECT_EQ(imported.summary.corrupt, 0);
  EXPECT_EQ(imported.summary.misaligned, 0);
  std::size_t program = 0;
  const auto compare = [&](const LogSource&, const ByteSource& bytes) {
    LineReader lines(bytes);
    for (Line line; lines.next(line); ++program) {
      if (program % 5 != 0) continue;
      ASSERT_EQ(imported.set.line(program), line.text) << program;
    }
  };
  visit_logs({path}, compare, [](const auto& name, const auto&) { ADD_FAILURE() << name; });
  const auto bytes = static_cast<double>(std::filesystem::file_size(imported.set.file.path()));
  const double a_program = bytes / static_cast<double>(imported.set.n_programs());
  RecordProperty("bytes_a_program", std::to_string(a_program));
  EXPECT_LT(a_program, GetParam().programs > 10000 ? 400 : 1000);  // the tasks of small logs weigh more
}

// A workload that was measured with several numbers of cores is several tasks.
INSTANTIATE_TEST_SUITE_P(
    Data, PublicDatasets,
    testing::Values(Log{"ansor_x86_24core_thaisacs.stratified.jsonl.gz", 205999, 205999, 724},
                    Log{"ansor_v100_nnfusion.jsonl.gz", 94210, 93395, 130},
                    Log{"ansor_k80_nnfusion.jsonl.gz", 93076, 92239, 117},
                    Log{"ansor_cpu_bennu.jsonl.gz", 20633, 13259, 529},
                    Log{"ansor_cuda_sm_80_bennu.jsonl.gz", 11635, 11520, 40},
                    Log{"ansor_tvm_ci_logs.jsonl.gz", 205, 205, 161},
                    Log{"ansor_cuda_t4_tlcbench.jsonl.gz", 150, 98, 43},
                    Log{"ansor_metal_m1_octoml.jsonl.gz", 1000, 779, 1},
                    Log{"autotvm_k80_nnfusion.jsonl.gz", 72960, 60776, 73},
                    Log{"autotvm_bennu.tar.gz", 1971, 1628, 8}),
    [](const auto& log) { return log.param.file.substr(0, log.param.file.find('.')); });

}  // namespace
}  // namespace hone::record
