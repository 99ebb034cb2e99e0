// One op as a line of text; shared by printing, keys and the restoring of cut lines.
#pragma once
#include <string>
#include <string_view>

#include "task/task.h"

namespace hone::task {

enum class Form : std::uint8_t {
  Exact,      // numbers with all their digits, types and strides: parses back to the same op
  SixDigits,  // TVM's text
  Simple,  // the text under TVM's keys: no shapes, and of a body that is one call only the function's
           // name
};
// The op's own name: outputs of an op with two are called name.v0 and name.v1.
std::string text_name(const Op& op);
// One line an output, each with its newline.
std::string lines_of(const Op& op, Form form);

// The text between axes and body: "+=", "max=", ...; with two outputs the combiner of output `output`.
std::string reduction_sign(const Op& op, std::size_t output);

inline constexpr std::string_view kOmitted = " ..(OMITTED).. ";
std::string cut(std::string_view line);  // as TVM shows a line without its newline

}  // namespace hone::task
