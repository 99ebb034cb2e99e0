#include "graph/onnx/window.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"

namespace hone::graph::onnx {
namespace {

using Integers = std::vector<std::int64_t>;

// More than any model has, and its product with an extent stays within 64 bits, whatever the file says.
constexpr std::int64_t kMost = std::int64_t{1} << 22;

Integers list_of(const Attributes& attributes, const char* name, std::size_t count, std::int64_t usual,
                 std::int64_t least) {
  const Integers list = attributes.integers(name).value_or(Integers(count, usual));
  if (list.size() != count)
    throw UserError(fmt::format("its attribute `{}` has {} entries, not {}", name, list.size(), count));
  for (const std::int64_t entry : list) {
    if (entry < least || entry > kMost)
      throw UserError(fmt::format("its attribute `{}` has the entry {}", name, entry));
  }
  return list;
}

enum class AutoPad { None, Upper, Lower, Valid };

AutoPad auto_pad(const Attributes& attributes) {
  const std::string mode = attributes.text("auto_pad", "NOTSET");
  if (mode == "NOTSET" || mode.empty()) return AutoPad::None;
  if (mode == "SAME_UPPER") return AutoPad::Upper;
  if (mode == "SAME_LOWER") return AutoPad::Lower;
  if (mode == "VALID") return AutoPad::Valid;
  throw UserError(fmt::format("its attribute `auto_pad` is `{}`, which is unknown", mode));
}

Window without_pads(const Attributes& attributes, Integers kernel) {
  const std::size_t count = kernel.size();
  for (const std::int64_t extent : kernel) {
    if (extent < 1 || extent > kMost)
      throw UserError(fmt::format("its kernel has the extent {}", extent));
  }
  return {.kernel = std::move(kernel),
          .strides = list_of(attributes, "strides", count, 1, 1),
          .dilations = list_of(attributes, "dilations", count, 1, 1),
          .before = Integers(count, 0),
          .after = Integers(count, 0)};
}

void take_pads(const Attributes& attributes, Window& window) {
  const std::size_t count = window.kernel.size();
  const Integers pads = list_of(attributes, "pads", 2 * count, 0, -kMost);
  window.before.assign(pads.begin(), pads.begin() + static_cast<std::ptrdiff_t>(count));
  window.after.assign(pads.begin() + static_cast<std::ptrdiff_t>(count), pads.end());
}

// Makes the output end where it does when its extent is rounded up.
void round_up(Window& window, std::size_t d, std::int64_t extent) {
  const std::int64_t stride = window.strides[d];
  const std::int64_t padded = extent + window.before[d] + window.after[d] - reach(window, d);
  if (padded < 0) return;
  std::int64_t last = (padded + stride - 1) / stride;
  if (last * stride >= extent + window.before[d]) --last;
  window.after[d] =
      std::max(window.after[d], last * stride + reach(window, d) - extent - window.before[d]);
}

}  // namespace

std::int64_t reach(const Window& window, std::size_t d) {
  return (window.kernel[d] - 1) * window.dilations[d] + 1;
}

std::int64_t output_extent(const Window& window, std::size_t d, std::int64_t extent) {
  return (extent + window.before[d] + window.after[d] - reach(window, d)) / window.strides[d] + 1;
}

Window window_of(const Attributes& attributes, const Shape& spatial, Integers kernel) {
  Window window = without_pads(attributes, std::move(kernel));
  const AutoPad mode = auto_pad(attributes);
  if (mode == AutoPad::None) take_pads(attributes, window);
  const bool ceil_mode = attributes.flag("ceil_mode", false);
  for (std::size_t d = 0; d < spatial.size(); ++d) {
    if (mode == AutoPad::Upper || mode == AutoPad::Lower) {
      const std::int64_t stride = window.strides[d];
      const std::int64_t wanted = (spatial[d] + stride - 1) / stride;
      const std::int64_t total =
          std::max<std::int64_t>((wanted - 1) * stride + reach(window, d) - spatial[d], 0);
      window.before[d] = mode == AutoPad::Upper ? total / 2 : total - total / 2;
      window.after[d] = total - window.before[d];
    }
    if (ceil_mode) round_up(window, d, spatial[d]);
  }
  return window;
}

Window transposed_window_of(const Attributes& attributes, const Shape& spatial, Integers kernel) {
  Window window = without_pads(attributes, std::move(kernel));
  const AutoPad mode = auto_pad(attributes);
  if (mode == AutoPad::None) take_pads(attributes, window);
  const Integers extra = list_of(attributes, "output_padding", spatial.size(), 0, 0);
  std::optional<Integers> wanted = attributes.integers("output_shape");
  // Some writers name the batch and the channels too.
  if (wanted && wanted->size() == spatial.size() + 2)
    wanted->erase(wanted->begin(), wanted->begin() + 2);
  if (wanted && wanted->size() != spatial.size())
    throw UserError("its attribute `output_shape` does not fit its input");
  const bool is_same = mode == AutoPad::Upper || mode == AutoPad::Lower;
  for (std::size_t d = 0; d < spatial.size(); ++d) {
    if (!wanted && !is_same) {
      window.after[d] -= extra[d];
      continue;
    }
    const std::int64_t full = (spatial[d] - 1) * window.strides[d] + reach(window, d);
    const std::int64_t output = wanted ? (*wanted)[d] : spatial[d] * window.strides[d];
    const std::int64_t total = std::max<std::int64_t>(full + extra[d] - output, 0);
    window.before[d] = mode == AutoPad::Upper ? total / 2 : total - total / 2;
    window.after[d] = full - output - window.before[d];
  }
  return window;
}

Shape spatial_extents(const Reading& r, ValueId x) {
  const Shape shape = r.emit.shape(x);
  if (shape.size() < 3) {
    throw UserError(fmt::format(
        "its input has {} dimensions; behind batch and channels there must be more", shape.size()));
  }
  return {shape.begin() + 2, shape.end()};
}

}  // namespace hone::graph::onnx
