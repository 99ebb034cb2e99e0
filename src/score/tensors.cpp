#include "score/tensors.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include "base/error.h"
#include "base/json.h"

namespace hone::score {
namespace {

static_assert(std::endian::native == std::endian::little, "weights are copied as they lie on disk");

constexpr std::int64_t kMostValues = std::int64_t{1} << 32;

std::string print_shape(const std::vector<std::int64_t>& shape) {
  std::string out;
  append_json_list(out, shape, append_json_integer);
  return out;
}

[[noreturn]] void refuse(const std::string& why) {
  throw UserError("the weights of the scorer " + why, "train the scorer again, or copy the file anew");
}

NamedTensor parse_entry(JsonCursor& json) {
  NamedTensor tensor;
  json.expect('[');
  tensor.name = json.string("the name of a tensor");
  json.expect(',');
  json.list([&] { tensor.shape.push_back(json.integer(0, kMostValues, "a dimension")); });
  json.expect(']');
  return tensor;
}

// Moves `count` values from the front of `bytes`.
std::vector<float> take(std::string_view& bytes, std::int64_t count, const std::string& name) {
  if (count > static_cast<std::int64_t>(bytes.size() / sizeof(float)))
    refuse("end inside '" + name + "'");
  std::vector<float> values(static_cast<std::size_t>(count));
  if (count > 0) std::memcpy(values.data(), bytes.data(), values.size() * sizeof(float));
  bytes.remove_prefix(values.size() * sizeof(float));
  if (!std::ranges::all_of(values, [](float value) { return std::isfinite(value); }))
    refuse("hold a value in '" + name + "' that is not a finite number");
  return values;
}

}  // namespace

std::string print_tensors(const std::vector<NamedTensor>& tensors) {
  std::string out = "{\"tensors\": ";
  append_json_list(out, tensors, [](std::string& to, const NamedTensor& tensor) {
    to += '[';
    append_json_string(to, tensor.name);
    to += ", " + print_shape(tensor.shape) + "]";
  });
  out += "}\n";
  for (const NamedTensor& tensor : tensors)
    out.append(reinterpret_cast<const char*>(tensor.values.data()),
               tensor.values.size() * sizeof(float));
  return out;
}

std::vector<NamedTensor> parse_tensors(std::string_view bytes) {
  const std::size_t line = bytes.find('\n');
  if (line == std::string_view::npos) refuse("have no list of tensors");
  std::vector<NamedTensor> tensors;
  JsonCursor json(bytes.substr(0, line));
  json.expect('{');
  if (json.word("a key") != "tensors") json.fail("expected \"tensors\"");
  json.expect(':');
  json.list([&] { tensors.push_back(parse_entry(json)); });
  json.expect('}');
  json.expect_end();
  bytes.remove_prefix(line + 1);
  for (NamedTensor& tensor : tensors) {
    std::int64_t count = 1;
    for (const std::int64_t size : tensor.shape) {
      if (size != 0 && count > kMostValues / size) refuse("are too many in '" + tensor.name + "'");
      count *= size;
    }
    tensor.values = take(bytes, count, tensor.name);
  }
  if (!bytes.empty()) refuse("go on behind the last tensor");
  return tensors;
}

const NamedTensor& find_tensor(const std::vector<NamedTensor>& tensors, std::string_view name,
                               const std::vector<std::int64_t>& shape) {
  const auto found = std::ranges::find(tensors, name, &NamedTensor::name);
  if (found == tensors.end()) refuse("have no tensor '" + std::string(name) + "'");
  const bool fits = std::ranges::equal(found->shape, shape, [](std::int64_t is, std::int64_t wanted) {
    return is == wanted || wanted == -1;
  });
  if (!fits)
    refuse("have '" + found->name + "' of shape " + print_shape(found->shape) + ", where " +
           print_shape(shape) + " is needed");
  return *found;
}

}  // namespace hone::score
