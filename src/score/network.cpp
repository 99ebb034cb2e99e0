#include "score/network.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "base/error.h"
#include "base/nearest.h"
#include "score/atformer.h"
#include "score/corrected.h"
#include "score/hone_network.h"
#include "score/statement_lstm.h"
#include "score/tenset_mlp.h"
#include "score/tlp.h"

namespace hone::score {
namespace {

struct Kind {
  const char* name;
  std::unique_ptr<Network> (*make)(const ScorerFile& file, const CompileDense& compile,
                                   bool tells_hidden);
};
constexpr std::array kKinds = {Kind{"tlp", make_tlp},
                               Kind{"mtl-tlp", make_mtl_tlp},
                               Kind{"tenset-mlp", make_tenset_mlp},
                               Kind{"statement-lstm", make_statement_lstm},
                               Kind{"statement-attention", make_statement_attention},
                               Kind{"atformer", make_atformer},
                               Kind{"hone", make_hone_network},
                               Kind{"corrected", make_corrected}};

template <class T, class IsGood>
T parse(const ModelHeader& header, std::string_view name, const IsGood& is_good) {
  const std::string& text = option_of(header, name);
  T value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || !is_good(value))
    throw UserError(
        "the scorer was trained with '" + std::string(name) + "' = " + text + ", which makes no sense",
        "train it again with this version of hone");
  return value;
}

}  // namespace

const View& view_of(const Sample& sample, std::string_view name) {
  for (const View& view : sample.views)
    if (view.name == name) return view;
  if (sample.later != nullptr) {
    for (const View& view : sample.later->get())
      if (view.name == name) return view;
  }
  throw UserError("the scorer reads features '" + std::string(name) + "', which are missing here",
                  "add them with `hone dataset features`");
}

bool has_option(const ModelHeader& header, std::string_view name) {
  return std::ranges::any_of(header.options, [&](const auto& option) { return option.first == name; });
}

const std::string& option_of(const ModelHeader& header, std::string_view name) {
  const auto found =
      std::ranges::find(header.options, name, &std::pair<std::string, std::string>::first);
  if (found == header.options.end())
    throw UserError("the scorer does not say with which '" + std::string(name) + "' it was trained",
                    "train it again with this version of hone");
  return found->second;
}

std::int64_t whole_option(const ModelHeader& header, std::string_view name) {
  return parse<std::int64_t>(header, name, [](std::int64_t value) { return value > 0; });
}

double number_option(const ModelHeader& header, std::string_view name) {
  return parse<double>(header, name, [](double value) { return std::isfinite(value); });
}

const std::vector<std::string>& network_kinds() {
  static const std::vector<std::string> kNames = [] {
    std::vector<std::string> names;
    for (const Kind& kind : kKinds) names.emplace_back(kind.name);
    return names;
  }();
  return kNames;
}

std::unique_ptr<Network> make_network(const ScorerFile& file, const CompileDense& compile,
                                      bool tells_hidden) {
  const auto found = std::ranges::find(kKinds, file.header.kind, &Kind::name);
  if (found == kKinds.end())
    throw UserError("hone cannot score with a network of kind '" + file.header.kind + "'",
                    did_you_mean(file.header.kind, network_kinds()));
  return found->make(file, compile, tells_hidden);
}

}  // namespace hone::score
