#include "feature/primitive.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>

#include "feature/step_arguments.h"

namespace hone::feature {
namespace {

using schedule::Knob;
using schedule::KnobKind;
using Role = Argument::Role;

constexpr std::array<std::string_view, kPrimitiveKinds> kKindNames = {
    "unknown",      "annotate",    "fuse",    "pragma",     "reorder", "split",
    "follow_split", "fused_split", "align",   "compute_at", "inline",  "root",
    "cache_read",   "cache_write", "rfactor", "prefetch",   "choose"};

// Of the steps first, then of AutoTVM's templates. Their numbers stand in files: only append.
constexpr auto kKnownWords = std::to_array<std::string_view>({"",
                                                              "auto_unroll_max_step",
                                                              "debug_skip_region",
                                                              "local",
                                                              "shared",
                                                              "global",
                                                              "warp",
                                                              "none",
                                                              "None",
                                                              "unroll",
                                                              "vec",
                                                              "tile_f",
                                                              "tile_y",
                                                              "tile_x",
                                                              "tile_rc",
                                                              "tile_ry",
                                                              "tile_rx",
                                                              "tile_k",
                                                              "tile_n",
                                                              "tile_c",
                                                              "tile_oc",
                                                              "tile_ic",
                                                              "tile_ow",
                                                              "tile_oh",
                                                              "reorder_0",
                                                              "ann_reduce",
                                                              "ann_spatial",
                                                              "unroll_explicit",
                                                              "unroll_kw",
                                                              "block_row_warps",
                                                              "block_col_warps",
                                                              "warp_row_tiles",
                                                              "warp_col_tiles",
                                                              "chunk",
                                                              "offset",
                                                              "offsetCS",
                                                              "wmma_m"});

// "auto_unroll_max_step$64" is a word and a number: programs that unroll otherwise are near each other.
struct Pragma {
  std::string_view word;
  std::optional<std::int64_t> number;
};

Pragma parsed_pragma(std::string_view text) {
  const std::size_t mark = text.find('$');
  if (mark == std::string_view::npos) return {text, {}};
  const std::string_view digits = text.substr(mark + 1);
  std::int64_t value = 0;
  const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  // Only what is printed the same way again may be taken apart.
  if (read.ec != std::errc() || fmt::format("{}", value) != digits) return {text, {}};
  return {text.substr(0, mark), value};
}

struct Collector {
  Primitive& to;
  Words& words;

  void stage(int id) { to.arguments.push_back({Role::Stage, id}); }
  void iterator(int id) { to.arguments.push_back({Role::Iterator, id}); }
  void step(int id) { to.arguments.push_back({Role::Step, id}); }
  void number(std::int64_t value) { to.arguments.push_back({Role::Number, value}); }
  void word(std::string_view text) { to.arguments.push_back({Role::Word, words.number(text)}); }
  void text(std::string_view text) {
    const Pragma pragma = parsed_pragma(text);
    word(pragma.word);
    if (pragma.number) number(*pragma.number);
  }
};

PrimitiveKind kind_of(KnobKind kind) {
  switch (kind) {
    case KnobKind::Split:
      return PrimitiveKind::Split;
    case KnobKind::Reorder:
      return PrimitiveKind::Reorder;
    case KnobKind::Annotate:
      return PrimitiveKind::Annotate;
    default:
      return PrimitiveKind::Choose;
  }
}

// Which of the knobs that choose has a value of this role.
std::optional<KnobKind> choice_of(Role role) {
  switch (role) {
    case Role::Number:
      return KnobKind::Number;
    case Role::Flag:
      return KnobKind::Flag;
    case Role::Word:
      return KnobKind::Word;
    case Role::Text:
      return KnobKind::Other;
    default:
      return {};
  }
}
Role role_of(KnobKind kind, bool is_word) {
  if (kind == KnobKind::Flag) return Role::Flag;
  if (kind == KnobKind::Other) return Role::Text;
  return is_word ? Role::Word : Role::Number;
}

std::optional<KnobKind> knob_kind(const Primitive& primitive) {
  for (const KnobKind kind : {KnobKind::Split, KnobKind::Reorder, KnobKind::Annotate}) {
    if (kind_of(kind) == primitive.kind) return kind;
  }
  if (primitive.kind != PrimitiveKind::Choose || primitive.arguments.size() != 2) return {};
  return choice_of(primitive.arguments[1].role);
}

std::optional<Knob> to_knob(const Primitive& primitive, const Words& words) {
  const auto& arguments = primitive.arguments;
  const std::optional<KnobKind> kind = knob_kind(primitive);
  if (!kind || arguments.empty() || arguments[0].role != Role::Word) return {};
  Knob knob{std::string(words.word(arguments[0].value)), *kind, {}, {}};
  if (knob.name.empty()) return {};
  for (const auto& [role, value] : std::span(arguments).subspan(1)) {
    if (role != role_of(*kind, role == Role::Word)) return {};
    if (role == Role::Word || role == Role::Text) {
      knob.words.emplace_back(words.word(value));
      if (knob.words.back().empty()) return {};
    } else {
      knob.numbers.push_back(value);
    }
  }
  return knob;
}

}  // namespace

std::string_view to_string(PrimitiveKind kind) { return kKindNames[static_cast<std::size_t>(kind)]; }

Words::Words(Growth growth) : growth_(growth), words_(kKnownWords.begin(), kKnownWords.end()) {}

int Words::number(std::string_view word) {
  const auto found = std::ranges::find(words_, word);
  if (found != words_.end()) return static_cast<int>(found - words_.begin());
  if (growth_ == Growth::Closed) return 0;
  words_.emplace_back(word);
  return static_cast<int>(words_.size()) - 1;
}

std::string_view Words::word(std::int64_t number) const {
  return number < 0 || number >= static_cast<std::int64_t>(words_.size())
             ? std::string_view()
             : words_[static_cast<std::size_t>(number)];
}

Primitives from_steps(std::span<const schedule::Step> steps, Words& words) {
  Primitives primitives;
  primitives.reserve(steps.size());
  for (const schedule::Step& step : steps) {
    Primitive& primitive = primitives.emplace_back(Primitive{kind_of(step), {}});
    visit_arguments(step, Collector{primitive, words});
  }
  return primitives;
}

Primitives from_knobs(std::span<const Knob> knobs, Words& words) {
  Primitives primitives;
  for (const Knob& knob : knobs) {
    auto& arguments = primitives.emplace_back(Primitive{kind_of(knob.kind), {}}).arguments;
    arguments.push_back({Role::Word, words.number(knob.name)});
    for (const std::int64_t number : knob.numbers)
      arguments.push_back({role_of(knob.kind, false), number});
    for (const std::string& word : knob.words)
      arguments.push_back({role_of(knob.kind, true), words.number(word)});
  }
  return primitives;
}

std::optional<schedule::Knobs> to_knobs(std::span<const Primitive> primitives, const Words& words) {
  schedule::Knobs knobs;
  for (const Primitive& primitive : primitives) {
    std::optional<Knob> knob = to_knob(primitive, words);
    if (!knob) return {};
    knobs.push_back(std::move(*knob));
  }
  return knobs;
}

std::string print(std::span<const Primitive> primitives, const Words& words) {
  std::string out;
  for (const Primitive& primitive : primitives) {
    out += to_string(primitive.kind);
    for (const Argument& argument : primitive.arguments) {
      const char* const marks[] = {" s", " i", " @", " ", " ", " ?", " "};  // as Argument::Role
      out += marks[static_cast<std::size_t>(argument.role)];
      const bool is_word = argument.role == Role::Word || argument.role == Role::Text;
      out +=
          is_word ? fmt::format("'{}'", words.word(argument.value)) : fmt::format("{}", argument.value);
    }
    out += '\n';
  }
  return out;
}

}  // namespace hone::feature
