#include "score/scorer_file.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <sstream>

#include "base/error.h"
#include "base/json.h"
#include "base/random.h"

namespace hone::score {
namespace {

// 1 had no trees beside networks, 2 did not name machines.
constexpr std::int64_t kFirstVersion = 1, kWithMachines = 3, kVersion = 3;

std::string checksum(std::string_view bytes) {
  std::uint64_t hash = bytes.size();
  for (std::size_t at = 0; at < bytes.size(); at += sizeof hash) {
    std::uint64_t word = 0;
    std::memcpy(&word, bytes.data() + at, std::min(sizeof word, bytes.size() - at));
    hash = mix_bits(hash ^ word);
  }
  return hexadecimal(hash);
}

// `"NAME": ` behind what is already there.
void append_key(std::string& out, std::string_view name) {
  out += ", ";
  append_json_string(out, name);
  out += ": ";
}

template <class Pairs, class Append>
void append_pairs(std::string& out, std::string_view name, const Pairs& pairs, Append append) {
  append_key(out, name);
  append_json_list(out, pairs, [&](std::string& to, const auto& pair) {
    to += '[';
    append_json_string(to, pair.first);
    to += ", ";
    append(to, pair.second);
    to += ']';
  });
}

std::string to_json(const ModelHeader& header, const std::string& weights) {
  std::string out = "{\"hone_scorer\": ";
  append_json_integer(out, kVersion);
  const auto add_text = [&](const char* key, const std::string& text) {
    append_key(out, key);
    append_json_string(out, text);
  };
  add_text("kind", header.kind);
  add_text("features", header.features);
  add_text("data_hash", header.data_hash);
  append_key(out, "tasks");
  append_json_list(out, header.tasks, append_json_string);
  append_pairs(out, "metrics", header.metrics, append_json_number);
  append_pairs(out, "options", header.options, append_json_string);
  append_pairs(out, "curves", header.curves, [](std::string& to, const std::vector<double>& values) {
    append_json_list(to, values, append_json_number);
  });
  add_text("target", header.target);
  append_pairs(out, "platforms", header.platforms, append_json_number);
  add_text("weights", checksum(weights));
  return out + "}";
}

struct ParsedHeader {
  ModelHeader header;
  std::string weights_checksum;
};

ParsedHeader parse_header(std::string_view line) {
  JsonCursor json(line);
  ParsedHeader out;
  ModelHeader& header = out.header;
  const auto key = [&](std::string_view name) {
    if (json.word("a key") != name) json.fail("expected \"" + std::string(name) + "\"");
    json.expect(':');
  };
  const auto next = [&](std::string_view name) {
    json.expect(',');
    key(name);
  };
  const auto text = [&](std::string_view name) {
    next(name);
    return json.string("a text");
  };
  const auto pairs = [&](std::string_view name, const auto& value) {
    next(name);
    json.list([&] {
      json.expect('[');
      std::string first = json.string("a name");
      json.expect(',');
      value(std::move(first));
      json.expect(']');
    });
  };
  json.expect('{');
  key("hone_scorer");
  const std::int64_t version = json.integer(kFirstVersion, kVersion, "the version of the format");
  header.kind = text("kind");
  header.features = text("features");
  header.data_hash = text("data_hash");
  next("tasks");
  json.list([&] { header.tasks.push_back(json.string("a workload key")); });
  pairs("metrics", [&](std::string name) {
    header.metrics.emplace_back(std::move(name), json.number("a metric"));
  });
  pairs("options", [&](std::string name) {
    header.options.emplace_back(std::move(name), json.string("an option"));
  });
  pairs("curves", [&](std::string name) {
    std::vector<double> values;
    json.list([&] { values.push_back(json.number("a point of a curve")); });
    header.curves.emplace_back(std::move(name), std::move(values));
  });
  if (version >= kWithMachines) {
    header.target = text("target");
    pairs("platforms", [&](std::string name) {
      header.platforms.emplace_back(std::move(name), json.number("a number of programs"));
    });
  }
  out.weights_checksum = text("weights");
  json.expect('}');
  json.expect_end();
  return out;
}

[[noreturn]] void fail_damaged(const std::string& path, const std::string& why) {
  throw UserError(path + " is no intact scorer: " + why,
                  "train the scorer again, or copy the file anew");
}

}  // namespace

std::string hexadecimal(std::uint64_t word) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string out(16, '0');
  for (auto digit = out.rbegin(); digit != out.rend(); ++digit, word >>= 4) *digit = kDigits[word & 15];
  return out;
}

std::string print_scorer(const ScorerFile& scorer) {
  return to_json(scorer.header, scorer.weights) + "\n" + scorer.weights;
}

ScorerFile parse_scorer(std::string_view bytes, const std::string& path) {
  const std::size_t line = bytes.find('\n');
  if (line == std::string::npos) fail_damaged(path, "it has no header line");
  ParsedHeader parsed;
  try {
    parsed = parse_header(bytes.substr(0, line));
  } catch (const UserError& error) {
    fail_damaged(path, error.what());
  }
  const std::string_view weights = bytes.substr(line + 1);
  if (checksum(weights) != parsed.weights_checksum)
    fail_damaged(path, "its weights were changed or cut");
  return {std::move(parsed.header), std::string(weights)};
}

std::vector<std::string> feature_names(const ModelHeader& header) {
  std::vector<std::string> names;
  std::istringstream list(header.features);
  for (std::string item; std::getline(list >> std::ws, item, ',');)
    names.push_back(item.substr(0, item.find(' ')));
  return names;
}

void require_features(const ModelHeader& header, const std::string& features, const std::string& path) {
  if (header.features == features) return;
  throw UserError(path + " was trained on features '" + header.features +
                      "', but what it is used with has '" + features + "'",
                  "train the scorer again with these features");
}

}  // namespace hone::score
