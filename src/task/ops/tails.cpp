#include "task/ops/tails.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "base/nearest.h"
#include "task/ops/pointwise.h"

namespace hone::task::ops {
namespace {

// The tensor a tail reads and the place it writes.
struct Place {
  Axes axes;
  ir::Expr value;  // of the tensor at the axes
  Index channel;   // the axes along the channels
  Shape channel_shape;
  ir::Type parameter;  // element type of further operands: the task's, or what its integers sum to
};

Place place_after(const Draft& draft, const ChannelDims& channels) {
  const ir::Buffer tensor = draft.last().output();
  Place place;
  place.axes = fresh(draft.last().axes);
  place.value = read(tensor, index_of(place.axes));
  for (const std::size_t dim : channels) {
    place.channel.push_back(place.axes[dim].var);
    place.channel_shape.push_back(place.axes[dim].extent);
  }
  place.parameter = ir::is_float(tensor->type.scalar) ? draft.type() : tensor->type;
  return place;
}

void write_bias(Draft& draft, const Place& at) {
  const ir::Buffer bias = draft.placeholder("bias", at.channel_shape, at.parameter);
  draft.compute("bias_add", at.axes, at.value + read(bias, at.channel));
}

// Batch normalisation whose statistics are known: a scale and a shift for each channel.
void write_bn(Draft& draft, const Place& at) {
  const ir::Buffer scale = draft.placeholder("scale", at.channel_shape, at.parameter);
  const ir::Buffer shift = draft.placeholder("shift", at.channel_shape, at.parameter);
  draft.compute("bn", at.axes, at.value * read(scale, at.channel) + read(shift, at.channel));
}

void write_residual(Draft& draft, const Place& at) {
  const ir::Buffer other = draft.placeholder("residual", shape_of(at.axes), at.parameter);
  draft.compute("add", at.axes, at.value + read(other, index_of(at.axes)));
}

struct Tail {
  std::string name;
  bool takes_integers;
  void (*write)(Draft&, const Place&);  // null: the pointwise function of that name
};

const std::vector<Tail>& tail_table() {
  static const std::vector<Tail> kTails = [] {
    std::vector<Tail> all = {{"bias", true, write_bias}};
    for (const char* name : {"relu", "relu6", "gelu", "sigmoid", "hswish"}) {
      all.push_back({name, pointwise(name).takes_integers, nullptr});
    }
    all.push_back({"add", true, write_residual});
    all.push_back({"bn", false, write_bn});
    return all;
  }();
  return kTails;
}

}  // namespace

const std::vector<std::string>& tail_names() {
  static const std::vector<std::string> kNames = [] {
    std::vector<std::string> all;
    for (const Tail& tail : tail_table()) all.push_back(tail.name);
    return all;
  }();
  return kNames;
}

void write_tail(Draft& draft, std::string_view name, const ChannelDims& channels) {
  const std::vector<Tail>& tails = tail_table();
  const auto tail =
      std::find_if(tails.begin(), tails.end(), [&](const Tail& t) { return t.name == name; });
  if (tail == tails.end()) {
    throw UserError(fmt::format("there is no tail '{}'", name), did_you_mean(name, tail_names()));
  }
  const Place at = place_after(draft, channels);
  if (!tail->takes_integers && !ir::is_float(at.value.type().scalar)) {
    throw UserError(fmt::format("tail {} takes floats, not {}", name, ir::to_string(at.value.type())),
                    "tails of integers: bias, relu, relu6, add");
  }
  if (tail->write != nullptr) {
    tail->write(draft, at);
  } else {
    draft.compute(tail->name, at.axes, pointwise(tail->name).apply(at.value, {}));
  }
}

}  // namespace hone::task::ops
