#include "score/model_file.h"

#include <fmt/format.h>

#include <bit>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "base/error.h"
#include "base/gzip.h"
#include "base/json.h"
#include "base/random.h"

namespace hone::score {
namespace {

constexpr std::int64_t kVersion = 1;

std::string checksum(std::string_view bytes) {
  std::uint64_t hash = bytes.size();
  for (std::size_t at = 0; at < bytes.size(); at += sizeof hash) {
    std::uint64_t word = 0;
    std::memcpy(&word, bytes.data() + at, std::min(sizeof word, bytes.size() - at));
    hash = mix_bits(hash ^ word);
  }
  return fmt::format("{:016x}", hash);
}

std::string to_json(const ModelHeader& header, const std::string& weights) {
  std::string out = "{\"hone_scorer\": ";
  append_json_integer(out, kVersion);
  const auto add_text = [&](const char* key, const std::string& text) {
    out += fmt::format(", \"{}\": ", key);
    append_json_string(out, text);
  };
  add_text("kind", header.kind);
  add_text("features", header.features);
  add_text("data_hash", header.data_hash);
  out += ", \"tasks\": ";
  append_json_list(out, header.tasks, append_json_string);
  out += ", \"metrics\": ";
  append_json_list(out, header.metrics, [](std::string& to, const auto& metric) {
    to += '[';
    append_json_string(to, metric.first);
    to += ", ";
    append_json_number(to, metric.second);
    to += ']';
  });
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
  const auto key = [&](std::string_view name) {
    if (json.word("a key") != name) json.fail("expected \"" + std::string(name) + "\"");
    json.expect(':');
  };
  const auto text = [&](std::string_view name) {
    json.expect(',');
    key(name);
    return json.string("a text");
  };
  json.expect('{');
  key("hone_scorer");
  json.integer(kVersion, kVersion, "the version of the format");
  out.header.kind = text("kind");
  out.header.features = text("features");
  out.header.data_hash = text("data_hash");
  json.expect(',');
  key("tasks");
  json.list([&] { out.header.tasks.push_back(json.string("a workload key")); });
  json.expect(',');
  key("metrics");
  json.list([&] {
    json.expect('[');
    std::string name = json.string("a metric's name");
    json.expect(',');
    out.header.metrics.emplace_back(std::move(name), json.number("a metric"));
    json.expect(']');
  });
  out.weights_checksum = text("weights");
  json.expect('}');
  json.expect_end();
  return out;
}

[[noreturn]] void fail_damaged(const std::string& path, const std::string& why) {
  throw UserError(fmt::format("{} is no intact scorer: {}", path, why),
                  "train the scorer again, or copy the file anew");
}

}  // namespace

std::string data_hash(std::span<const Sample> samples, std::span<const double> labels) {
  std::uint64_t hash = 0;
  const auto add = [&](std::uint64_t word) { hash = mix_bits(hash ^ word); };
  for (const Sample& sample : samples) {
    add(sample.n_rows());
    for (const float value : sample.values) add(std::bit_cast<std::uint32_t>(value));
  }
  for (const double label : labels) add(std::bit_cast<std::uint64_t>(label));
  return fmt::format("{:016x}", hash);
}

void save_model(const std::string& path, ModelHeader header, const Model& model) {
  header.kind = model.kind();
  const std::string weights = model.weights();
  const std::string unfinished = path + ".new";
  std::ofstream file(unfinished, std::ios::binary);
  file << to_json(header, weights) << '\n' << weights;
  file.close();
  if (file.fail() || std::rename(unfinished.c_str(), path.c_str()) != 0) {
    const std::string why = std::strerror(errno);
    std::error_code ignored;
    std::filesystem::remove(unfinished, ignored);
    throw UserError(fmt::format("cannot write {}: {}", path, why),
                    "choose a folder that can be written");
  }
}

LoadedModel load_model(const std::string& path, const std::string& features,
                       const ModelOptions& options) {
  const std::string bytes = read_maybe_gzip(path);
  const std::size_t line = bytes.find('\n');
  if (line == std::string::npos) fail_damaged(path, "it has no header line");
  ParsedHeader parsed;
  try {
    parsed = parse_header(std::string_view(bytes).substr(0, line));
  } catch (const UserError& error) {
    fail_damaged(path, error.what());
  }
  const ModelHeader& header = parsed.header;
  if (header.features != features)
    throw UserError(fmt::format("{} was trained on features '{}', but this is hone with '{}'", path,
                                header.features, features),
                    "train the scorer again with this version of hone");
  const std::string weights = bytes.substr(line + 1);
  if (checksum(weights) != parsed.weights_checksum)
    fail_damaged(path, "its weights were changed or cut");
  LoadedModel loaded{header, make_model(header.kind, options)};
  loaded.model->set_weights(weights);
  return loaded;
}

}  // namespace hone::score
