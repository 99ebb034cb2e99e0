// Tasks that TVM printed, as tests read them from the shared data.
#pragma once
#include <simdjson.h>

#include <string>
#include <vector>

#include "base/gzip.h"
#include "task/text.h"

namespace hone::task {

// Calls `use` with each JSON object of a file that has one a line.
template <class Use>
void for_each_object(const std::string& path, Use&& use) {
  simdjson::dom::parser parser;
  const simdjson::padded_string text(read_maybe_gzip(path));
  simdjson::dom::document_stream objects = parser.parse_many(text, std::size_t{1} << 26);
  for (const simdjson::dom::element object : objects) use(object);
}

inline std::string text_at(const simdjson::dom::element& object, const char* key) {
  return std::string(std::string_view(object[key]));
}

// The field `stages` of the oracle.
inline std::vector<OpFacts> facts_at(const simdjson::dom::element& object) {
  std::vector<OpFacts> ops;
  for (const simdjson::dom::element stage : object["stages"]) {
    OpFacts& facts = ops.emplace_back();
    facts.name = text_at(stage, "name");
    for (const std::int64_t size : stage["shape"]) facts.shape.push_back(size);
    for (const simdjson::dom::element axis : stage["reduce"]) {
      facts.reduce.emplace_back(std::string(std::string_view(axis.at(0))), std::int64_t(axis.at(1)));
    }
  }
  return ops;
}

}  // namespace hone::task
