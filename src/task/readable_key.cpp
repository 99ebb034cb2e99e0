#include "task/readable_key.h"

#include <algorithm>
#include <array>
#include <span>
#include <variant>

#include "base/error.h"
#include "base/json.h"
#include "task/ops/image.h"

namespace hone::task {
namespace {

using ops::Axes;
using ops::axis;
using ops::Draft;
using ops::Shape;

using Argument = std::variant<std::int64_t, std::string, Shape>;
using Arguments = std::vector<Argument>;
constexpr std::int64_t kMaxSize = 999'999'999;

struct Call {
  std::string function;
  Arguments arguments;
};

Argument read_argument(JsonCursor& json, std::string_view text) {
  if (json.is_next('"')) return json.string("argument");
  if (json.is_next('[')) {
    Shape sizes;
    json.list([&] { sizes.push_back(json.integer(0, kMaxSize, "size")); });
    return sizes;
  }
  if (!json.is_next('t') && !json.is_next('f')) return json.integer(0, kMaxSize, "size");
  const std::size_t begin = text.size() - json.bytes_left();
  json.skip();
  return std::string(text.substr(begin, text.size() - json.bytes_left() - begin));
}

std::optional<Call> read_call(std::string_view key) {
  Call call;
  try {
    JsonCursor json(key);
    json.expect('[');
    call.function = json.string("name of a function");
    while (json.take(',')) call.arguments.push_back(read_argument(json, key));
    json.expect(']');
    json.expect_end();
  } catch (const UserError&) {
    return {};  // a key of another kind
  }
  return call;
}

// The first `count` arguments when they are all numbers.
std::optional<Shape> numbers(std::span<const Argument> arguments, std::size_t count) {
  if (arguments.size() < count) return {};
  Shape out;
  for (const Argument& argument : arguments.first(count)) {
    const auto* number = std::get_if<std::int64_t>(&argument);
    if (number == nullptr) return {};
    out.push_back(*number);
  }
  return out;
}

bool is_word(const Argument& argument, std::string_view word) {
  const auto* text = std::get_if<std::string>(&argument);
  return text != nullptr && *text == word;
}

// A window over one dimension: of padding that keeps the size, the larger part lies in front.
struct Slide {
  std::int64_t input, kernel, stride;
  ops::Margin margin;

  std::int64_t output() const {
    const std::int64_t room = input + margin.before + margin.after - kernel;
    if (stride < 1 || kernel < 1 || room < 0) throw UserError("the window does not fit the image");
    return room / stride + 1;
  }
  ir::Expr at(const Axis& out, const Axis& tap) const { return ops::times(out.var, stride) + tap.var; }
};

// H, W, then KH, KW, stride, and the padding behind them.
std::optional<std::array<Slide, 2>> slides(const Shape& image, const Shape& window,
                                           const Argument& padding) {
  const bool is_same = is_word(padding, "SAME");
  if (!is_same && !is_word(padding, "VALID") && padding != Argument(std::int64_t{0})) return {};
  std::array<Slide, 2> both;
  for (std::size_t d = 0; d < 2; ++d) {
    const std::int64_t added = is_same ? window[d] - 1 : 0;
    both[d] = {image[d], window[d], window[2], {(added + 1) / 2, added / 2}};
  }
  return both;
}

Axes image_axes(const Shape& sizes) {
  Axes axes;
  for (std::size_t d = 0; d < sizes.size(); ++d)
    axes.push_back(axis("i" + std::to_string(d), sizes[d]));
  return axes;
}

// Convolutions have a stage for padding even where there is none to add.
ir::Buffer padded(Draft& draft, const std::string& name, const ir::Buffer& image,
                  const std::array<Slide, 2>& window, const ir::Expr& value, bool always) {
  const Axes dims = image_axes(image->shape);
  const ir::Buffer out =
      ops::pad(draft, name, image, dims, {{}, {}, window[0].margin, window[1].margin}, value);
  if (out != image || !always) return out;
  const Axes axes = ops::fresh(dims);
  return draft.compute(name, axes, ir::load(image, ops::index_of(axes)));
}

bool write_conv2d(Draft& draft, const Arguments& arguments) {
  const auto n = numbers(arguments, 8);
  if (!n || arguments.size() != 9) return false;
  const auto window = slides({(*n)[2], (*n)[3]}, {(*n)[5], (*n)[6], (*n)[7]}, arguments[8]);
  if (!window) return false;
  const auto& [down, across] = *window;
  const ir::Buffer data = draft.placeholder("data", {(*n)[0], (*n)[1], (*n)[2], (*n)[3]});
  const ir::Buffer image =
      padded(draft, "pad_temp", data, *window, ir::constant(0, draft.type()), true);
  const ir::Buffer kernel = draft.placeholder("kernel", {(*n)[4], (*n)[1], (*n)[5], (*n)[6]});
  const Axis nn = axis("nn", (*n)[0]), ff = axis("ff", (*n)[4]), yy = axis("yy", down.output()),
             xx = axis("xx", across.output());
  const Axis rc = axis("rc", (*n)[1]), ry = axis("ry", down.kernel), rx = axis("rx", across.kernel);
  draft.reduce("compute", {nn, ff, yy, xx}, {Reducer::Sum, {rc, ry, rx}},
               ir::load(image, {nn.var, rc.var, down.at(yy, ry), across.at(xx, rx)}) *
                   ir::load(kernel, {ff.var, rc.var, ry.var, rx.var}));
  return true;
}

bool write_depthwise(Draft& draft, const Arguments& arguments) {
  const auto n = numbers(arguments, 7);
  if (!n || arguments.size() != 8) return false;
  const auto window = slides({(*n)[2], (*n)[3]}, {(*n)[4], (*n)[5], (*n)[6]}, arguments[7]);
  if (!window) return false;
  const auto& [down, across] = *window;
  const ir::Buffer data = draft.placeholder("data", {(*n)[0], (*n)[1], (*n)[2], (*n)[3]});
  const ir::Buffer image =
      padded(draft, "PaddedInput", data, *window, ir::constant(0, draft.type()), true);
  const ir::Buffer kernel = draft.placeholder("kernel", {(*n)[1], 1, (*n)[4], (*n)[5]});
  const Axis b = axis("b", (*n)[0]), c = axis("c", (*n)[1]), i = axis("i", down.output()),
             j = axis("j", across.output());
  const Axis di = axis("di", down.kernel), dj = axis("dj", across.kernel);
  draft.reduce("DepthwiseConv2d", {b, c, i, j}, {Reducer::Sum, {di, dj}},
               ir::load(image, {b.var, c.var, down.at(i, di), across.at(j, dj)}) *
                   ir::load(kernel, {c.var, ir::int_imm(0), di.var, dj.var}));
  return true;
}

bool write_pool(Draft& draft, const Arguments& arguments) {
  if (arguments.size() != 9) return false;
  const bool is_mean = is_word(arguments[0], "avg");
  const auto n = numbers(std::span(arguments).subspan(1), 7);
  if (!n || (!is_mean && !is_word(arguments[0], "max"))) return false;
  const auto window = slides({(*n)[2], (*n)[3]}, {(*n)[4], (*n)[5], (*n)[6]}, arguments[8]);
  if (!window) return false;
  const auto& [down, across] = *window;
  const Reducer reducer = is_mean ? Reducer::Sum : Reducer::Max;
  const ir::Buffer data = draft.placeholder("data", {(*n)[0], (*n)[1], (*n)[2], (*n)[3]});
  const ir::Buffer image =
      padded(draft, "pad_temp", data, *window, identity_of(reducer, draft.type()), false);
  const Axes axes = {axis("ax0", (*n)[0]), axis("ax1", (*n)[1]), axis("ax2", down.output()),
                     axis("ax3", across.output())};
  const Axis ry = axis("rv0", down.kernel), rx = axis("rv1", across.kernel);
  const ir::Buffer pooled = draft.reduce(
      is_mean ? "pool_sum" : "pool_max", axes, {reducer, {ry, rx}},
      ir::load(image, {axes[0].var, axes[1].var, down.at(axes[2], ry), across.at(axes[3], rx)}));
  if (is_mean) {
    const Axes all = ops::fresh(axes);
    const auto elements = static_cast<double>(down.kernel * across.kernel);
    draft.compute("pool_avg", all,
                  ir::load(pooled, ops::index_of(all)) / ir::constant(elements, draft.type()));
  }
  return true;
}

bool write_matmul(Draft& draft, const Arguments& arguments) {
  const auto n = numbers(arguments, 3);
  if (!n || arguments.size() > 4) return false;
  if (arguments.size() == 4 && !is_word(arguments[3], "float32")) return false;
  const ir::Buffer a = draft.placeholder("A", {(*n)[0], (*n)[1]});
  const ir::Buffer b = draft.placeholder("B", {(*n)[1], (*n)[2]});
  const Axis i = axis("i", (*n)[0]), j = axis("j", (*n)[2]), k = axis("k", (*n)[1]);
  draft.reduce("matmul", {i, j}, {Reducer::Sum, {k}},
               ir::load(a, {i.var, k.var}) * ir::load(b, {k.var, j.var}));
  return true;
}

bool write_relu(Draft& draft, const Arguments& arguments) {
  auto sizes = numbers(arguments, arguments.size());
  if (!sizes || sizes->empty()) return false;
  const ir::Buffer data = draft.placeholder("data", *sizes);
  const Axes axes = image_axes(*sizes);
  draft.compute("compute", axes,
                ir::max(ir::load(data, ops::index_of(axes)), ir::constant(0, draft.type())));
  return true;
}

bool write_reduction(Draft& draft, const Arguments& arguments) {
  if (arguments.size() != 3 || !is_word(arguments[2], "false")) return false;
  const auto* sizes = std::get_if<Shape>(&arguments[0]);
  const auto* several = std::get_if<Shape>(&arguments[1]);
  const auto* one = std::get_if<std::int64_t>(&arguments[1]);
  if (sizes == nullptr || (several == nullptr && one == nullptr)) return false;
  const Shape reduced = several != nullptr ? *several : Shape{*one};
  Axes axes, reduce;
  ops::Index index;
  for (std::size_t d = 0; d < sizes->size(); ++d) {
    const bool is_reduced = std::ranges::find(reduced, static_cast<std::int64_t>(d)) != reduced.end();
    Axes& to = is_reduced ? reduce : axes;
    to.push_back(is_reduced ? axis("k" + std::to_string(d), (*sizes)[d])
                            : axis("ax" + std::to_string(axes.size()), (*sizes)[d]));
    index.push_back(to.back().var);
  }
  if (reduce.size() != reduced.size()) return false;
  draft.reduce("data_red", axes, {Reducer::Sum, reduce},
               ir::load(draft.placeholder("data", *sizes), index));
  return true;
}

struct Function {
  std::string_view name;
  bool (*write)(Draft& draft, const Arguments& arguments);  // false: the arguments are of another kind
};
constexpr auto kFunctions = std::to_array<Function>({{"conv2d_layer", write_conv2d},
                                                     {"depthwise_conv2d_layer", write_depthwise},
                                                     {"pool_layer", write_pool},
                                                     {"matmul_layer", write_matmul},
                                                     {"matmul", write_matmul},
                                                     {"ansor_mm", write_matmul},
                                                     {"relu_layer", write_relu},
                                                     {"reduction_layer", write_reduction}});

}  // namespace

std::optional<Task> from_readable_key(std::string_view key) {
  const std::optional<Call> call = read_call(key);
  if (!call) return {};
  const auto known = std::ranges::find(kFunctions, call->function, &Function::name);
  if (known == kFunctions.end()) return {};
  Draft draft(ir::kF32);
  if (!known->write(draft, call->arguments)) return {};
  Task task = draft.finish(call->function);
  task.workload_key = std::string(key);
  return task;
}

}  // namespace hone::task
