// Primitives back to Ansor's steps.
#include <fmt/format.h>

#include <array>
#include <limits>

#include "feature/primitive.h"
#include "feature/signature.h"

namespace hone::feature {
namespace {

using Role = Argument::Role;
using schedule::Step;

constexpr std::array<Signature, kPrimitiveKinds> kSignatures = {{
    {"?", 0, ""},       // Unknown
    {"sin", 0, ""},     // Annotate
    {"s", 'i', ""},     // Fuse
    {"siw", 'n', ""},   // Pragma: the number that its word may have
    {"s", 'i', ""},     // Reorder
    {"sin", 'n', "n"},  // Split
    {"sitn", 0, ""},    // FollowSplit
    {"si", 't', "nn"},  // FollowFusedSplit
    {"sinn", 0, ""},    // StorageAlign
    {"ssi", 0, ""},     // ComputeAt
    {"s", 0, ""},       // ComputeInline
    {"s", 0, ""},       // ComputeRoot
    {"sw", 's', ""},    // CacheRead
    {"sw", 0, ""},      // CacheWrite
    {"sii", 0, ""},     // Rfactor
    {"sisn", 0, ""},    // Prefetch
    {"?", 0, ""},       // Choose
}};

// The arguments of one step, known to have the roles of its kind.
struct Reader {
  std::span<const Argument> arguments;
  const Words& words;

  std::int64_t number(std::size_t i) const { return arguments[i].value; }
  int id(std::size_t i) const { return static_cast<int>(arguments[i].value); }
  std::size_t size() const { return arguments.size(); }
  std::vector<int> ids(std::size_t begin, std::size_t end) const {
    std::vector<int> list;
    for (std::size_t i = begin; i < end; ++i) list.push_back(id(i));
    return list;
  }
  std::string word(std::size_t i) const { return std::string(words.word(number(i))); }
  // Zero stands for an extent that is not known.
  std::optional<std::int64_t> extent(std::size_t i) const {
    return number(i) == 0 ? std::nullopt : std::optional(number(i));
  }
};

bool has_roles(const Primitive& primitive, const Words& words) {
  const Signature& signature = signature_of(primitive.kind);
  const auto& arguments = primitive.arguments;
  if (!signature.fits(arguments.size())) return false;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const auto& [role, value] = arguments[i];
    if (role != role_of(signature.letter(i, arguments.size()))) return false;
    if (role == Role::Word && words.word(value).empty()) return false;
    if (role != Role::Number && (value < 0 || value > std::numeric_limits<int>::max())) return false;
  }
  return true;
}

Step read_split(const Reader& from) {
  schedule::Split split{from.id(0), from.id(1), from.extent(2), {}, from.number(from.size() - 1) != 0};
  for (std::size_t i = 3; i + 1 < from.size(); ++i) split.lengths.push_back(from.extent(i));
  return split;
}

std::string read_pragma(const Reader& from) {
  return from.size() == 3 ? from.word(2) : fmt::format("{}${}", from.word(2), from.number(3));
}

Step read_step(PrimitiveKind kind, const Reader& from) {
  const std::size_t n = from.size();
  switch (kind) {
    case PrimitiveKind::Annotate:
      return schedule::Annotate{from.id(0), from.id(1), static_cast<ir::LoopKind>(from.id(2))};
    case PrimitiveKind::Fuse:
      return schedule::Fuse{from.id(0), from.ids(1, n)};
    case PrimitiveKind::Pragma:
      return schedule::Pragma{from.id(0), from.id(1), read_pragma(from)};
    case PrimitiveKind::Reorder:
      return schedule::Reorder{from.id(0), from.ids(1, n)};
    case PrimitiveKind::Split:
      return read_split(from);
    case PrimitiveKind::FollowSplit:
      return schedule::FollowSplit{from.id(0), from.id(1), from.id(2), from.id(3)};
    case PrimitiveKind::FollowFusedSplit:
      return schedule::FollowFusedSplit{from.id(0), from.id(1), from.ids(2, n - 2), from.id(n - 2),
                                        from.number(n - 1) != 0};
    case PrimitiveKind::StorageAlign:
      return schedule::StorageAlign{from.id(0), from.id(1), from.id(2), from.id(3)};
    case PrimitiveKind::ComputeAt:
      return schedule::ComputeAt{from.id(0), from.id(1), from.id(2)};
    case PrimitiveKind::ComputeInline:
      return schedule::ComputeInline{from.id(0)};
    case PrimitiveKind::ComputeRoot:
      return schedule::ComputeRoot{from.id(0)};
    case PrimitiveKind::CacheRead:
      return schedule::CacheRead{from.id(0), from.word(1), from.ids(2, n)};
    case PrimitiveKind::CacheWrite:
      return schedule::CacheWrite{from.id(0), from.word(1)};
    case PrimitiveKind::Rfactor:
      return schedule::Rfactor{from.id(0), from.id(1), from.id(2)};
    default:
      return schedule::Prefetch{from.id(0), from.id(1), from.id(2), from.id(3)};
  }
}

}  // namespace

bool Signature::fits(std::size_t count) const {
  const std::size_t least = before.size() + after.size();
  return before != "?" && (repeated == 0 ? count == least : count >= least);
}

char Signature::letter(std::size_t i, std::size_t count) const {
  if (i < before.size()) return before[i];
  return i + after.size() < count ? repeated : after[i + after.size() - count];
}

const Signature& signature_of(PrimitiveKind kind) {
  return kSignatures[static_cast<std::size_t>(kind)];
}

Argument::Role role_of(char letter) {
  constexpr std::string_view kLetters = "sitnw";  // as Argument::Role
  return static_cast<Role>(kLetters.find(letter));
}

std::optional<schedule::Steps> to_steps(std::span<const Primitive> primitives, const Words& words) {
  schedule::Steps steps;
  steps.reserve(primitives.size());
  for (const Primitive& primitive : primitives) {
    if (!has_roles(primitive, words)) return {};
    steps.push_back(read_step(primitive.kind, {primitive.arguments, words}));
  }
  return steps;
}

}  // namespace hone::feature
