// Random legal schedules over the whole catalogue compute what their tasks say. HONE_PROPERTY_SEED
// moves on to others: it is the seed of the first one.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "codegen/compile.h"
#include "ir/print.h"
#include "ir/verify.h"
#include "lower/nest.h"
#include "schedule/step_json.h"
#include "task/catalogue.h"
#include "tests/property/random_op.h"
#include "tests/property/random_schedule.h"
#include "tests/property/trial.h"
#include "tests/shared_data.h"

namespace hone::property {
namespace {

constexpr int kSchedules = 2000, kShards = 20;

std::uint64_t first_seed() { return std::stoull(setting_or("HONE_PROPERTY_SEED", "0")); }

std::shared_ptr<const task::Task> task_of(std::uint64_t seed) {
  return std::make_shared<const task::Task>(task::from_op(random_op(seed)));
}

// Targets whose code this machine runs.
const std::vector<target::Target>& runnable_targets() {
  static const std::vector<target::Target> kTargets = [] {
    std::vector<target::Target> all = {target::host()};
    if (all[0].arch == target::Arch::X86_64) all.push_back(target::parse("avx2"));
    if (all[0].vector_bits == 512) all.push_back(target::parse("avx512"));
    return all;
  }();
  return kTargets;
}

// The layouts in which a packing nest reads its constants.
std::vector<codegen::Parameter> parameters_of(const schedule::State& state, const task::Task& task,
                                              bool pack_constants) {
  std::vector<codegen::Parameter> parameters;
  for (const worker::BufferSpec& buffer : measure::buffers_of(task)) {
    parameters.emplace_back().name = buffer.name;
  }
  const std::vector<int> placeholders = task.placeholders();
  for (std::size_t i = 0; pack_constants && i < placeholders.size(); ++i) {
    parameters[i].packed = schedule::packed_layout(state, placeholders[i]);
  }
  return parameters;
}

// One schedule on its way to a kernel: every program is well formed and has the same answer.
class Passage {
 public:
  Passage(const std::shared_ptr<const task::Task>& task, const schedule::State& state,
          const target::Target& target, bool pack_constants)
      : target_(target),
        parameters_(parameters_of(state, *task, pack_constants)),
        nest_(lower::nest(state, {pack_constants})),
        trial_(*task, {.whole_terms = 1e18, .slack = slack_of(task->name)}) {}

  void expect_right(bool interpret_optimised) {
    EXPECT_EQ(ir::verify(nest_), kNoFaults) << ir::print(nest_);
    ASSERT_EQ(trial_.interpret(nest_, parameters_), "") << ir::print(nest_);
    trial_.trust_last();
    const ir::Program optimised =
        lower::optimise(nest_, target_, [](std::string_view pass, const auto& p) {
          EXPECT_EQ(ir::verify(p), kNoFaults) << "after " << pass;
        });
    if (interpret_optimised) {
      EXPECT_EQ(trial_.interpret(optimised, parameters_), "") << "after all passes";
    }
    codegen::Kernel kernel = codegen::build_llvm(optimised, target_);
    kernel.parameters = parameters_;
    EXPECT_EQ(trial_.run(kernel), "") << "when compiled";
  }

  // The first pass after which the interpreter's answer is wrong, for a schedule that failed.
  std::string culprit() {
    ir::Program before = nest_;
    for (const lower::Pass& pass : lower::passes()) {
      const ir::Program after = pass.run(before, target_);
      const std::string fault = interpreter_fault(after);
      if (!fault.empty()) {
        return fmt::format("the culprit is {}: {}\n{}----\n{}", pass.name, fault, ir::print(before),
                           ir::print(after));
      }
      before = after;
    }
    return "the culprit is no pass:\n" + ir::print(before);
  }

 private:
  std::string interpreter_fault(const ir::Program& program) {
    try {
      return trial_.interpret(program, parameters_);
    } catch (const std::exception& error) {
      return error.what();
    }
  }

  static inline const std::vector<std::string> kNoFaults = {};

  const target::Target& target_;
  std::vector<codegen::Parameter> parameters_;
  ir::Program nest_;
  Trial trial_;
};

void expect_right(std::uint64_t seed) {
  const auto task = task_of(seed);
  const schedule::State state = random_schedule(task, seed);
  const target::Target& target = runnable_targets()[seed % runnable_targets().size()];
  const std::string subject = fmt::format("seed {}: --op {}, target {}, steps\n{}\n", seed, task->name,
                                          target.name, schedule::to_json(state.steps));
  SCOPED_TRACE(subject);
  const CrashNotice notice("crashed at " + subject);
  Passage passage(task, state, target, seed / 3 % 2 == 0);
  try {
    passage.expect_right(seed % 4 == 0);
  } catch (const std::exception& error) {
    ADD_FAILURE() << error.what();
  }
  if (testing::Test::HasFailure()) ADD_FAILURE() << passage.culprit();
}

class Schedules : public testing::TestWithParam<int> {};

TEST_P(Schedules, ComputeTheirTask) {
  constexpr int kEach = kSchedules / kShards;
  for (int i = 0; i < kEach && !HasFailure(); ++i) {
    expect_right(first_seed() + static_cast<std::uint64_t>(GetParam() * kEach + i));
  }
}

INSTANTIATE_TEST_SUITE_P(property, Schedules, testing::Range(0, kShards));

bool has_non_dividing_split(const schedule::State& state) {
  for (const schedule::Stage& stage : state.stages) {
    const auto s = static_cast<int>(&stage - state.stages.data());
    if (stage.location == schedule::Location::Inlined) continue;
    for (const schedule::Relation& relation : stage.relations) {
      const auto extent = [&](int loop) { return state.bounds.extent(s, loop); };
      if (relation.kind == schedule::Relation::Kind::Split &&
          extent(relation.outer) * extent(relation.inner) != extent(relation.whole)) {
        return true;
      }
    }
  }
  return false;
}

TEST(property, SchedulesAreOfEveryKind) {
  std::vector<std::size_t> lengths;
  std::map<std::string, int> with;  // schedules that have it
  int non_dividing = 0, attached = 0;
  for (std::uint64_t seed = first_seed(); seed < first_seed() + kSchedules; ++seed) {
    const schedule::State state = random_schedule(task_of(seed), seed);
    lengths.push_back(state.steps.size());
    std::set<std::string> codes;
    for (const schedule::Step& step : state.steps) {
      codes.emplace(schedule::code_of(step));
      if (const auto* annotate = std::get_if<schedule::Annotate>(&step)) {
        codes.insert("AN " + ir::to_string(annotate->annotation));
      }
    }
    for (const std::string& code : codes) ++with[code];
    non_dividing += has_non_dividing_split(state);
    attached += std::any_of(state.stages.begin(), state.stages.end(), [](const schedule::Stage& s) {
      return s.location == schedule::Location::Iter;
    });
  }
  std::nth_element(lengths.begin(), lengths.begin() + kSchedules / 2, lengths.end());
  const auto percent = [](int count) { return 100.0 * count / kSchedules; };
  fmt::print(
      "{} schedules, median of {} steps, {:.1f} % with non-dividing splits, {:.1f} % with "
      "attached stages; with\n",
      kSchedules, lengths[kSchedules / 2], percent(non_dividing), percent(attached));
  for (const auto& [code, count] : with) fmt::print("  {:<14} {:5.1f} %\n", code, percent(count));

  EXPECT_GE(lengths[kSchedules / 2], 12);
  EXPECT_GE(percent(non_dividing), 30);
  EXPECT_GE(percent(attached), 30);
  for (const char* code : {"AN", "FU", "PR", "RE", "SP", "FSP", "FFSP", "SA", "CA", "CI", "CR", "CHR",
                           "CHW", "RF", "AN unroll", "AN vectorize", "AN parallel"}) {
    EXPECT_GE(percent(with[code]), 5) << code;
  }
}

TEST(property, SchedulesAreOfEveryOperatorTypeAndLayout) {
  std::set<std::string> catalogue, seen;
  for (const task::OperatorHelp& op : task::catalogue()) {
    for (const task::KeyHelp& key : op.keys) {
      if (key.name == "fn") continue;  // the functions have tests of their own
      for (const std::string& word : key.words) catalogue.insert(op.name + " " + key.name + "=" + word);
    }
  }
  for (std::uint64_t seed = first_seed(); seed < first_seed() + kSchedules; ++seed) {
    const std::string text = random_op(seed);
    const std::string name = text.substr(0, text.find(':'));
    for (std::size_t from = name.size() + 1, to; from < text.size(); from = to + 1) {
      to = std::min(text.find_first_of(",+", from), text.size());
      seen.insert(name + " " + text.substr(from, to - from));
    }
  }
  for (const std::string& word : catalogue) EXPECT_TRUE(seen.contains(word)) << word;
}

}  // namespace
}  // namespace hone::property
