// A knob of AutoTVM: one decision of a template, as its logs write them.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace hone::feature {

struct Knob {
  enum class Kind : std::uint8_t { Split, Reorder, Annotate, Other };  // "sp", "re", "an", "ot"
  using Value = std::variant<std::int64_t, std::string>;

  std::string name;  // "tile_x"
  Kind kind = Kind::Other;
  std::vector<Value> values;  // one of Kind::Other
  friend bool operator==(const Knob&, const Knob&) = default;
};

// The field `entity` of a log's `config`: [["tile_x", "sp", [-1, 4, 2]], ["unroll", "ot", 512], ...].
// Throws UserError that says what is wrong where.
std::vector<Knob> knobs_from_json(std::string_view json);
std::string to_json(const std::vector<Knob>& knobs);

}  // namespace hone::feature
