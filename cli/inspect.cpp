// `hone inspect`: a computation at any stage on its way to code.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/error.h"
#include "cli/artefact_file.h"
#include "cli/commands.h"
#include "cli/exit_code.h"
#include "cli/input.h"
#include "cli/inspect_artefact.h"
#include "cli/inspect_dataset.h"
#include "cli/inspect_log.h"
#include "cli/inspect_model.h"
#include "cli/inspect_scorer.h"
#include "cli/model_input.h"
#include "codegen/compile.h"
#include "codegen/kernel.h"
#include "ir/print.h"
#include "lower/optimise.h"
#include "schedule/state.h"
#include "schedule/step_json.h"
#include "space/sketch.h"
#include "task/analysis.h"
#include "task/key.h"
#include "task/text.h"

namespace hone::cli {
namespace {

std::string step_lines(const schedule::Steps& steps) {
  std::string lines;
  for (const schedule::Step& step : steps) {
    const std::string list = schedule::to_json({step});
    lines += list.substr(1, list.size() - 2) + "\n";
  }
  return lines;
}

std::string state_text(const std::shared_ptr<const task::Task>& task, const schedule::Steps& steps) {
  schedule::State state = schedule::replay(task, steps);
  schedule::infer_bounds(state);
  return schedule::print(state);
}

// Lengths that are to be chosen are 0 in the steps and loops without a range in the state.
std::string sketch_lines(const std::shared_ptr<const task::Task>& task, const target::Target& target) {
  std::string lines;
  int number = 0;
  for (const space::Sketch& sketch : space::sketches(task, space::hardware_of(target))) {
    lines +=
        fmt::format("{}sketch {}\n{}{}", lines.empty() ? "" : "\n", ++number, step_lines(sketch.steps),
                    schedule::print(schedule::replay(task, sketch.steps)));
  }
  return lines;
}

nlohmann::ordered_json sketch_list(const std::shared_ptr<const task::Task>& task,
                                   const target::Target& target) {
  auto list = nlohmann::ordered_json::array();
  for (const space::Sketch& sketch : space::sketches(task, space::hardware_of(target))) {
    list.push_back({{"steps", nlohmann::ordered_json::parse(schedule::to_json(sketch.steps))},
                    {"state", schedule::print(schedule::replay(task, sketch.steps))}});
  }
  return list;
}

std::string text_of(const std::shared_ptr<const task::Task>& task, const Input& input,
                    const std::string& source, const target::Target& target) {
  if (source == "dag") return task::print(*task);
  if (source == "sketches") return sketch_lines(task, target);
  const Schedule schedule = load_schedule(input, task, target, target.cores);
  if (source == "steps") return step_lines(schedule.steps);
  if (source == "state") return state_text(task, schedule.steps);
  const ir::Program nest =
      codegen::plain_nest(task, schedule.steps, {.pack_constants = schedule.pack_constants});
  if (source == "nest") return ir::print(nest);
  const ir::Program loops = lower::optimise(nest, target);
  if (source == "loops") return ir::print(loops);
  if (source == "llvm") return codegen::print_llvm(loops, target);
  if (source == "asm") return codegen::print_asm(loops, target);
  if (source == "c") return codegen::print_c(loops, target);
  fail("the command line lets only known stages through");
}

}  // namespace

int inspect(const Inspect& options) {
  if (is_model(options.input.file)) return inspect_model(options);
  if (is_scorer(options.input.file))
    return inspect_scorer(options.input.file, options.output, options.json);
  if (options.tasks && is_dataset(options.input.file))
    return inspect_set_tasks(options.input.file, options.json);
  if (is_model_stage(options.source) || options.operators || options.tasks || !options.output.empty()) {
    throw UserError(
        "--ops, --tasks, --output, --source graph and --source optimised are of models",
        "name a model: a file called *.onnx, or one that is built in, such as `builtin:resnet18`");
  }
  if (is_artefact(options.input.file)) return inspect_artefact(options.input.file, options.json);
  if (is_dataset(options.input.file)) return inspect_dataset(options.input.file, options.json);
  if (is_log(options.input.file)) return inspect_log(options.input.file, options.json);
  const target::Target target = target::parse(options.target);
  const auto task = load_task(options.input);
  std::string source = options.source;
  if (source.empty()) source = options.input.record.empty() ? "dag" : "state";
  const std::string text = text_of(task, options.input, source, target);
  if (!options.json) {
    fmt::print("{}{}", text, text.ends_with('\n') ? "" : "\n");
    return kDone;
  }
  nlohmann::ordered_json report = {{"schema", "hone.inspect/1"},
                                   {"task", task->name},
                                   {"workload_key", task::tvm_key(*task)},
                                   {"flop", task::flop_count(*task)},
                                   {"target", target::to_string(target)},
                                   {"source", source},
                                   {"text", text}};
  if (source == "sketches") report["sketches"] = sketch_list(task, target);
  fmt::print("{}\n", report.dump());
  return kDone;
}

}  // namespace hone::cli
