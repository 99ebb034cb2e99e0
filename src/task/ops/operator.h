// What an operator of the catalogue is: its keys as data, and how to write its task down.
#pragma once
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "task/ops/draft.h"

namespace hone::task::ops {

struct Key {
  std::string name;
  std::string fallback;  // a value or, of a number, the key whose value it takes; empty: must be given
  std::string meaning;
  std::int64_t least = 1;               // of a number
  std::vector<std::string> words = {};  // when not empty, the value is one of these
};

// The values of one call, checked against the keys. `operator[]` and `word` follow fallbacks, and
// throw UserError when a value is missing.
class Arguments;

// What the tails need to know of an operator's last tensor: which of its dimensions are channels.
using ChannelDims = std::vector<std::size_t>;

struct Operator {
  std::string name;
  std::string meaning;
  std::vector<Key> keys;
  std::string example;
  ChannelDims (*write)(Draft&, const Arguments&);
  bool takes_tails = true;

  const Key* find(std::string_view key) const;
};

class Arguments {
 public:
  // Reads "key=value,..."; throws UserError on what the operator does not know.
  Arguments(const Operator& op, std::string_view text);

  std::int64_t operator[](std::string_view key) const;
  const std::string& word(std::string_view key) const;
  ir::Type type() const;
  const std::string& operator_name() const { return op_.name; }

 private:
  void read(std::string_view assignment);

  const Operator& op_;
  std::map<std::string, std::string, std::less<>> given_;
};

// The key `type` for operators of these element types; the first is the default.
Key float_types();
Key number_types();

// The families of operators, one file each.
std::vector<Operator> matmul_operators();
std::vector<Operator> conv_operators();
std::vector<Operator> transposed_conv_operators();
std::vector<Operator> winograd_operators();
std::vector<Operator> pool_operators();
std::vector<Operator> reduction_operators();
std::vector<Operator> elementwise_operators();

}  // namespace hone::task::ops
