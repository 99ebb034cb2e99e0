#include "record/import.h"

#include <future>

#include "base/error.h"
#include "base/parallel.h"
#include "record/dataset_writer.h"
#include "record/import_block.h"
#include "record/import_facts.h"
#include "record/import_sources.h"
#include "record/line_reader.h"
#include "record/machines.h"

namespace hone::record {
namespace {

constexpr std::size_t kBlockBytes = std::size_t{512} << 10;  // some hundred lines
constexpr std::size_t kBatchBlocks = 32;                     // read while those before are parsed

using OnImportProblem = std::function<void(const ImportProblem& problem)>;

// Reads on the caller's thread while others parse what was read before; the set gets the blocks in
// their order.
class Importer {
 public:
  Importer(DatasetWriter& writer, int threads, const OnImportProblem& on_problem)
      : writer_(writer), threads_(threads), on_problem_(on_problem) {}

  // `begin` is a block without lines.
  void read(const LogBlock& begin, const ByteSource& bytes) {
    LogBlock block = begin;
    LineReader lines(bytes);
    for (Line line; next(lines, line, block);) {
      if (block.text.empty()) block.first_line = line.number;
      block.is_torn = !line.has_newline;
      block.text.append(line.is_cut ? kTooLong : line.text).push_back('\n');
      if (block.text.size() < kBlockBytes) continue;
      add(std::move(block));
      block = begin;
    }
    add(std::move(block));
  }

  void add(LogBlock&& block) {
    reading_.push_back(std::move(block));
    if (reading_.size() == kBatchBlocks) start_batch();
  }

  ImportSummary finish() {
    start_batch();
    finish_batch();
    return summary_;
  }
  const Dags& computations() const { return computations_; }  // that the logs tell

 private:
  static constexpr std::string_view kTooLong = "(a line longer than any record)";  // reads as none

  static bool next(LineReader& lines, Line& line, LogBlock& block) {
    try {
      return lines.next(line);
    } catch (const UserError& error) {  // damage in a compressed file
      block.damage = error.what();
      return false;
    }
  }

  void start_batch() {
    finish_batch();
    parsing_ = std::async(std::launch::async, [blocks = std::move(reading_), threads = threads_] {
      std::vector<ParsedBlock> parsed(blocks.size());
      parallel_for(blocks.size(), threads, [&](std::size_t i) { parsed[i] = parse_block(blocks[i]); });
      return parsed;
    });
    reading_.clear();
  }

  void finish_batch() {
    if (!parsing_.valid()) return;
    for (const ParsedBlock& block : parsing_.get()) {
      summary_.lines += block.lines;
      summary_.comments += block.comments;
      summary_.programs += static_cast<std::int64_t>(block.part.size());
      summary_.valid += block.valid;
      summary_.corrupt += block.corrupt;
      summary_.misaligned += block.misaligned;
      for (const ImportProblem& problem : block.problems) on_problem_(problem);
      for (const Computation& told : block.computations) computations_[told.workload_key] = told.dag;
      writer_.append(block.part);
    }
  }

  DatasetWriter& writer_;
  int threads_;
  const OnImportProblem& on_problem_;
  ImportSummary summary_;
  Dags computations_;
  std::vector<LogBlock> reading_;
  std::future<std::vector<ParsedBlock>> parsing_;  // waits for its end when it is dropped
};

// What --machine names, or the folder of TenSet's that the log lies in.
std::string machine_of(const LogSource& source, const ImportOptions& options, DatasetWriter& writer) {
  if (!options.machine.empty()) {
    const Machine machine = machine_from(options.machine);
    writer.add_machine(machine);
    return machine.name;
  }
  return is_known_machine(source.platform) ? source.platform : "";
}

void add_facts(const ImportOptions& options, const Dags& told, std::vector<DatasetTask>& tasks,
               ImportSummary& summary, const OnImportProblem& on_problem) {
  const auto report = [&](const std::string& source, const std::string& reason) {
    on_problem({source, 0, reason});
  };
  if (!options.networks.empty()) add_networks(options.networks, tasks);
  add_dags(told, "the log", tasks, report);
  if (!options.dags.empty()) add_dags(read_dags(options.dags), options.dags, tasks, report);
  add_readable_dags(tasks, report);
  summary.tasks = static_cast<std::int64_t>(tasks.size());
  for (const DatasetTask& task : tasks) {
    summary.tasks_with_dag += !task.facts.dag.empty();
    summary.tasks_with_network += !task.facts.networks.empty();
    summary.tasks_with_machine += !task.identity.machine.empty();
  }
}

}  // namespace

ImportSummary import_logs(const ImportOptions& options, const OnImportProblem& on_problem) {
  if (!options.machine.empty()) machine_from(options.machine);  // refused before anything is read
  DatasetWriter writer(options.output);
  Importer importer(writer, options.threads, on_problem);
  std::int64_t sources = 0;
  const auto block_of = [&](const std::string& name) {
    ++sources;
    LogBlock block;
    block.source = name;
    block.source_id = writer.add_source(name);
    return block;
  };
  visit_logs(
      options.logs,
      [&](const LogSource& source, const ByteSource& bytes) {
        LogBlock block = block_of(source.name);
        block.file_name = source.file_name;
        block.is_one_machine = options.is_one_machine;
        block.machine = machine_of(source, options, writer);
        importer.read(block, bytes);
      },
      [&](const std::string& name, const std::string& reason) {
        LogBlock block = block_of(name);
        block.damage = reason;
        importer.add(std::move(block));
      });
  ImportSummary summary = importer.finish();
  summary.sources = sources;
  if (summary.programs == 0)
    throw UserError("there is no record in what was given",
                    "give logs of TVM's auto_scheduler or AutoTVM");
  add_facts(options, importer.computations(), writer.tasks(), summary, on_problem);
  writer.finish();
  return summary;
}

}  // namespace hone::record
