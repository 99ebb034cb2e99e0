#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "ir/print.h"
#include "ir/verify.h"
#include "lower/nest.h"
#include "tests/oracle.h"
#include "tests/tvm_nest.h"

namespace hone::lower {
namespace {

// TVM leaves the combination of what threads have reduced to an intrinsic and ours is spelled out, so
// both are cut down to the partial results, under one name, and the store of the whole.
void leave_out_thread_combination(std::vector<NestEvent>& tvm, std::vector<NestEvent>& ours) {
  for (NestEvent& event : tvm) event.tensor = common_name(event.tensor);
  std::vector<NestEvent> kept;
  int stores_since_parts = 3;
  for (NestEvent& event : ours) {
    if (event.tensor.ends_with(".parts")) {
      if (event.is_store) stores_since_parts = 0;
      continue;
    }
    if (event.tensor.ends_with(".partial")) {
      if (!event.is_store || ++stores_since_parts <= 2) continue;
      event.tensor = common_name(event.tensor);
    }
    kept.push_back(event);
  }
  ours = std::move(kept);
}

bool is_param(const ir::Program& program, const std::string& name) {
  return std::any_of(program.params.begin(), program.params.end(),
                     [&](const ir::Buffer& param) { return param->name == name; });
}

std::string describe(const NestEvent& event) {
  std::string text = (event.is_store ? "store " : "alloc ") + event.tensor + " in";
  for (const NestLoop& loop : event.loops) {
    text += ' ' + ir::to_string(loop.kind) + ' ' + std::to_string(loop.extent);
  }
  text += " shape";
  for (const std::int64_t extent : event.shape) text += ' ' + std::to_string(extent);
  return text;
}

// What is different in what both stores do, at random places of their loops; empty when nothing is.
std::string difference(const NestEvent& tvm, const NestEvent& ours, std::mt19937& random) {
  for (int trial = 0; trial < 4; ++trial) {
    std::vector<std::int64_t> at;
    for (const NestLoop& loop : tvm.loops) {
      at.push_back(trial == 0 ? loop.extent - 1 : static_cast<std::int64_t>(random()) % loop.extent);
    }
    const auto expected = tvm.effect(at), actual = ours.effect(at);
    const std::string where = fmt::format(" of {} when loops are at {}", describe(ours), at);
    if (actual.happens != expected.happens) return "guard" + where;
    if (!expected.happens) continue;
    if (actual.index != expected.index) return "index" + where;
    const double scale = 1 + std::abs(expected.value);
    if (std::abs(actual.value - expected.value) > 1e-5 * scale) return "value" + where;
  }
  return "";
}

std::string difference(const std::string& text, const ir::Program& program) {
  std::vector<NestEvent> tvm = events_of_tvm_nest(text), ours = events_of(program);
  std::erase_if(tvm, [&](const NestEvent& e) { return !e.is_store && is_param(program, e.tensor); });
  leave_out_thread_combination(tvm, ours);
  std::mt19937 random(3);
  for (std::size_t i = 0; i < std::min(tvm.size(), ours.size()); ++i) {
    if (describe(ours[i]) != describe(tvm[i])) {
      return fmt::format("\n{}, which TVM has as\n{}", describe(ours[i]), describe(tvm[i]));
    }
    const std::string found = tvm[i].is_store ? difference(tvm[i], ours[i], random) : "";
    if (!found.empty()) return found;
  }
  return ours.size() == tvm.size() ? "" : "another number of statements";
}

TEST(nest_oracle, LoopsAllocationsAndStoresAreTvms) {
  HONE_REQUIRE_FILE(oracle_file());
  int wrong = 0, count = 0;
  for_each_oracle_entry([&](const OracleEntry& entry) {
    for (const OracleProgram& made : entry.programs) {
      schedule::State state = schedule::replay(entry.task, made.steps);
      schedule::infer_bounds(state);
      const ir::Program program = nest(state);
      ir::check_valid(program);
      ++count;
      const std::string found = difference(made.nest, program);
      if (found.empty() || ++wrong > 5) continue;  // five show enough of what is wrong
      ADD_FAILURE() << found << "\n"
                    << entry.name << ' ' << entry.target << ' ' << to_json(made.steps) << "\n"
                    << ir::print(program) << "\n"
                    << made.nest;
    }
  });
  EXPECT_GT(count, 0);
  EXPECT_EQ(wrong, 0);
}

}  // namespace
}  // namespace hone::lower
