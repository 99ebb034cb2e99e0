#include "measure/expectation.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "base/random.h"
#include "measure/tolerance.h"
#include "task/evaluate.h"
#include "worker/inputs.h"

namespace hone::measure {
namespace {

std::int64_t terms_of(const task::Op& op) {
  std::int64_t terms = 1;
  for (const task::Axis& axis : op.reduce_axes) terms *= axis.extent;
  return terms;
}

// The type with the fewest digits on the way from inputs to outputs sets the tolerance.
ir::Scalar least_precise(const task::Task& task) {
  ir::Scalar least = ir::Scalar::F64;
  for (const task::Op& op : task.ops) {
    for (const ir::Buffer& buffer : op.outputs) {
      if (tolerance(buffer->type.scalar, 1) > tolerance(least, 1)) least = buffer->type.scalar;
    }
  }
  return least;
}

// Whether sums go through a function whose values stay between -1 and 1. It is steep where it changes
// its sign: the error of the sum arrives there as it is, while its size does not.
bool squashes_sums(const task::Task& task) {
  bool squashes = false;
  for (const task::Op& op : task.ops) {
    for (const ir::Expr& body : op.body) {
      ir::visit(body, [&](const ir::Expr& e) {
        if (const auto* call = e.as<ir::Call>())
          squashes |= call->function == ir::Function::Tanh || call->function == ir::Function::Erf ||
                      call->function == ir::Function::Sigmoid;
      });
    }
  }
  return squashes && reduction_length(task) > 1;
}

double root_mean_square(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += value * value;
  return std::sqrt(sum / static_cast<double>(std::max<std::size_t>(values.size(), 1)));
}

// Where an extent has its borders and where tiles of common sizes meet.
std::vector<std::int64_t> edges(std::int64_t extent) {
  std::set<std::int64_t> places = {0, extent - 1};
  for (const std::int64_t tile : {2, 4, 6, 7, 8, 12, 14, 16, 28, 32, 48, 64, 128, 256}) {
    for (const std::int64_t place : {tile - 1, tile, extent - tile}) {
      if (place > 0 && place < extent) places.insert(place);
    }
  }
  return {places.begin(), places.end()};
}

// Distinct elements of a tensor: corners first, then at random with half of the coordinates at edges.
std::vector<std::int64_t> sampled_elements(const std::vector<std::int64_t>& shape, int count,
                                           std::uint64_t seed) {
  std::vector<std::vector<std::int64_t>> places;
  for (const std::int64_t extent : shape) places.push_back(edges(extent));
  std::set<std::int64_t> elements;
  const auto corners = std::uint64_t{1} << std::min<std::size_t>(shape.size(), 6);
  std::uint64_t draws = 0;
  // Drawing ends by itself in tensors that have hardly more elements than are wanted.
  const std::uint64_t max_draws = corners + static_cast<std::uint64_t>(count) * 10;
  while (draws < max_draws && elements.size() < static_cast<std::size_t>(count)) {
    std::int64_t element = 0;
    for (std::size_t d = 0; d < shape.size(); ++d) {
      const std::uint64_t bits = random_bits(seed, d, draws);
      std::int64_t place = static_cast<std::int64_t>(below(static_cast<std::uint64_t>(shape[d]), bits));
      if (draws < corners) {
        place = ((draws >> d) & 1) != 0 ? shape[d] - 1 : 0;
      } else if ((bits & 1) != 0) {
        place = places[d][below(places[d].size(), bits)];
      }
      element = element * shape[d] + place;
    }
    elements.insert(element);
    ++draws;
  }
  return {elements.begin(), elements.end()};
}

// Row-major element numbers, as the definition of a task counts, to places in the buffer.
std::int64_t place_in_buffer(const ir::BufferNode& buffer, std::int64_t element) {
  const std::vector<std::int64_t> strides = ir::strides_of(buffer);
  std::int64_t place = 0;
  for (std::size_t d = buffer.shape.size(); d-- > 0; element /= buffer.shape[d]) {
    place += element % buffer.shape[d] * strides[d];
  }
  return place;
}

std::vector<std::int64_t> elements_to_check(const std::vector<std::int64_t>& shape, double terms_each,
                                            const ExpectationOptions& options) {
  std::int64_t count = 1;
  for (const std::int64_t extent : shape) count *= extent;
  if (static_cast<double>(count) * terms_each > options.whole_terms && count > options.samples) {
    return sampled_elements(shape, options.samples, options.seed);
  }
  std::vector<std::int64_t> all(static_cast<std::size_t>(count));
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = static_cast<std::int64_t>(i);
  return all;
}

}  // namespace

std::int64_t reduction_length(const task::Task& task) {
  std::int64_t length = 0;
  for (const task::Op& op : task.ops) {
    if (!op.reduce_axes.empty()) length += terms_of(op);
  }
  return std::max<std::int64_t>(length, 1);
}

TaskData expectations(const task::Task& task, const ExpectationOptions& options) {
  TaskData data;
  data.seed = options.seed;
  data.buffers = buffers_of(task);
  const std::int64_t length = reduction_length(task);
  const double float_tolerance = tolerance(least_precise(task), length, options.slack);
  for (const worker::BufferSpec& spec : data.buffers) {
    data.tolerances.push_back(ir::is_float(spec.type) ? float_tolerance : 0);
  }
  const std::vector<int> placeholders = task.placeholders();
  const auto input = [&](int placeholder, std::int64_t element) {
    const task::Op& op =
        task.ops[static_cast<std::size_t>(placeholders[static_cast<std::size_t>(placeholder)])];
    return worker::random_value(options.seed, placeholder, place_in_buffer(*op.output(), element),
                                op.output()->type.scalar);
  };
  // Products of random inputs have a root mean square of 1/3.
  const double size_of_sums = squashes_sums(task) ? std::sqrt(static_cast<double>(length)) / 3 : 0;
  int output = 0;
  data.is_sampled_whole = true;
  for (const int index : task.outputs()) {
    for (const ir::Buffer& buffer : task.ops[static_cast<std::size_t>(index)].outputs) {
      const std::vector<std::int64_t> elements =
          elements_to_check(buffer->shape, static_cast<double>(length), options);
      data.is_sampled_whole &= std::ssize(elements) == ir::span_elements(*buffer);
      const std::vector<double> values = task::evaluate_at(task, input, output, elements);
      const auto parameter = static_cast<std::int32_t>(placeholders.size()) + output++;
      data.tolerances[static_cast<std::size_t>(parameter)] *=
          std::max(1.0, size_of_sums / root_mean_square(values));
      for (std::size_t i = 0; i < elements.size(); ++i) {
        data.samples.push_back({parameter, place_in_buffer(*buffer, elements[i]), values[i]});
      }
    }
  }
  return data;
}

}  // namespace hone::measure
