// The weights of a network: named tensors of floats, as the bytes of a scorer file. Needs a compiler
// only, like scorer_file.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace hone::score {

struct NamedTensor {
  std::string name;
  std::vector<std::int64_t> shape;
  std::vector<float> values;  // row-major

  bool operator==(const NamedTensor&) const = default;
};

std::string print_tensors(const std::vector<NamedTensor>& tensors);
// In the order in which they were written. Throws UserError when the bytes are no tensors, or when a
// weight is not a finite number.
std::vector<NamedTensor> parse_tensors(std::string_view bytes);

// The one of that name and shape; UserError when there is none. A dimension of -1 may be any.
const NamedTensor& find_tensor(const std::vector<NamedTensor>& tensors, std::string_view name,
                               const std::vector<std::int64_t>& shape);

}  // namespace hone::score
