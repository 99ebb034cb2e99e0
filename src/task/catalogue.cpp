#include "task/catalogue.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "base/nearest.h"
#include "task/ops/operator.h"
#include "task/ops/tails.h"

namespace hone::task {
namespace {

using ops::Operator;

// More than any network fuses; it bounds the size of a task.
constexpr std::size_t kMostTails = 16;

const std::vector<Operator>& operators() {
  static const std::vector<Operator> kOperators = [] {
    std::vector<Operator> table;
    for (const auto family :
         {ops::matmul_operators, ops::conv_operators, ops::transposed_conv_operators,
          ops::winograd_operators, ops::pool_operators, ops::reduction_operators,
          ops::elementwise_operators}) {
      for (Operator& op : family()) table.push_back(std::move(op));
    }
    return table;
  }();
  return kOperators;
}

const Operator& find_operator(std::string_view name) {
  const std::vector<Operator>& all = operators();
  const auto found =
      std::find_if(all.begin(), all.end(), [&](const Operator& op) { return op.name == name; });
  if (found != all.end()) return *found;
  std::vector<std::string> names;
  for (const Operator& op : all) names.push_back(op.name);
  throw UserError(fmt::format("there is no operator '{}'", name), did_you_mean(name, names));
}

// "a+b+c" as its parts.
std::vector<std::string_view> split_at_plus(std::string_view text) {
  std::vector<std::string_view> parts;
  for (std::size_t plus; (plus = text.find('+')) != std::string_view::npos;) {
    parts.push_back(text.substr(0, plus));
    text.remove_prefix(plus + 1);
  }
  parts.push_back(text);
  return parts;
}

}  // namespace

Task from_op(std::string_view text) {
  const std::vector<std::string_view> parts = split_at_plus(text);
  const std::string_view call = parts.front();
  const std::size_t colon = std::min(call.find(':'), call.size());
  const Operator& op = find_operator(call.substr(0, colon));
  const ops::Arguments args(op, call.substr(std::min(colon + 1, call.size())));
  const std::size_t n_tails = parts.size() - 1;
  if (n_tails > 0 && !op.takes_tails) throw UserError(fmt::format("{} takes no tails", op.name));
  if (n_tails > kMostTails) {
    throw UserError(fmt::format("{} tails are too many", n_tails),
                    fmt::format("at most {}", kMostTails));
  }
  ops::Draft draft(args.type());
  const ops::ChannelDims channels = op.write(draft, args);
  for (std::size_t i = 1; i < parts.size(); ++i) ops::write_tail(draft, parts[i], channels);
  return draft.finish(std::string(text));
}

std::vector<OperatorHelp> catalogue() {
  std::vector<OperatorHelp> help;
  for (const Operator& op : operators()) {
    OperatorHelp& entry =
        help.emplace_back(OperatorHelp{op.name, op.meaning, {}, op.example, op.takes_tails});
    for (const ops::Key& key : op.keys) {
      entry.keys.push_back({key.name, key.fallback, key.meaning, key.words});
    }
  }
  return help;
}

std::vector<std::string> tails() { return ops::tail_names(); }

}  // namespace hone::task
