#include "model/external_data.h"

#include <fmt/format.h>
#include <onnx/onnx_pb.h>

#include <charconv>
#include <optional>

#include "base/error.h"
#include "base/mapped_file.h"
#include "model/damaged.h"

namespace hone::model {
namespace {

struct Place {
  std::string location;
  std::uint64_t offset = 0;
  std::optional<std::uint64_t> length;  // to the end of the file without it
};

std::uint64_t parse_number(const std::string& key, const std::string& text) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || end != text.data() + text.size()) {
    throw UserError(fmt::format("the {} `{}` of external data is no number", key, text), kExportAgain);
  }
  return number;
}

Place place_of(const onnx::TensorProto& tensor) {
  Place place;
  for (const auto& entry : tensor.external_data()) {
    if (entry.key() == "location") place.location = entry.value();
    if (entry.key() == "offset") place.offset = parse_number("offset", entry.value());
    if (entry.key() == "length") place.length = parse_number("length", entry.value());
  }
  return place;
}

// By its words alone: a link that the user put beside the model may lead wherever it does.
bool leads_outside(const std::filesystem::path& location) {
  const auto normal = location.lexically_normal();
  return normal.empty() || normal.is_absolute() || *normal.begin() == "..";
}

}  // namespace

SharedBytes ExternalData::find(const onnx::TensorProto& tensor) {
  const Place place = place_of(tensor);
  if (leads_outside(place.location)) {
    throw UserError(
        fmt::format("external data at `{}` is outside of the model's folder", place.location),
        "data files lie beside the model or in folders below");
  }
  auto& file = files_[place.location];
  if (file.owner == nullptr) file = map_file(folder_ / place.location);
  const std::uint64_t size = file.bytes.size();
  const bool begins = place.offset <= size;
  const std::uint64_t length = place.length.value_or(begins ? size - place.offset : 0);
  if (!begins || length > size - place.offset) {
    throw UserError(fmt::format("{} bytes at {} of external data `{}` lie beyond its end at {}", length,
                                place.offset, place.location, size),
                    "the data file is cut short or belongs to another model");
  }
  return file.part(place.offset, length);
}

}  // namespace hone::model
