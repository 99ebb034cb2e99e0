#include "artefact/plan_memory.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

#include "artefact/lifetimes.h"
#include "base/random.h"

namespace hone::artefact {
namespace {

constexpr std::int64_t kElement = 8;

// Programs whose kernels are imagined: element e of every output is a hash of element e of the inputs.
// So a kernel may work in place, and whatever reads memory that another buffer has taken shows.
class RandomProgram {
 public:
  explicit RandomProgram(std::uint64_t seed) : random_(seed, 0) {
    live_.push_back(program_.add_input("x", ir::Scalar::U64, {pick_elements()}));
    const std::int64_t parts = 20 + random_.below(30);
    for (std::int64_t i = 0; i < parts; ++i) {
      const std::int64_t kind = random_.below(10);
      if (kind == 0) {
        add_concatenation();
      } else if (kind == 1) {
        add_loop();
      } else {
        add_call({}, 0);
      }
    }
    const BufferId last = live_.back();
    const BufferId y = program_.add_output("y", ir::Scalar::U64, {elements(last)});
    program_.steps.push_back({"", KernelCall{0, {{last}}, {{y}}}});
  }
  Program take() { return std::move(program_); }

 private:
  std::int64_t pick_elements() { return (1 + random_.below(100)) * (1 + random_.below(20)); }
  std::int64_t elements(BufferId id) const { return program_.buffer(id).size_bytes / kElement; }
  BufferId pick() {  // recent ones more often
    const std::int64_t back = std::min(random_.below(std::ssize(live_)), random_.below(8));
    return live_[live_.size() - 1 - static_cast<std::size_t>(back % std::ssize(live_))];
  }

  BufferId add_call(std::vector<Operand> more, std::int64_t at_least) {
    const BufferId from = pick();
    const std::int64_t size = random_.below(2) == 0 ? elements(from) : pick_elements();
    const BufferId to = program_.add_temporary("t" + std::to_string(program_.buffers.size()),
                                               std::max(size, at_least) * kElement);
    KernelCall call{0, {{from}}, {{to}}};
    if (random_.below(2) == 0) call.inputs.push_back({pick()});
    for (const Operand& operand : more) call.inputs.push_back(operand);
    if (random_.below(2) == 0) call.in_place.push_back({0, 0});
    program_.steps.push_back({"", std::move(call)});
    live_.push_back(to);
    return to;
  }

  // Two kernels write into parts of one buffer, which others then read as a whole.
  void add_concatenation() {
    const std::int64_t first = pick_elements(), second = pick_elements();
    const BufferId whole = program_.add_temporary("c" + std::to_string(program_.buffers.size()),
                                                  (first + second) * kElement);
    const BufferId a = program_.add_view("a", whole, 0, first * kElement);
    const BufferId b = program_.add_view("b", whole, first * kElement, second * kElement);
    program_.steps.push_back({"", KernelCall{0, {{pick()}}, {{a}}, {{0, 0}}}});
    program_.steps.push_back({"", KernelCall{0, {{pick()}}, {{b}}, {{0, 0}}}});
    live_.push_back(whole);
  }

  // A state that each iteration reads and writes, and a stack of slices.
  void add_loop() {
    constexpr std::int64_t kTrips = 3, kWidth = 16;
    const BufferId state = program_.add_temporary("s", kWidth * kElement);
    const BufferId stack = program_.add_temporary("k", kTrips * kWidth * kElement);
    program_.steps.push_back({"", KernelCall{0, {{pick()}}, {{state}}}});
    const std::size_t loop = program_.steps.size();
    program_.steps.push_back({"", Loop{kTrips, 0}});
    const std::size_t outside = live_.size();
    add_call({{state}}, 0);
    const BufferId next = add_call({}, kWidth);
    const Operand slice{stack, 0, kWidth * kElement};
    program_.steps.push_back({"", Copy{{next}, slice, 1, kWidth * kElement}});
    program_.steps.push_back({"", Copy{slice, {state}, 1, kWidth * kElement}});
    // What lives in the body only must not be read behind it.
    live_.resize(outside);
    live_.push_back(stack);
    live_.push_back(state);
    std::get<Loop>(program_.steps[loop].action).steps =
        static_cast<int>(program_.steps.size() - loop - 1);
  }

  Random random_;
  Program program_;
  std::vector<BufferId> live_;
};

// Runs a program with buffers at the given places of one memory.
class Machine {
 public:
  Machine(const Program& program, std::vector<std::int64_t> offsets, std::int64_t bytes)
      : program_(program), offsets_(std::move(offsets)), memory_(static_cast<std::size_t>(bytes)) {}

  std::vector<std::uint64_t> run() {
    for (std::size_t e = 0; e < bytes_of(program_.inputs[0]) / kElement; ++e) {
      put(at({program_.inputs[0]}, 0), e, mix_bits(e + 1));
    }
    for (std::size_t i = 0; i < program_.steps.size(); ++i) {
      const auto* loop = std::get_if<Loop>(&program_.steps[i].action);
      const std::size_t first = loop == nullptr ? i : i + 1;
      const std::size_t last = loop == nullptr ? i : i + static_cast<std::size_t>(loop->steps);
      for (std::int64_t trip = 0; trip < (loop == nullptr ? 1 : loop->trips); ++trip) {
        for (std::size_t k = first; k <= last; ++k) step(program_.steps[k], trip);
      }
      i = last;
    }
    std::vector<std::uint64_t> out;
    const BufferId y = program_.outputs[0];
    for (std::size_t e = 0; e < bytes_of(y) / kElement; ++e) out.push_back(get(at({y}, 0), e));
    return out;
  }

 private:
  std::size_t bytes_of(BufferId id) const {
    return static_cast<std::size_t>(program_.buffer(id).size_bytes);
  }
  std::byte* at(const Operand& operand, std::int64_t trip) {
    return memory_.data() + offsets_[static_cast<std::size_t>(operand.buffer)] + operand.offset_bytes +
           trip * operand.stride_bytes;
  }
  static std::uint64_t get(const std::byte* from, std::size_t e) {
    std::uint64_t value;
    std::memcpy(&value, from + e * sizeof value, sizeof value);
    return value;
  }
  static void put(std::byte* to, std::size_t e, std::uint64_t value) {
    std::memcpy(to + e * sizeof value, &value, sizeof value);
  }

  void step(const Step& step, std::int64_t trip) {
    if (const auto* copy = std::get_if<Copy>(&step.action)) {
      std::memmove(at(copy->to, trip), at(copy->from, trip), static_cast<std::size_t>(copy->row_bytes));
      return;
    }
    const auto& call = std::get<KernelCall>(step.action);
    for (std::size_t e = 0; e < bytes_of(call.outputs[0].buffer) / kElement; ++e) {
      std::uint64_t value = 1;
      for (const Operand& input : call.inputs) {
        const std::size_t n = bytes_of(input.buffer) / kElement;
        // Only elements at the output's place are read, as InPlace promises; others are as if they
        // were zero.
        value = mix_bits(value ^ (e < n ? get(at(input, trip), e) : 0));
      }
      put(at(call.outputs[0], trip), e, value);
    }
  }

  const Program& program_;
  std::vector<std::int64_t> offsets_;
  std::vector<std::byte> memory_;
};

// Every buffer for itself, one behind the other, from `begin` on.
std::int64_t place_apart(const Program& program, bool arena_too, std::int64_t begin,
                         std::vector<std::int64_t>& offsets) {
  offsets.resize(program.buffers.size(), -1);
  for (std::size_t b = 0; b < program.buffers.size(); ++b) {
    const Buffer& buffer = program.buffers[b];
    if (buffer.place == Place::Arena && !arena_too) continue;
    if (buffer.parent >= 0) {
      offsets[b] = offsets[static_cast<std::size_t>(buffer.parent)] + buffer.offset_bytes;
    } else {
      offsets[b] = begin;
      begin += buffer.size_bytes;
    }
  }
  return begin;
}

TEST(PlanMemory, RandomProgramsComputeTheSameInTheArena) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    const Program program = RandomProgram(seed).take();
    std::vector<std::int64_t> apart;
    const std::int64_t all = place_apart(program, true, 0, apart);
    const MemoryPlan plan = plan_memory(program);
    std::vector<std::int64_t> shared = plan.offsets;
    const std::int64_t end = place_apart(program, false, plan.arena_bytes, shared);
    EXPECT_EQ(Machine(program, apart, all).run(), Machine(program, shared, end).run())
        << "seed " << seed << "\n"
        << print(program);
  }
}

TEST(PlanMemory, BuffersThatLiveTogetherLieApart) {
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    Program program = RandomProgram(seed).take();
    for (Step& step : program.steps) {
      if (auto* call = std::get_if<KernelCall>(&step.action)) call->in_place.clear();
    }
    const MemoryPlan plan = plan_memory(program);
    const std::vector<Lifetime> lives = lifetimes(program);
    for (std::size_t a = 0; a < program.buffers.size(); ++a) {
      const std::int64_t begin = plan.offsets[a], end = begin + program.buffers[a].size_bytes;
      if (begin < 0 || program.buffers[a].parent >= 0) continue;
      EXPECT_EQ(begin % 64, 0);
      EXPECT_LE(end, plan.arena_bytes);
      for (std::size_t b = 0; b < a; ++b) {
        if (plan.offsets[b] < 0 || program.buffers[b].parent >= 0 || !lives[a].overlaps(lives[b]))
          continue;
        EXPECT_TRUE(end <= plan.offsets[b] || plan.offsets[b] + program.buffers[b].size_bytes <= begin)
            << program.buffers[a].name << " and " << program.buffers[b].name << ", seed " << seed;
      }
    }
  }
}

TEST(PlanMemory, ComesNearTheMostThatIsAliveAtOnce) {
  double total = 0, worst = 1;
  constexpr int kPrograms = 300;
  for (std::uint64_t seed = 0; seed < kPrograms; ++seed) {
    const MemoryPlan plan = plan_memory(RandomProgram(seed).take());
    ASSERT_GE(plan.arena_bytes, plan.live_bytes);
    const double ratio = static_cast<double>(plan.arena_bytes) / static_cast<double>(plan.live_bytes);
    total += ratio;
    worst = std::max(worst, ratio);
  }
  RecordProperty("mean", std::to_string(total / kPrograms));
  RecordProperty("worst", std::to_string(worst));
  EXPECT_LT(total / kPrograms, 1.03);
  EXPECT_LT(worst, 1.3);
}

TEST(PlanMemory, AChainWorksInTwoBuffersAndInPlaceInOne) {
  Program program;
  const BufferId x = program.add_input("x", ir::Scalar::F32, {256});
  const BufferId y = program.add_output("y", ir::Scalar::F32, {256});
  BufferId last = x;
  for (int i = 0; i < 10; ++i) {
    const BufferId next = program.add_temporary("t" + std::to_string(i), 1024);
    program.steps.push_back({"", KernelCall{0, {{last}}, {{next}}}});
    last = next;
  }
  program.steps.push_back({"", KernelCall{0, {{last}}, {{y}}}});
  EXPECT_EQ(plan_memory(program).arena_bytes, 2048);
  for (Step& step : program.steps) std::get<KernelCall>(step.action).in_place = {{0, 0}};
  EXPECT_EQ(plan_memory(program).arena_bytes, 1024);
}

// The input of the step is read again in the next iteration, though no step behind this one reads it.
TEST(PlanMemory, ALoopKeepsWhatItsNextIterationReads) {
  Program program;
  const BufferId x = program.add_input("x", ir::Scalar::F32, {16});
  const BufferId before = program.add_temporary("before", 64);
  const BufferId inside = program.add_temporary("inside", 64);
  const BufferId y = program.add_output("y", ir::Scalar::F32, {3, 16});
  program.steps.push_back({"", KernelCall{0, {{x}}, {{before}}}});
  program.steps.push_back({"", Loop{3, 2}});
  program.steps.push_back({"", KernelCall{0, {{before}}, {{inside}}, {{0, 0}}}});
  program.steps.push_back({"", Copy{{inside}, {y, 0, 64}, 1, 64}});
  const MemoryPlan plan = plan_memory(program);
  EXPECT_NE(plan.offsets[static_cast<std::size_t>(before)],
            plan.offsets[static_cast<std::size_t>(inside)]);
}

}  // namespace
}  // namespace hone::artefact
