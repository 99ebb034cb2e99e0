// How well the analysis orders programs that were measured on this machine, task by task, and which
// constants of its core would order them better.
//   bench_analysis SET... [--fit] [--set NAME=VALUE ...] [--tasks] [--show N]
// Nothing is measured. SET is a data set of a machine with this target; runs of `hone tune` become one
// by `hone dataset import`. The fit changes one constant after the other as long as that helps, and
// prints what is left.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>

#include "base/error.h"
#include "base/parallel.h"
#include "benchmarks/report.h"
#include "benchmarks/scored_programs.h"
#include "feature/code.h"
#include "feature/core_costs.h"
#include "feature/limits.h"
#include "schedule/step_json.h"
#include "score/metrics.h"
#include "target/target.h"

namespace hone::bench {
namespace {

using feature::CoreCosts;

struct Options {
  std::vector<std::string> sets, values;
  bool fit = false, tasks = false;
  int threads = 2;
  std::optional<std::size_t> show;  // a task
};

struct Program {
  std::unique_ptr<const feature::Replayed> replayed;
  std::vector<feature::StageLayout> layouts;
  double seconds = 0;
};

struct Task {
  std::string name;
  std::vector<Program> programs;
};

// Of one task or, as means, of all.
struct Marks {
  double first = 0, of_four = 0, of_sixteen = 0;  // the best of so many, as a share of the best of all
  double order = 0;                               // rank correlation of those within twice the best

  double worth() const { return (first + of_four + of_sixteen) / 3 + order / 2; }
  std::string text() const {
    return fmt::format("{:6.3f} {:6.3f} {:6.3f} {:6.3f} {:7.4f}", first, of_four, of_sixteen, order,
                       worth());
  }
};

std::vector<Task> read_tasks(const std::string& path, const target::Target& target, int threads) {
  const ScoredPrograms set = read_programs(path, static_cast<std::size_t>(-1));
  std::vector<Program> programs(set.size());
  const space::Hardware hardware = space::hardware_of(target);
  parallel_for(set.size(), threads, [&](std::size_t i) {
    auto replayed = std::make_unique<const feature::Replayed>(set.input.tasks[set.task_of[i]].task,
                                                              set.steps[i], hardware);
    if (feature::exceeded(replayed->tree(), hardware)) return;
    programs[i] = {std::move(replayed), {}, set.best_s[i]};
    programs[i].layouts = feature::layouts_of(programs[i].replayed->state());
  });
  std::vector<Task> tasks(set.keys.size());
  for (std::size_t t = 0; t < tasks.size(); ++t) tasks[t].name = set.keys[t];
  for (std::size_t i = 0; i < set.size(); ++i)
    if (programs[i].replayed != nullptr)
      tasks[set.task_of[i]].programs.push_back(std::move(programs[i]));
  std::erase_if(tasks, [](const Task& task) { return task.programs.size() < 16; });
  if (tasks.empty()) throw UserError(path + " has no task with 16 programs");
  return tasks;
}

double cycles_of(const Program& program, const target::Target& target, const CoreCosts& costs) {
  const std::vector<float> rows =
      feature::code_rows(program.replayed->tree(), program.layouts, target, costs);
  double cycles = 0;
  for (std::size_t i = static_cast<std::size_t>(feature::CodeColumn::Cycles); i < rows.size();
       i += feature::kCodeColumns)
    cycles += std::exp2(double{rows[i]}) - 1;
  return cycles;
}

class Judge {
 public:
  Judge(std::vector<Task> tasks, target::Target target, int threads)
      : tasks_(std::move(tasks)), target_(std::move(target)), threads_(threads) {}

  std::vector<Marks> of_tasks(const CoreCosts& costs) const {
    std::vector<Marks> marks(tasks_.size());
    parallel_for(tasks_.size(), threads_, [&](std::size_t t) { marks[t] = of_task(tasks_[t], costs); });
    return marks;
  }

  Marks mean(const CoreCosts& costs) const {
    Marks sum;
    const std::vector<Marks> all = of_tasks(costs);
    const auto n = static_cast<double>(all.size());
    for (const Marks& each : all) {
      sum.first += each.first / n;
      sum.of_four += each.of_four / n;
      sum.of_sixteen += each.of_sixteen / n;
      sum.order += each.order / n;
    }
    return sum;
  }

  const std::vector<Task>& tasks() const { return tasks_; }
  const target::Target& target() const { return target_; }

 private:
  Marks of_task(const Task& task, const CoreCosts& costs) const {
    std::vector<double> scores, times, near_scores, near_times;
    for (const Program& each : task.programs) {
      scores.push_back(-cycles_of(each, target_, costs));
      times.push_back(each.seconds);
    }
    constexpr double kNear = 2;
    const double limit = kNear * *std::ranges::min_element(times);
    for (std::size_t i = 0; i < times.size(); ++i) {
      if (times[i] > limit) continue;
      near_scores.push_back(scores[i]);
      near_times.push_back(times[i]);
    }
    return {score::top_k(scores, times, 1), score::top_k(scores, times, 4),
            score::top_k(scores, times, 16), score::rank_correlation(near_scores, near_times)};
  }

  std::vector<Task> tasks_;
  target::Target target_;
  int threads_;
};

// One constant after the other is multiplied by these, until none of them helps; those of `given` stay.
void fit(const Judge& judge, const std::vector<std::string>& given, CoreCosts& costs) {
  constexpr std::array kFactors = {0.5, 0.75, 0.9, 1.1, 1.33, 2.0};
  constexpr double kGain = 2e-4;
  double best = judge.mean(costs).worth();
  for (bool is_better = true; is_better;) {
    is_better = false;
    for (const feature::CoreCostField& field : feature::core_cost_fields()) {
      const auto is_given = [&](const std::string& text) {
        return text.starts_with(std::string(field.name) + "=");
      };
      if (std::ranges::any_of(given, is_given)) continue;
      const double before = field.value(costs);
      double chosen = before;
      for (const double factor : kFactors) {
        field.value(costs) = before * factor;
        const double worth = judge.mean(costs).worth();
        if (worth < best + kGain) continue;
        best = worth;
        chosen = before * factor;
        is_better = true;
      }
      field.value(costs) = chosen;
      if (chosen != before)
        fmt::print(stderr, "{} {:.4g} -> {:.4g}: {:.4f}\n", field.name, before, chosen, best);
    }
  }
}

void print(const Program& program, const target::Target& target, const CoreCosts& costs) {
  fmt::print("{:9.2f} us {:12.0f} cycles  {}\n", program.seconds * 1e6,
             cycles_of(program, target, costs), schedule::to_json(program.replayed->state().steps));
  const std::vector<float> rows =
      feature::code_rows(program.replayed->tree(), program.layouts, target, costs);
  for (std::size_t row = 0; row < rows.size(); row += feature::kCodeColumns) {
    fmt::print("     ");
    for (std::size_t c = 0; c < feature::kCodeColumns; ++c)
      fmt::print(" {}={:.4g}", feature::code_names()[c], std::exp2(double{rows[row + c]}) - 1);
    fmt::print("\n");
  }
}

// Where the analysis goes wrong: what it likes best beside what is fastest.
void show(const Judge& judge, std::size_t number, const CoreCosts& costs) {
  constexpr std::size_t kShown = 6;
  if (number >= judge.tasks().size()) throw UserError("there is no such task", "--tasks lists them");
  std::vector<const Program*> programs;
  for (const Program& each : judge.tasks()[number].programs) programs.push_back(&each);
  const auto print_first = [&](const char* title, const auto& key) {
    std::ranges::sort(programs, {}, key);
    fmt::print("{}\n", title);
    for (std::size_t i = 0; i < std::min(kShown, programs.size()); ++i)
      print(*programs[i], judge.target(), costs);
  };
  print_first("first by analysis",
              [&](const Program* program) { return cycles_of(*program, judge.target(), costs); });
  print_first("fastest", [](const Program* program) { return program->seconds; });
}

void set_values(const std::vector<std::string>& values, CoreCosts& costs) {
  for (const std::string& text : values) {
    const std::size_t equals = text.find('=');
    const auto fields = feature::core_cost_fields();
    const auto field = std::ranges::find(fields, text.substr(0, equals), &feature::CoreCostField::name);
    double value = 0;
    const char* const end = text.data() + text.size();
    const bool is_set = equals != std::string::npos && field != fields.end() &&
                        std::from_chars(text.data() + equals + 1, end, value).ptr == end && value > 0;
    if (!is_set)
      throw UserError(fmt::format("'{}' is no constant with its value", text),
                      "they are printed by every run");
    field->value(costs) = value;
  }
}

int bench_analysis(const Options& options) {
  target::Target target = target::host();
  target.cores = 1;
  std::vector<Task> tasks;
  for (const std::string& path : options.sets)
    std::ranges::move(read_tasks(path, target, options.threads), std::back_inserter(tasks));
  const Judge judge(std::move(tasks), target, options.threads);
  CoreCosts costs = feature::core_costs(target);
  set_values(options.values, costs);
  fmt::print(
      "share of the best among the first 1, 4, 16; order of those within twice the best; worth\n");
  fmt::print("{} of {} tasks\n", judge.mean(costs).text(), judge.tasks().size());
  if (options.fit) {
    fit(judge, options.values, costs);
    fmt::print("{} fitted\n", judge.mean(costs).text());
  }
  if (options.tasks) {
    const std::vector<Marks> marks = judge.of_tasks(costs);
    for (std::size_t t = 0; t < marks.size(); ++t)
      fmt::print("{:4} {} {:4} {}\n", t, marks[t].text(), judge.tasks()[t].programs.size(),
                 judge.tasks()[t].name);
  }
  if (options.show) show(judge, *options.show, costs);
  for (const feature::CoreCostField& field : feature::core_cost_fields())
    fmt::print("{}={:.4g} ", field.name, field.value(costs));
  fmt::print("\n");
  return 0;
}

}  // namespace
}  // namespace hone::bench

int main(int argc, char** argv) {
  hone::bench::Options options;
  CLI::App app("The analysis against measured programs, and constants that fit them better");
  app.add_option("sets", options.sets, "Data sets of this machine")->required();
  app.add_option("--set", options.values, "Constants: NAME=VALUE; --fit leaves them alone");
  app.add_option("--threads", options.threads, "To estimate with");
  app.add_flag("--fit", options.fit, "Look for better constants");
  app.add_option("--show", options.show, "A task's programs: first by analysis, and fastest");
  app.add_flag("--tasks", options.tasks, "Marks of every task");
  CLI11_PARSE(app, argc, argv);
  return hone::bench::run_program([&] { return hone::bench::bench_analysis(options); });
}
