#include "feature/tlp_rows.h"

#include <algorithm>
#include <array>

#include "base/parallel.h"
#include "feature/primitive.h"
#include "feature/signature.h"
#include "feature/step_arguments.h"

namespace hone::feature {
namespace {

using enum PrimitiveKind;

// The place of each word is its number, the first one stands for all others.
struct Vocabulary {
  std::array<PrimitiveKind, kTlpKinds> kinds;  // by flag
  std::array<std::string_view, 6> pragmas;
  std::array<std::string_view, 4> read_scopes, write_scopes;
  std::array<std::int8_t, kPrimitiveKinds> flags{};  // by kind; -1 for those that it lacks

  constexpr Vocabulary(const std::array<PrimitiveKind, kTlpKinds>& kinds_in_order,
                       const std::array<std::string_view, 6>& pragmas_in_order)
      : kinds(kinds_in_order),
        pragmas(pragmas_in_order),
        read_scopes{"", "shared"},
        write_scopes{"", "local", "shared", "global"} {
    flags.fill(-1);
    for (std::size_t i = 0; i < kinds.size(); ++i)
      flags[static_cast<std::size_t>(kinds[i])] = static_cast<std::int8_t>(i);
  }

  std::span<const std::string_view> words(PrimitiveKind kind) const {
    if (kind == Pragma) return pragmas;
    return kind == CacheRead ? read_scopes : write_scopes;
  }
};

constexpr Vocabulary kCpu({ComputeInline, Reorder, Annotate, Rfactor, CacheWrite, Split, ComputeRoot,
                           ComputeAt, Fuse, FollowSplit, Pragma},
                          {"", "auto_unroll_max_step$16", "auto_unroll_max_step$0",
                           "auto_unroll_max_step$512", "auto_unroll_max_step$64", ""});
constexpr Vocabulary kGpu({Annotate, CacheRead, CacheWrite, ComputeInline, ComputeAt, FollowFusedSplit,
                           Split, Fuse, Reorder, Pragma, FollowSplit},
                          {"", "auto_unroll_max_step$0", "auto_unroll_max_step$16",
                           "auto_unroll_max_step$64", "auto_unroll_max_step$1024",
                           "auto_unroll_max_step$512"});

const Vocabulary& vocabulary_of(const TlpFormat& format) {
  return format.vocabulary == space::Hardware::Kind::Gpu ? kGpu : kCpu;
}

int number_of(std::string_view word, std::span<const std::string_view> words) {
  for (std::size_t i = 1; i < words.size(); ++i) {
    if (words[i] == word) return static_cast<int>(i);
  }
  return 0;
}

// Writes arguments until the row is full.
struct RowWriter {
  float* at;
  float* end;
  std::span<const std::string_view> words;

  void number(std::int64_t value) {
    if (at != end) *at++ = static_cast<float>(value);
  }
  void stage(int id) { number(id); }
  void iterator(int id) { number(id); }
  void step(int id) { number(id); }
  void text(std::string_view word) { number(number_of(word, words)); }
};

// How many arguments a row has before the zeros that pad it. Lists end with what is not zero, but for
// two: an order has iterator 0 somewhere, and loops that are fused with nothing may be loop 0 alone.
std::size_t argument_count(PrimitiveKind kind, std::span<const float> arguments) {
  const Signature& signature = signature_of(kind);
  const std::size_t least = signature.before.size() + signature.after.size();
  if (signature.repeated == 0 || kind == Pragma) return least;
  std::size_t count = arguments.size();
  while (count > least && arguments[count - 1] == 0) --count;
  const auto list = arguments.first(count).subspan(least);
  const bool has_zero = std::ranges::find(list, 0.F) != list.end();
  if ((kind == Reorder && !has_zero) || (kind == Fuse && list.empty())) ++count;
  return count;
}

// One row without its padding; empty when its kind or word is not in the vocabulary.
std::optional<Primitive> primitive_of(std::span<const float> row, const Vocabulary& vocabulary,
                                      Words& words) {
  const auto flags = row.first(kTlpKinds), arguments = row.subspan(kTlpKinds);
  const auto flag = std::ranges::find(flags, 1.F);
  if (flag == flags.end()) return {};
  Primitive primitive{vocabulary.kinds[static_cast<std::size_t>(flag - flags.begin())], {}};
  const std::size_t count = argument_count(primitive.kind, arguments);
  if (count > arguments.size()) return {};
  for (std::size_t i = 0; i < count; ++i) {
    const auto role = role_of(signature_of(primitive.kind).letter(i, count));
    auto value = static_cast<std::int64_t>(arguments[i]);
    if (role == Argument::Role::Word) {
      const auto known = vocabulary.words(primitive.kind);
      if (value < 1 || value >= static_cast<std::int64_t>(known.size())) return {};
      value = words.number(known[static_cast<std::size_t>(value)]);
    }
    primitive.arguments.push_back({role, value});
  }
  return primitive;
}

}  // namespace

TlpFormat tlp_cropped(space::Hardware::Kind vocabulary) {
  const bool is_gpu = vocabulary == space::Hardware::Kind::Gpu;
  return {vocabulary, is_gpu ? 40 : 25, is_gpu ? 20 : 22};
}

TlpFormat tlp_whole(space::Hardware::Kind vocabulary) {
  const bool is_gpu = vocabulary == space::Hardware::Kind::Gpu;
  return {vocabulary, is_gpu ? 69 : 54, is_gpu ? 49 : 40};
}

void tlp_rows(std::span<const schedule::Step> steps, const TlpFormat& format, float* to) {
  const Vocabulary& vocabulary = vocabulary_of(format);
  std::fill_n(to, format.size(), 0.F);
  for (const schedule::Step& step : steps.first(std::min<std::size_t>(steps.size(), format.steps))) {
    const PrimitiveKind kind = kind_of(step);
    const int flag = vocabulary.flags[static_cast<std::size_t>(kind)];
    if (flag >= 0) to[flag] = 1;
    visit_arguments(step, RowWriter{to + kTlpKinds, to + format.width, vocabulary.words(kind)});
    to += format.width;
  }
}

void tlp_rows(std::span<const schedule::Steps> programs, const TlpFormat& format, int threads,
              float* to) {
  constexpr std::size_t kBlock = 256;  // programs that one thread takes at a time
  parallel_for((programs.size() + kBlock - 1) / kBlock, threads, [&](std::size_t block) {
    const std::size_t begin = block * kBlock;
    for (std::size_t i = begin; i < std::min(begin + kBlock, programs.size()); ++i)
      tlp_rows(programs[i], format, to + i * format.size());
  });
}

std::optional<schedule::Steps> steps_of_tlp_rows(std::span<const float> rows, const TlpFormat& format) {
  const auto width = static_cast<std::size_t>(format.width);
  Words words;
  Primitives primitives;
  for (; rows.size() >= width; rows = rows.subspan(width)) {
    if (std::ranges::all_of(rows, [](float value) { return value == 0; })) break;
    std::optional<Primitive> primitive = primitive_of(rows.first(width), vocabulary_of(format), words);
    if (!primitive) return {};
    primitives.push_back(std::move(*primitive));
  }
  return to_steps(primitives, words);
}

}  // namespace hone::feature
