// Every CPU program that TVM made of the oracle's computations compiles and answers right, whether it
// reads constants as they are or packed.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "codegen/compile.h"
#include "measure/reference.h"
#include "tests/oracle.h"
#include "tests/property/trial.h"

namespace hone::property {
namespace {

constexpr int kShards = 8;

// The same task in which every input counts as a constant: the oracle does not say which ones are.
std::shared_ptr<const task::Task> with_constants(const task::Task& task) {
  auto constant = std::make_shared<task::Task>(task);
  for (task::Op& op : constant->ops) {
    for (const ir::Buffer& buffer : task::reads_of(op)) {
      const task::Op& source = task.ops[static_cast<std::size_t>(task.producer(buffer))];
      if (source.is_placeholder()) op.hints.layout_free.push_back(buffer->name);
    }
  }
  return constant;
}

// What one shard has seen.
struct Seen {
  int kernels = 0, packed = 0;
};

// Too large to be interpreted: samples vouch for the plain nest, compiled, and it for all the others.
void expect_right(const OracleEntry& entry, const target::Target& target, Seen& seen) {
  const auto task = with_constants(*entry.task);
  Trial trial(*task, {.slack = slack_of(entry.name)});
  ASSERT_EQ(trial.run(measure::reference_kernel(task, target)), "") << entry.name;
  trial.trust_last();
  for (const OracleProgram& program : entry.programs) {
    for (const bool pack_constants : {false, true}) {
      const std::string subject =
          fmt::format("{}, {}, steps\n{}\n", entry.name, pack_constants ? "packed" : "not packed",
                      schedule::to_json(program.steps));
      const CrashNotice notice("crashed at " + subject);
      const codegen::Kernel kernel =
          codegen::compile(task, program.steps, target, {.pack_constants = pack_constants});
      EXPECT_EQ(trial.run(kernel), "") << subject;
      ++seen.kernels;
      seen.packed += std::any_of(kernel.parameters.begin(), kernel.parameters.end(),
                                 [](const codegen::Parameter& p) { return p.packed.has_value(); });
    }
  }
}

class Programs : public testing::TestWithParam<int> {};

TEST_P(Programs, ComputeTheirTask) {
  HONE_REQUIRE_FILE(oracle_file());
  const target::Target target = target::host();
  Seen seen;
  int number = 0;
  for_each_oracle_entry([&](const OracleEntry& entry) {
    if (entry.target == "cpu" && number++ % kShards == GetParam()) expect_right(entry, target, seen);
  });
  fmt::print("{} kernels, {} of them with packed constants\n", seen.kernels, seen.packed);
  EXPECT_GT(seen.packed, 0);
}

INSTANTIATE_TEST_SUITE_P(property_oracle, Programs, testing::Range(0, kShards));

}  // namespace
}  // namespace hone::property
