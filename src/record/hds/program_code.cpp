#include "record/hds/program_code.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>

#include "base/match.h"
#include "record/hds/varint.h"

namespace hone::record::hds {
namespace {

using namespace schedule;  // NOLINT(google-build-using-namespace): all of the step language

constexpr std::uint64_t kMaxInt = std::numeric_limits<int>::max();
constexpr std::uint64_t kMaxLength = 1'000'000'000;  // of a loop; step_json.h has the limit
constexpr std::uint64_t kMaxList = 4096;

// The first byte of a step: its kind below, its stage above, or 15 when a number follows with the rest.
constexpr int kKindBits = 4;
constexpr std::uint64_t kFarStage = 15;
static_assert(std::variant_size_v<Step> <= 1 << kKindBits);

// Words that occur in every program take one number. 0 says that the text follows, the number after the
// last word stands for automatic unrolling up to 0 steps, the next up to 1, and so on.
constexpr std::array<std::string_view, 3> kWords = {"local", "shared", "global"};
constexpr std::string_view kUnroll = "auto_unroll_max_step$";
constexpr std::uint64_t kFirstUnroll = kWords.size() + 1;

void append_word(std::string& out, const std::string& word) {
  for (std::size_t i = 0; i < kWords.size(); ++i) {
    if (word == kWords[i]) return append_varint(out, i + 1);
  }
  if (word.starts_with(kUnroll)) {
    std::uint32_t steps = 0;
    std::from_chars(word.data() + kUnroll.size(), word.data() + word.size(), steps);
    if (std::string(kUnroll) + std::to_string(steps) == word)
      return append_varint(out, kFirstUnroll + steps);
  }
  append_varint(out, 0);
  append_text(out, word);
}

std::string word(CodeReader& code) {
  const std::uint64_t which = code.varint();
  if (which == 0) return std::string(code.text());
  if (which < kFirstUnroll) return std::string(kWords[which - 1]);
  return std::string(kUnroll) + std::to_string(which - kFirstUnroll);
}

void put(std::string& out, int value) { append_varint(out, static_cast<std::uint64_t>(value)); }
void put(std::string& out, bool value) { append_varint(out, value ? 1 : 0); }
void put(std::string& out, const std::string& text) { append_word(out, text); }
void put(std::string& out, std::optional<std::int64_t> extent) {
  append_varint(out, static_cast<std::uint64_t>(extent.value_or(0)));
}
template <class Item>
void put(std::string& out, const std::vector<Item>& items) {
  append_varint(out, items.size());
  for (const Item& item : items) put(out, item);
}

void append_step(std::string& out, const Step& step) {
  const auto stage = static_cast<std::uint64_t>(stage_of(step));
  out += static_cast<char>(step.index() | std::min(stage, kFarStage) << kKindBits);
  if (stage >= kFarStage) append_varint(out, stage - kFarStage);
  const auto fields = [&](const auto&... values) { (put(out, values), ...); };
  match(
      step, [&](const Annotate& s) { fields(s.iter, static_cast<int>(s.annotation)); },
      [&](const Fuse& s) { fields(s.iters); }, [&](const Pragma& s) { fields(s.iter, s.text); },
      [&](const Reorder& s) { fields(s.order); },
      [&](const Split& s) { fields(s.iter, s.extent, s.lengths, s.inner_to_outer); },
      [&](const FollowSplit& s) { fields(s.iter, s.source_step, s.n_split); },
      [&](const FollowFusedSplit& s) { fields(s.iter, s.source_steps, s.level, s.factor); },
      [&](const StorageAlign& s) { fields(s.iter, s.factor, s.offset); },
      [&](const ComputeAt& s) { fields(s.target_stage, s.target_iter); }, [](const ComputeInline&) {},
      [](const ComputeRoot&) {}, [&](const CacheRead& s) { fields(s.scope, s.readers); },
      [&](const CacheWrite& s) { fields(s.scope); },
      [&](const Rfactor& s) { fields(s.iter, s.factor_iter); },
      [&](const Prefetch& s) { fields(s.iter, s.operand, s.iterations); });
}

int number(CodeReader& code) { return static_cast<int>(code.up_to(kMaxInt)); }
bool flag(CodeReader& code) { return code.up_to(1) != 0; }
std::optional<std::int64_t> length(CodeReader& code) {
  const std::uint64_t value = code.up_to(kMaxLength);
  return value == 0 ? std::nullopt : std::optional(static_cast<std::int64_t>(value));
}
template <class Item>
std::vector<Item> list(CodeReader& code, Item (*item)(CodeReader&)) {
  std::vector<Item> items(code.up_to(kMaxList));
  for (Item& each : items) each = item(code);
  return items;
}

using ReadStep = Step (*)(CodeReader&, int stage);

// In the order of Step's alternatives. Braces evaluate their entries left to right.
constexpr std::array<ReadStep, std::variant_size_v<Step>> kReaders = {
    [](CodeReader& code, int stage) -> Step {
      const int iter = number(code);
      const auto last = static_cast<std::uint64_t>(ir::LoopKind::Tensorized);
      return Annotate{stage, iter, static_cast<ir::LoopKind>(code.up_to(last))};
    },
    [](CodeReader& code, int stage) -> Step { return Fuse{stage, list(code, number)}; },
    [](CodeReader& code, int stage) -> Step { return Pragma{stage, number(code), word(code)}; },
    [](CodeReader& code, int stage) -> Step { return Reorder{stage, list(code, number)}; },
    [](CodeReader& code, int stage) -> Step {
      return Split{stage, number(code), length(code), list(code, length), flag(code)};
    },
    [](CodeReader& code, int stage) -> Step {
      return FollowSplit{stage, number(code), number(code), number(code)};
    },
    [](CodeReader& code, int stage) -> Step {
      return FollowFusedSplit{stage, number(code), list(code, number), number(code), flag(code)};
    },
    [](CodeReader& code, int stage) -> Step {
      return StorageAlign{stage, number(code), number(code), number(code)};
    },
    [](CodeReader& code, int stage) -> Step { return ComputeAt{stage, number(code), number(code)}; },
    [](CodeReader&, int stage) -> Step { return ComputeInline{stage}; },
    [](CodeReader&, int stage) -> Step { return ComputeRoot{stage}; },
    [](CodeReader& code, int stage) -> Step {
      return CacheRead{stage, word(code), list(code, number)};
    },
    [](CodeReader& code, int stage) -> Step { return CacheWrite{stage, word(code)}; },
    [](CodeReader& code, int stage) -> Step { return Rfactor{stage, number(code), number(code)}; },
    [](CodeReader& code, int stage) -> Step {
      return Prefetch{stage, number(code), number(code), number(code)};
    },
};

Step read_step(CodeReader& code) {
  const std::uint8_t first = code.byte();
  const std::size_t kind = first & ((1 << kKindBits) - 1);
  std::uint64_t stage = first >> kKindBits;
  if (stage == kFarStage) stage += code.up_to(kMaxInt - kFarStage);
  if (kind >= kReaders.size()) CodeReader::fail();
  return kReaders[kind](code, static_cast<int>(stage));
}

}  // namespace

void append_code(std::string& out, const Steps& steps) {
  for (const Step& step : steps) append_step(out, step);
}

Steps steps_from_code(std::string_view bytes) {
  Steps steps;
  for (CodeReader code(bytes); !code.at_end();) steps.push_back(read_step(code));
  return steps;
}

void append_code(std::string& out, const KnobProgram& program) {
  append_signed(out, program.index);
  append_text(out, program.code_hash);
  for (const Knob& knob : program.knobs) {
    append_text(out, knob.name);
    out += static_cast<char>(knob.kind);
    append_varint(out, knob.numbers.size());
    for (const std::int64_t each : knob.numbers) append_signed(out, each);
    append_varint(out, knob.words.size());
    for (const std::string& each : knob.words) append_text(out, each);
  }
}

KnobProgram knobs_from_code(std::string_view bytes) {
  CodeReader code(bytes);
  KnobProgram program;
  program.index = code.signed_number();
  program.code_hash = code.text();
  while (!code.at_end()) {
    Knob& knob = program.knobs.emplace_back();
    knob.name = code.text();
    knob.kind = static_cast<KnobKind>(code.up_to(static_cast<std::uint64_t>(KnobKind::Other)));
    knob.numbers.resize(code.up_to(kMaxList));
    for (std::int64_t& each : knob.numbers) each = code.signed_number();
    knob.words.resize(code.up_to(kMaxList));
    for (std::string& each : knob.words) each = code.text();
    const bool is_list = knob.kind <= KnobKind::Annotate;
    const std::size_t values = knob.kind <= KnobKind::Flag ? knob.numbers.size() : knob.words.size();
    if (!is_list && values != 1) CodeReader::fail();
  }
  return program;
}

}  // namespace hone::record::hds
