#include "task/ops/operator.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "base/error.h"
#include "base/nearest.h"

namespace hone::task::ops {
namespace {

// Products of two numbers stay within 64 bits; the sizes of whole tensors are the draft's to judge.
constexpr std::int64_t kMostOfAnything = std::int64_t{1} << 30;

struct TypeWord {
  std::string_view word;
  ir::Scalar scalar;
};
constexpr TypeWord kTypes[] = {
    {"f32", ir::Scalar::F32}, {"f16", ir::Scalar::F16}, {"bf16", ir::Scalar::BF16},
    {"f64", ir::Scalar::F64}, {"i8", ir::Scalar::I8},   {"i16", ir::Scalar::I16},
    {"i32", ir::Scalar::I32}, {"i64", ir::Scalar::I64}, {"u8", ir::Scalar::U8},
    {"u16", ir::Scalar::U16}, {"u32", ir::Scalar::U32}, {"u64", ir::Scalar::U64},
};

Key type_key(bool integers) {
  Key key{.name = "type", .fallback = "f32", .meaning = "element type"};
  for (const TypeWord& type : kTypes) {
    if (integers || ir::is_float(type.scalar)) key.words.emplace_back(type.word);
  }
  return key;
}

std::vector<std::string> names_of(const std::vector<Key>& keys) {
  std::vector<std::string> names;
  for (const Key& key : keys) names.push_back(key.name);
  return names;
}

std::optional<std::int64_t> parse_number(std::string_view text) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

void check_value(const std::string& op, const Key& key, std::string_view value) {
  if (!key.words.empty()) {
    if (std::find(key.words.begin(), key.words.end(), value) != key.words.end()) return;
    throw UserError(fmt::format("{}: {} cannot be '{}'", op, key.name, value),
                    did_you_mean(value, key.words));
  }
  const auto number = parse_number(value);
  if (number && *number >= key.least && *number <= kMostOfAnything) return;
  throw UserError(fmt::format("{}: {} ({}) cannot be '{}'", op, key.name, key.meaning, value),
                  fmt::format("a whole number from {} to {}", key.least, kMostOfAnything));
}

}  // namespace

Key float_types() { return type_key(false); }
Key number_types() { return type_key(true); }

const Key* Operator::find(std::string_view key) const {
  const auto found =
      std::find_if(keys.begin(), keys.end(), [&](const Key& k) { return k.name == key; });
  return found == keys.end() ? nullptr : &*found;
}

Arguments::Arguments(const Operator& op, std::string_view text) : op_(op) {
  while (!text.empty()) {
    const std::size_t comma = text.find(',');
    read(text.substr(0, comma));
    if (comma == std::string_view::npos) return;
    text.remove_prefix(comma + 1);
    if (text.empty()) throw UserError(fmt::format("{}: nothing follows the last comma", op.name));
  }
}

void Arguments::read(std::string_view assignment) {
  const std::size_t equals = assignment.find('=');
  const std::string_view name = assignment.substr(0, equals);
  const Key* key = op_.find(name);
  if (key == nullptr) {
    throw UserError(fmt::format("{} has no key '{}'", op_.name, name),
                    did_you_mean(name, names_of(op_.keys)));
  }
  if (equals == std::string_view::npos) {
    throw UserError(fmt::format("{}: {} has no value", op_.name, name),
                    fmt::format("write {}=VALUE ({})", name, key->meaning));
  }
  const std::string_view value = assignment.substr(equals + 1);
  check_value(op_.name, *key, value);
  if (!given_.emplace(name, value).second) {
    throw UserError(fmt::format("{}: {} is given twice", op_.name, name));
  }
}

const std::string& Arguments::word(std::string_view name) const {
  const Key* key = op_.find(name);
  check(key != nullptr, "an operator asks for its own keys");
  if (const auto found = given_.find(name); found != given_.end()) return found->second;
  if (key->fallback.empty()) {
    throw UserError(fmt::format("{} needs {} ({})", op_.name, key->name, key->meaning),
                    fmt::format("for example {}", op_.example));
  }
  const bool is_shared = key->words.empty() && op_.find(key->fallback) != nullptr;
  return is_shared ? word(key->fallback) : key->fallback;
}

std::int64_t Arguments::operator[](std::string_view name) const {
  const auto number = parse_number(word(name));
  check(number.has_value(), "values and fallbacks of a number key are numbers");
  return *number;
}

ir::Type Arguments::type() const {
  const std::string& name = word("type");
  for (const TypeWord& type : kTypes) {
    if (type.word == name) return {type.scalar, 1};
  }
  fail("the words of the key type are those of the table");
}

}  // namespace hone::task::ops
