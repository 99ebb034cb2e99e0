#include "task/key.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "base/error.h"
#include "base/json.h"
#include "base/md5.h"
#include "ir/print.h"
#include "task/text_line.h"

namespace hone::task {
namespace {

enum class Numbers : std::uint8_t { Kept, Dropped };

ir::Expr without_numbers(const ir::Expr& e) {
  return ir::rewrite(e, [](const ir::Expr& part) {
    const bool is_number = part.as<ir::IntImm>() != nullptr || part.as<ir::FloatImm>() != nullptr;
    return is_number ? ir::constant(1, part.type()) : part;
  });
}

// Every op as its position in the list, its sizes and types and its body, with axes by position.
std::string anonymous_text(const std::vector<Op>& ops, Numbers numbers) {
  const bool is_sized = numbers == Numbers::Kept;
  std::string text;
  std::unordered_map<const ir::BufferNode*, std::string> buffer_names;
  for (std::size_t i = 0; i < ops.size(); ++i) {
    const Op& op = ops[i];
    std::unordered_map<const ir::Node*, std::string> axis_names;
    std::vector<std::int64_t> reduce_extents;
    for (const Axis& axis : op.axes) axis_names[axis.var.get()] = fmt::format("a{}", axis_names.size());
    for (const Axis& axis : op.reduce_axes) {
      reduce_extents.push_back(axis.extent);
      axis_names[axis.var.get()] = fmt::format("r{}", reduce_extents.size());
    }
    const ir::Naming naming{[&](const ir::Expr& variable) { return axis_names.at(variable.get()); },
                            [&](const ir::Buffer& buffer) { return buffer_names.at(buffer.get()); }};
    text += fmt::format("{} over ", static_cast<int>(op.reducer));
    text += is_sized ? fmt::format("[{}]", fmt::join(reduce_extents, ","))
                     : std::to_string(reduce_extents.size());
    for (std::size_t k = 0; k < op.outputs.size(); ++k) {
      const ir::BufferNode& output = *op.outputs[k];
      const auto body = [&] { return is_sized ? op.body[k] : without_numbers(op.body[k]); };
      text += fmt::format("; {} ", ir::to_string(output.type));
      text += is_sized ? fmt::format("[{}] [{}]", fmt::join(output.shape, ","),
                                     fmt::join(ir::strides_of(output), ","))
                       : std::to_string(output.shape.size());
      text += " = " + (op.is_placeholder() ? "given" : ir::print(body(), naming));
      buffer_names[&output] = fmt::format("t{}_{}", i, k);
    }
    text += '\n';
  }
  return text;
}

}  // namespace

std::string tvm_key(const Task& task) {
  std::string text;
  for (const Op& op : task.ops) text += lines_of(op, Form::Simple);
  std::string key = fmt::format("[\"{}\"", md5_hex(text));
  std::vector<int> tensors = task.placeholders();
  const std::vector<int> outputs = task.outputs();
  tensors.insert(tensors.end(), outputs.begin(), outputs.end());
  for (const int op : tensors) {
    for (const ir::Buffer& buffer : task.ops[static_cast<std::size_t>(op)].outputs) {
      key += fmt::format(", [{}]", fmt::join(buffer->shape, ", "));
    }
  }
  return key + "]";
}

std::optional<std::vector<std::int64_t>> sizes_in_key(std::string_view key) {
  JsonCursor json(key);
  if (!json.take('[')) return std::nullopt;
  const std::string digest = json.string("digest");
  const bool is_digest =
      digest.size() == 32 && digest.find_first_not_of("0123456789abcdef") == std::string::npos;
  if (!is_digest) return std::nullopt;
  std::vector<std::int64_t> sizes;
  const auto size = [&] { sizes.push_back(json.integer(1, std::int64_t{1} << 40, "a size")); };
  while (json.take(',')) {
    const bool is_shape = json.take('[');
    if (!is_shape || !json.take(']')) {
      do size();
      while (is_shape && json.take(','));
      if (is_shape) json.expect(']');
    }
  }
  json.expect(']');
  return sizes;
}

std::string canonical_key(const Task& task) {
  // Stage order follows from the outputs; several of them stand by what they compute.
  std::vector<int> outputs = task.outputs();
  if (outputs.size() > 1) {
    std::vector<std::pair<std::string, int>> by_text;
    for (const int output : outputs) {
      std::vector<Op> alone;
      for (const Op& op : task.ops) {
        const bool is_other = std::ranges::any_of(outputs, [&](int other) {
          return other != output && &task.ops[static_cast<std::size_t>(other)] == &op;
        });
        if (!is_other) alone.push_back(op);
      }
      by_text.emplace_back(anonymous_text(in_stage_order(alone), Numbers::Kept), output);
    }
    std::ranges::sort(by_text);
    for (std::size_t i = 0; i < outputs.size(); ++i) outputs[i] = by_text[i].second;
  }
  std::vector<Op> ops;
  for (const int output : outputs) ops.push_back(task.ops[static_cast<std::size_t>(output)]);
  for (std::size_t i = 0; i < task.ops.size(); ++i) {
    if (std::ranges::find(outputs, static_cast<int>(i)) == outputs.end()) ops.push_back(task.ops[i]);
  }
  return md5_hex(anonymous_text(in_stage_order(std::move(ops)), Numbers::Kept));
}

// Which operands are constant is a part of the structure: those are packed before, and their schedules
// are of no use to operands that are not.
Likeness likeness(const Task& task) {
  std::string text = anonymous_text(task.ops, Numbers::Dropped);
  Likeness likeness;
  for (std::size_t i = 0; i < task.ops.size(); ++i) {
    const Op& op = task.ops[i];
    const std::vector<std::int64_t>& shape = op.output()->shape;
    likeness.sizes.insert(likeness.sizes.end(), shape.begin(), shape.end());
    for (const Axis& axis : op.reduce_axes) likeness.sizes.push_back(axis.extent);
    for (const std::string& name : op.hints.layout_free) {
      const auto constant = std::ranges::find(task.ops, name, &Op::name);
      text += fmt::format("{} packs {}\n", i, constant - task.ops.begin());
    }
  }
  likeness.structure = md5_hex(text);
  return likeness;
}

double distance(const std::vector<std::int64_t>& a, const std::vector<std::int64_t>& b) {
  check(a.size() == b.size(), "tasks of one structure have as many sizes");
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i)
    sum += std::abs(std::log2(static_cast<double>(a[i])) - std::log2(static_cast<double>(b[i])));
  return sum;
}

}  // namespace hone::task
