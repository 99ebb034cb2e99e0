#include "cli/explain_options.h"

#include <fmt/format.h>

#include "base/error.h"
#include "cli/option_parts.h"

namespace hone::cli {

CLI::App* add_explain(CLI::App& app, Explain& options) {
  CLI::App* command = app.add_subcommand(
      "explain", "Says what a cost model holds responsible for its score of a program");
  command->footer(
      "  hone explain runs/matmul-m512-n512-k512-t1 --scorer model.scorer\n"
      "  hone explain log.json:17 --scorer model.scorer --op matmul:m=512,n=512,k=512\n"
      "  hone explain set.hds:4711 --scorer model.scorer --set set.hds --top 10\n");
  command
      ->add_option("record", options.record,
                   "A log of records, FILE:LINE, the folder of a run, SET.hds:PROGRAM, or - for stdin")
      ->type_name("RECORD")
      ->required();
  command->add_option("--scorer", options.scorer, "A trained scorer, an ONNX model, or analytic")
      ->type_name("FILE")
      ->required();
  command->add_option("--line", options.line, "Which line of the log, from 1")
      ->type_name("N")
      ->check([](const std::string& text) { return count_up_to(1'000'000'000, "a line", text); });
  command->add_flag("--best", options.best, "Its fastest record (the default)");
  command
      ->add_option("--set", options.set,
                   "The data set that the scorer was trained on: shows the nearest programs of it")
      ->type_name("SET");
  command->add_option("--op", options.op, "What the task computes: an operator")->type_name("OP");
  command
      ->add_option("--model", options.model, "Or a model that has the task, FILE.onnx or builtin:NAME")
      ->type_name("MODEL");
  add_model(*command, options.input);
  command->add_option("--dags", options.dags, "Or lines {\"workload_key\": KEY, \"dag\": TEXT}")
      ->type_name("FILE");
  command->add_option("--top", options.top, "Rows of each table (default 8)")
      ->type_name("K")
      ->check([](const std::string& text) { return count_up_to(1'000'000, "rows", text); });
  add_threads(*command, options.threads, "Threads to score with (default one a core)");
  add_json(*command, options.json);
  return command;
}

void complete(const CLI::App* command, const Explain& options) {
  const auto refuse = [&](const char* what) {
    throw UserError(what, fmt::format("`{} --help` begins with examples", full_name(command)));
  };
  if (options.best && options.line > 0) refuse("both --line and --best are given; one of them counts");
  const int told = static_cast<int>(!options.op.empty()) + static_cast<int>(!options.model.empty()) +
                   static_cast<int>(!options.dags.empty());
  if (told > 1) refuse("of --op, --model and --dags one says what the task computes");
}

}  // namespace hone::cli
