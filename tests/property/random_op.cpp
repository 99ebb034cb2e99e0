#include "tests/property/random_op.h"

#include <algorithm>

#include "base/error.h"
#include "task/catalogue.h"
#include "tests/property/random.h"

namespace hone::property {
namespace {

constexpr std::uint64_t kStream = 1;

struct Choice {
  std::string key;
  std::vector<std::string> values;
};
struct Shapes {
  std::string name;
  std::vector<Choice> choices;
};

using Values = std::vector<std::string>;
const Values kPrimes = {"1", "2", "3", "5", "7", "11"};
const Values kSizes = {"1", "3", "7", "8", "13", "16", "17", "24", "31"};
const Values kImage = {"4", "5", "7", "8"};
const Values kAnyWord = {};  // of those that the catalogue has for the key
const Values kGroups = {"1", "1", "1", "2", "3"};
const Values kPair = {"1", "2"};
const Values kMaybePadded = {"0", "1", "1", "2"};
const Values kKernels = {"1", "2", "3", "3"};

// Small enough to be interpreted many times. Not every combination is a computation; such are redrawn.
const std::vector<Shapes>& shapes() {
  static const std::vector<Shapes> kShapes = {
      {"matmul", {{"m", kSizes}, {"n", kSizes}, {"k", kSizes}, {"trans", kAnyWord}}},
      {"dense", {{"m", kPrimes}, {"n", kSizes}, {"k", kSizes}}},
      {"batch_matmul",
       {{"b", {"1", "2", "3"}}, {"m", kSizes}, {"n", kSizes}, {"k", kPrimes}, {"trans", kAnyWord}}},
      {"transpose_batch_matmul", {{"b", kPair}, {"seq", kPrimes}, {"heads", kPair}, {"dim", kSizes}}},
      {"conv1d",
       {{"n", kPair},
        {"ci", kPrimes},
        {"w", kSizes},
        {"co", kSizes},
        {"k", kKernels},
        {"s", kPair},
        {"p", kMaybePadded},
        {"d", kPair},
        {"g", kGroups},
        {"layout", kAnyWord}}},
      {"conv2d",
       {{"n", kPair},
        {"ci", {"2", "3", "4", "6"}},
        {"h", kImage},
        {"w", kImage},
        {"hw", {"5"}},
        {"co", {"3", "6", "8", "16", "17"}},
        {"k", kKernels},
        {"s", kPair},
        {"p", kMaybePadded},
        {"d", kPair},
        {"g", kGroups},
        {"layout", kAnyWord}}},
      {"conv3d",
       {{"ci", {"1", "2", "3"}},
        {"dhw", {"3", "4", "5"}},
        {"co", kPrimes},
        {"k", {"1", "2", "3"}},
        {"s", kPair},
        {"p", {"0", "1"}},
        {"layout", kAnyWord}}},
      {"depthwise",
       {{"n", kPair},
        {"ci", {"3", "8", "16", "17"}},
        {"h", kImage},
        {"w", kImage},
        {"hw", {"5"}},
        {"k", kKernels},
        {"s", kPair},
        {"p", kMaybePadded},
        {"d", kPair},
        {"layout", kAnyWord}}},
      {"capsule_conv2d",
       {{"ci", {"1", "2", "3"}},
        {"hw", {"3", "4", "5"}},
        {"co", {"1", "2", "5"}},
        {"k", {"1", "2", "3"}},
        {"s", kPair},
        {"p", {"0", "1"}},
        {"cap", {"2", "3"}}}},
      {"conv2d_transpose",
       {{"ci", {"2", "3", "4"}},
        {"hw", {"3", "4", "5"}},
        {"co", {"2", "3", "8", "16"}},
        {"k", {"2", "3", "4"}},
        {"s", kPair},
        {"p", {"0", "1"}},
        {"op", {"0", "0", "1"}},
        {"layout", kAnyWord}}},
      {"winograd",
       {{"ci", {"2", "3", "5"}},
        {"hw", {"4", "5", "6", "7"}},
        {"co", {"2", "3", "8"}},
        {"p", {"0", "1"}},
        {"form", kAnyWord},
        {"m", kAnyWord},
        {"k", kAnyWord},
        {"layout", kAnyWord}}},
      {"max_pool",
       {{"n", kPair},
        {"ci", kSizes},
        {"hw", kImage},
        {"k", kKernels},
        {"s", kPair},
        {"p", {"0", "1"}},
        {"layout", kAnyWord}}},
      {"avg_pool",
       {{"n", kPair},
        {"ci", kSizes},
        {"hw", kImage},
        {"k", kKernels},
        {"s", kPair},
        {"p", {"0", "1"}},
        {"layout", kAnyWord}}},
      {"global_avg_pool", {{"n", kPair}, {"ci", kSizes}, {"hw", kImage}, {"layout", kAnyWord}}},
      {"softmax", {{"rows", kPrimes}, {"cols", kSizes}}},
      {"layer_norm", {{"rows", kPrimes}, {"cols", {"7", "8", "13", "16", "17", "31"}}}},
      {"norm", {{"b", kPrimes}, {"m", kPrimes}, {"n", kSizes}}},
      {"argmax", {{"rows", kPrimes}, {"cols", kSizes}}},
      {"elementwise", {{"n", {"1", "7", "16", "37", "64", "101"}}, {"fn", kAnyWord}}},
  };
  return kShapes;
}

const std::vector<std::string>& words_of(const task::OperatorHelp& help, std::string_view key) {
  const auto found = std::find_if(help.keys.begin(), help.keys.end(),
                                  [&](const task::KeyHelp& k) { return k.name == key; });
  check(found != help.keys.end(), "the operator has the key");
  return found->words;
}

std::string draw(const Shapes& from, const task::OperatorHelp& help, const std::string& type,
                 Random& random) {
  std::string text = from.name + ":";
  for (const Choice& choice : from.choices) {
    text += choice.key + "=" +
            random.one_of(choice.values.empty() ? words_of(help, choice.key) : choice.values) + ",";
  }
  text += "type=" + type;
  if (!help.takes_tails) return text;
  for (int n = random.below(4); n > 0; --n) text += "+" + random.one_of(task::tails());
  return text;
}

}  // namespace

std::string random_op(std::uint64_t seed) {
  const std::vector<task::OperatorHelp> all = task::catalogue();
  const task::OperatorHelp& help = all[seed % all.size()];
  const std::vector<std::string>& types = words_of(help, "type");
  const std::string& type = types[seed / all.size() % types.size()];
  const auto known = std::find_if(shapes().begin(), shapes().end(),
                                  [&](const Shapes& s) { return s.name == help.name; });
  check(known != shapes().end(), "every operator has its small shapes");
  Random random(seed, kStream);
  for (;;) {
    std::string text = draw(*known, help, type, random);
    // Differences below zero wrap to numbers that the definition, in doubles, cannot hold.
    if (text.find("fn=sub,type=u64") != std::string::npos) continue;
    try {
      task::from_op(text);
      return text;
    } catch (const UserError&) {
      continue;
    }
  }
}

}  // namespace hone::property
