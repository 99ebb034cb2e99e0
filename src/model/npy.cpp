#include "model/npy.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cstring>
#include <optional>
#include <utility>

#include "base/error.h"
#include "model/plain_tensor.h"

namespace hone::model {
namespace {

constexpr std::string_view kMagic = "\x93NUMPY";
constexpr std::size_t kAlignment = 64;  // of the elements in a file

constexpr std::pair<std::string_view, ir::Scalar> kTypes[] = {
    {"|b1", ir::Scalar::Bool}, {"|i1", ir::Scalar::I8},   {"<i2", ir::Scalar::I16},
    {"<i4", ir::Scalar::I32},  {"<i8", ir::Scalar::I64},  {"|u1", ir::Scalar::U8},
    {"<u2", ir::Scalar::U16},  {"<u4", ir::Scalar::U32},  {"<u8", ir::Scalar::U64},
    {"<f2", ir::Scalar::F16},  {"<f4", ir::Scalar::F32},  {"<f8", ir::Scalar::F64},
    {"|V2", ir::Scalar::BF16}, {"<V2", ir::Scalar::BF16},  // what the package ml_dtypes saves
};

[[noreturn]] void damaged(const std::string& what) {
  throw UserError(fmt::format("it is no NumPy array: {}", what), "write it again with numpy.save");
}

// The header is a Python dictionary: {'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }
class Header {
 public:
  explicit Header(std::string_view text) : rest_(text) {
    expect("{");
    while (!take("}")) {
      const std::string_view key = quoted();
      expect(":");
      if (key == "descr") {
        type = quoted();
      } else if (key == "fortran_order") {
        is_column_major = take("True");
        if (!is_column_major) expect("False");
      } else if (key == "shape") {
        shape = tuple();
      } else {
        damaged(fmt::format("its header has the key `{}`", key));
      }
      if (!take(",")) {
        expect("}");
        break;
      }
    }
  }

  std::string_view type;
  bool is_column_major = false;
  std::optional<Shape> shape;

 private:
  bool take(std::string_view word) {
    rest_.remove_prefix(std::min(rest_.find_first_not_of(" \n"), rest_.size()));
    if (!rest_.starts_with(word)) return false;
    rest_.remove_prefix(word.size());
    return true;
  }
  void expect(std::string_view word) {
    if (!take(word)) damaged(fmt::format("its header lacks `{}`", word));
  }
  std::string_view quoted() {
    if (take("["))
      throw UserError("arrays of structures are not supported", "save its fields one by one");
    expect("'");
    const std::size_t end = rest_.find('\'');
    if (end == std::string_view::npos) damaged("its header is cut short");
    const std::string_view word = rest_.substr(0, end);
    rest_.remove_prefix(end + 1);
    return word;
  }
  Shape tuple() {
    Shape numbers;
    expect("(");
    while (!take(")")) {
      take("");  // blanks
      std::int64_t number = 0;
      const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), number);
      if (error != std::errc{}) damaged("its shape is no list of numbers");
      rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
      numbers.push_back(number);
      if (!take(",")) {
        expect(")");
        break;
      }
    }
    return numbers;
  }

  std::string_view rest_;
};

ir::Scalar scalar_of(std::string_view type) {
  for (const auto& [name, scalar] : kTypes) {
    if (name == type) return scalar;
  }
  throw UserError(fmt::format("elements of type `{}` are not supported", type),
                  "save little-endian numbers or booleans: array.astype(numpy.float32)");
}

struct Parts {
  std::string_view header;
  std::size_t elements;  // where they begin
};

Parts split(std::span<const std::byte> bytes) {
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  if (!text.starts_with(kMagic) || text.size() < 12) damaged("it does not begin like one");
  const char version = text[kMagic.size()];
  if (version < 1 || version > 3) damaged(fmt::format("it has version {}", static_cast<int>(version)));
  const std::size_t width = version == 1 ? 2 : 4;  // of the header's length
  std::uint32_t length = 0;
  std::memcpy(&length, text.data() + kMagic.size() + 2, width);
  const std::size_t begin = kMagic.size() + 2 + width;
  if (text.size() - begin < length) damaged("its header is cut short");
  return {text.substr(begin, length), begin + length};
}

// The same elements with the last dimension varying fastest.
Tensor row_major(const Tensor& columns, const Shape& shape) {
  Tensor rows = Tensor::zeros(columns.type(), shape);
  const auto width = static_cast<std::size_t>(ir::size_bytes(columns.type()));
  const auto from = columns.bytes();
  const auto to = rows.writable();
  Shape index(shape.size(), 0);
  for (std::size_t place = 0; place < to.size(); place += width) {
    std::int64_t source = 0;
    for (std::size_t i = shape.size(); i-- > 0;) source = source * shape[i] + index[i];
    std::memcpy(&to[place], &from[static_cast<std::size_t>(source) * width], width);
    for (std::size_t i = shape.size(); i-- > 0;) {
      if (++index[i] < shape[i]) break;
      index[i] = 0;
    }
  }
  return rows;
}

}  // namespace

Tensor parse_npy(const SharedBytes& file) {
  const auto [text, begin] = split(file.bytes);
  const Header header(text);
  if (header.type.empty() || !header.shape) damaged("its header lacks type or shape");
  const ir::Scalar type = scalar_of(header.type);
  const Tensor tensor = plain_tensor(type, *header.shape, file.part(begin, file.bytes.size() - begin));
  return header.is_column_major ? row_major(tensor, *header.shape) : tensor;
}

std::string npy_header(const Tensor& tensor) {
  const auto has_type = [&](const auto& entry) { return entry.second == tensor.type(); };
  const auto* type = std::ranges::find_if(kTypes, has_type);
  std::string header(kMagic);
  header += {'\1', '\0', '\0', '\0'};  // version 1.0, then the header's length
  header += fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': ({}{}), }}", type->first,
                        fmt::join(tensor.shape(), ", "), tensor.shape().size() == 1 ? "," : "");
  header.resize((header.size() + kAlignment) / kAlignment * kAlignment, ' ');
  header.back() = '\n';
  const auto length = static_cast<std::uint16_t>(header.size() - kMagic.size() - 4);
  std::memcpy(&header[kMagic.size() + 2], &length, sizeof length);
  return header;
}

}  // namespace hone::model
