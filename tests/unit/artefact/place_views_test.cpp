// Concatenations and splits of networks: what is copied, what is not, and that all of it is right.
#include "artefact/place_views.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "artefact/from_graph.h"
#include "artefact/lifetimes.h"
#include "artefact/plan_memory.h"
#include "artefact/session.h"
#include "artefact/task_program.h"
#include "artefact/write.h"
#include "base/random.h"
#include "graph/builder.h"
#include "graph/evaluate.h"
#include "model/compare.h"
#include "tests/graph_generator/graph_generator.h"
#include "tests/shared_data.h"

namespace hone::artefact {
namespace {

using graph::Graph;
using graph::ValueId;
using model::Shape;
using model::Tensor;

std::size_t at(int i) { return static_cast<std::size_t>(i); }

// Functions of elements, pools, concatenations, slices and reshapes of [1 or 2, h, w, c].
class ViewsGraph {
 public:
  explicit ViewsGraph(std::uint64_t seed) : random_(seed, 7) {
    for (int i = 0; i < 2; ++i) values_.push_back(input());
    for (int i = 0; i < 12; ++i) add();
    std::vector<ValueId> outputs = {values_.back()};
    if (random_.below(2) == 0) outputs.push_back(pick());
    graph_ = builder_.finish(outputs);
  }
  Graph take() { return std::move(graph_); }

 private:
  ValueId input() {
    const Shape shape = {1 + random_.below(2), 3 + random_.below(3), 4, 8 * (1 + random_.below(3))};
    return builder_.input("x" + std::to_string(values_.size()), {ir::Scalar::F32, shape});
  }
  const Shape& shape(ValueId id) const { return builder_.type(id).shape; }
  ValueId pick() {
    const std::int64_t back = std::min(random_.below(std::ssize(values_)), random_.below(5));
    return values_[values_.size() - 1 - static_cast<std::size_t>(back)];
  }
  std::string name() const { return "v" + std::to_string(values_.size()); }

  void add() {
    const std::int64_t kind = random_.below(8);
    const ValueId x = pick();
    const int axis = static_cast<int>(random_.below(4));
    if (kind < 3) {
      add_concat(x, axis);
    } else if (kind < 5 && shape(x)[at(axis)] > 1) {
      graph::Slice slice{{0, 0, 0, 0}, {1, 1, 1, 1}, shape(x)};
      slice.starts[at(axis)] = random_.below(shape(x)[at(axis)] - 1);
      slice.shape[at(axis)] = 1 + random_.below(shape(x)[at(axis)] - slice.starts[at(axis)]);
      values_.push_back(builder_.apply(name(), slice, {x}));
    } else if (kind == 5) {
      values_.push_back(builder_.unary(name(), ir::Function::Abs, x));
    } else if (kind == 6) {
      values_.push_back(pooled(x));
    } else {
      const Shape flat = {shape(x)[0], shape(x)[1] * shape(x)[2], shape(x)[3]};
      const ValueId rows = builder_.apply(name() + "rows", graph::Reshape{flat}, {x});
      const ValueId scaled = builder_.binary(name() + "scaled", ir::BinaryOp::Mul, rows, scale(x));
      values_.push_back(builder_.apply(name(), graph::Reshape{shape(x)}, {scaled}));
    }
  }

  // One number a channel: rows stay a dimension of their own.
  ValueId scale(ValueId x) {
    Tensor numbers = Tensor::zeros(ir::Scalar::F32, {shape(x)[3]});
    auto* data = reinterpret_cast<float*>(numbers.writable().data());
    for (std::int64_t i = 0; i < numbers.size(); ++i) data[i] = 0.5F + static_cast<float>(i % 7) / 8;
    return builder_.constant(numbers, name() + "scale");
  }

  // With what has the same extents along other axes; the larger one is cut to fit.
  void add_concat(ValueId x, int axis) {
    std::vector<ValueId> inputs = {x};
    for (std::int64_t more = random_.below(5); more >= 0; --more) {
      graph::Slice fit{{0, 0, 0, 0}, {1, 1, 1, 1}, shape(x)};
      const ValueId other = pick();
      fit.shape[at(axis)] = shape(other)[at(axis)];
      bool is_large = true;
      for (std::size_t d = 0; d < 4; ++d) is_large = is_large && fit.shape[d] <= shape(other)[d];
      if (!is_large) continue;
      const bool is_whole = fit.shape == shape(other);
      inputs.push_back(is_whole ? other : pooled(builder_.apply(name() + "fit", fit, {other})));
    }
    if (total(inputs) < 20000) values_.push_back(builder_.add(name(), graph::Concat{axis}, inputs)[0]);
  }
  std::int64_t total(const std::vector<ValueId>& values) const {
    std::int64_t elements = 0;
    for (const ValueId id : values) elements += model::elements(shape(id));
    return elements;
  }

  ValueId pooled(ValueId x) {
    const graph::Window window{.kernel = {2, 2},
                               .strides = {1, 1},
                               .dilations = {1, 1},
                               .before = {1, 0},
                               .after = {0, 1},
                               .layout = graph::Layout::ChannelsLast};
    return builder_.apply(name() + "pool", graph::Pool{graph::Reduction::Max, window}, {x});
  }

  Random random_;
  graph::Builder builder_;
  std::vector<ValueId> values_;
  Graph graph_;
};

struct Counted {
  int copies = 0, strided = 0;
};
Counted count(const TaskProgram& made) {
  Counted counted;
  for (const Step& step : made.program.steps)
    counted.copies += std::holds_alternative<Copy>(step.action) ? 1 : 0;
  for (const PlacedTask& task : made.tasks) counted.strided += task.strides.empty() ? 0 : 1;
  return counted;
}

std::vector<std::vector<Tensor>> run(const Graph& graph, const std::vector<Tensor>& inputs) {
  const std::string path = temporary_file("views.hone");
  write(build(from_graph(graph, {.target = target::host(), .threads = 2})), path);
  const Session session(path);
  std::filesystem::remove(path);
  std::vector<std::vector<Tensor>> answers;
  for (const int threads : {1, 2, 3}) {
    set_threads(threads);
    answers.push_back(session.run(inputs));
  }
  set_threads(0);
  return answers;
}

void expect_right(const Graph& graph, std::uint64_t seed) {
  const std::vector<Tensor> inputs = test::random_inputs(graph, seed);
  const std::vector<Tensor> want = graph::evaluate(graph, inputs);
  const auto answers = run(graph, inputs);
  for (std::size_t i = 0; i < want.size(); ++i) {
    EXPECT_LE(model::relative_error(answers[0][i], want[i]), 1e-6) << "seed " << seed;
    for (const std::vector<Tensor>& other : answers)
      EXPECT_TRUE(std::ranges::equal(other[i].bytes(), answers[0][i].bytes())) << "seed " << seed;
  }
}

TEST(PlaceViews, RandomGraphsComputeTheSameOnAnyThreads) {
  const std::uint64_t first = std::stoull(setting_or("HONE_PROPERTY_SEED", "0"));
  int strided = 0;
  for (std::uint64_t seed = first; seed < first + 25; ++seed) {
    const Graph graph = ViewsGraph(seed).take();
    strided += count(task_program(graph)).strided;
    expect_right(graph, seed);
  }
  EXPECT_GT(strided, 25);
}

// Who wrote each byte last, in a memory where buffers lie at the given places.
class Shadow {
 public:
  Shadow(const TaskProgram& made, std::vector<std::int64_t> offsets, std::int64_t bytes)
      : made_(made), offsets_(std::move(offsets)), writers_(static_cast<std::size_t>(bytes), -1) {}

  // Of all bytes that are read, in order.
  std::vector<int> run() {
    for (std::size_t s = 0; s < made_.program.steps.size(); ++s) {
      const Step& step = made_.program.steps[s];
      const std::vector<Access> accesses = accesses_of(step);
      for (std::size_t i = 0; i < accesses.size(); ++i) {
        const RootPlace root = root_of(made_.program, accesses[i].operand.buffer);
        const std::int64_t begin = offsets_[at(root.buffer)];
        if (begin < 0) continue;  // not in the arena
        const std::int64_t first = begin + root.offset_bytes + accesses[i].operand.offset_bytes;
        for (const std::int64_t byte : bytes_of(step, i)) {
          int& writer = writers_.at(static_cast<std::size_t>(first + byte));
          if (accesses[i].is_written) {
            writer = static_cast<int>(s);
          } else {
            seen_.push_back(writer);
          }
        }
      }
    }
    return seen_;
  }

 private:
  // That an operand has, from its first.
  std::vector<std::int64_t> bytes_of(const Step& step, std::size_t operand) const {
    Shape shape;
    Strides strides;  // in bytes
    if (const auto* copy = std::get_if<Copy>(&step.action)) {
      shape = {copy->rows, copy->row_bytes};
      strides = {operand == 0 ? copy->from_stride_bytes : copy->to_stride_bytes, 1};
    } else {
      const PlacedTask& placed = made_.tasks[at(std::get<KernelCall>(step.action).kernel)];
      std::vector<int> ops = placed.task->placeholders();
      ops.push_back(placed.task->outputs().front());
      shape = placed.task->ops[at(ops[operand])].output()->shape;
      const bool is_strided = !placed.strides.empty() && !placed.strides[operand].empty();
      strides = is_strided ? placed.strides[operand] : dense_strides(shape);
      for (std::int64_t& stride : strides) stride *= 4;
      shape.push_back(4);
      strides.push_back(1);
    }
    std::vector<std::int64_t> bytes = {0};
    for (std::size_t d = 0; d < shape.size(); ++d) {
      std::vector<std::int64_t> more;
      for (const std::int64_t byte : bytes) {
        for (std::int64_t i = 0; i < shape[d]; ++i) more.push_back(byte + i * strides[d]);
      }
      bytes = std::move(more);
    }
    return bytes;
  }

  const TaskProgram& made_;
  std::vector<std::int64_t> offsets_;
  std::vector<int> writers_, seen_;
};

// Every byte that a step reads was written, and by whom it would have been with no memory shared.
TEST(PlaceViews, NothingIsOverwrittenBeforeItIsRead) {
  for (std::uint64_t seed = 100; seed < 200; ++seed) {
    const TaskProgram made = task_program(ViewsGraph(seed).take());
    const MemoryPlan plan = plan_memory(made.program);
    std::vector<std::int64_t> apart;
    std::int64_t end = 0;
    for (const Buffer& buffer : made.program.buffers) {
      apart.push_back(buffer.place == Place::Arena ? end : -1);
      end += buffer.place == Place::Arena ? buffer.size_bytes : 0;
    }
    const std::vector<int> alone = Shadow(made, apart, end).run();
    EXPECT_EQ(alone, Shadow(made, plan.offsets, plan.arena_bytes).run()) << "seed " << seed;
    EXPECT_EQ(std::ranges::count(alone, -1), 0) << "seed " << seed;
  }
}

ValueId pool(graph::Builder& builder, const std::string& name, ValueId x) {
  const graph::Window window{.kernel = {2, 2},
                             .strides = {1, 1},
                             .dilations = {1, 1},
                             .before = {0, 0},
                             .after = {1, 1},
                             .layout = graph::Layout::ChannelsLast};
  return builder.apply(name, graph::Pool{graph::Reduction::Max, window}, {x});
}

// Each layer reads what all layers before it made.
TEST(PlaceViews, AConcatenationThatGrowsIsOneBuffer) {
  graph::Builder builder;
  std::vector<ValueId> features = {
      pool(builder, "first", builder.input("x", {ir::Scalar::F32, {1, 5, 6, 16}}))};
  for (int i = 0; i < 5; ++i) {
    const ValueId all =
        i == 0 ? features[0]
               : builder.add("all" + std::to_string(i), graph::Concat{3}, features).front();
    graph::Slice some{{0, 0, 0, 0}, {1, 1, 1, 1}, {1, 5, 6, 16}};
    features.push_back(pool(builder, "pool" + std::to_string(i), builder.apply("some", some, {all})));
  }
  const ValueId last = builder.add("last", graph::Concat{3}, features).front();
  const Graph graph = builder.finish({pool(builder, "y", last)});
  const TaskProgram made = task_program(graph);
  EXPECT_EQ(count(made).copies, 0);
  EXPECT_EQ(made.program.steps.size(), 7U);  // the pools, and nothing for slices
  int temporaries = 0;
  for (const Buffer& buffer : made.program.buffers) temporaries += buffer.place == Place::Arena ? 1 : 0;
  EXPECT_EQ(temporaries, 1) << print(made.program);
  expect_right(graph, 1);
}

TEST(PlaceViews, WhatReadsRowsAsOneDimensionGetsACopy) {
  graph::Builder builder;
  const ValueId x = builder.input("x", {ir::Scalar::F32, {5, 6, 16}});
  const ValueId abs = builder.unary("abs", ir::Function::Abs, x);  // a task over 480 elements
  const Graph graph = builder.finish(builder.add("both", graph::Concat{2}, {abs, x}));
  EXPECT_EQ(count(task_program(graph)).copies, 2);
  EXPECT_EQ(count(task_program(graph)).strided, 0);
  expect_right(graph, 2);
}

TEST(PlaceViews, SlicesOfAnInputAreReadWhereTheyLie) {
  graph::Builder builder;
  const ValueId x = builder.input("x", {ir::Scalar::F32, {1, 5, 6, 48}});
  std::vector<ValueId> parts;
  for (const std::int64_t start : {0, 16, 32}) {
    const graph::Slice part{{0, 0, 0, start}, {1, 1, 1, 1}, {1, 5, 6, 16}};
    parts.push_back(pool(builder, "pool", builder.apply("part", part, {x})));
  }
  const Graph graph =
      builder.finish({builder.add("swapped", graph::Concat{3}, {parts[2], parts[1], parts[0]})[0]});
  const TaskProgram made = task_program(graph);
  EXPECT_EQ(made.program.steps.size(), 3U) << print(made.program);
  expect_right(graph, 3);
}

// Half of what is carried goes on as another value, after the whole has been replaced.
TEST(PlaceViews, ALoopCarriesNoViewOfWhatItReplaces) {
  graph::Builder body;
  const graph::ValueType half{ir::Scalar::F32, {4}};
  const ValueId a = body.input("a", {ir::Scalar::F32, {8}}), b = body.input("b", half);
  const ValueId tail = body.apply("tail", graph::Slice{{4}, {1}, {4}}, {a});
  const ValueId twice = body.binary("twice", ir::BinaryOp::Add, a, a);
  const ValueId sum = body.binary("sum", ir::BinaryOp::Add, b, b);
  const auto inner = std::make_shared<const Graph>(body.finish({twice, tail, sum}));
  graph::Builder outer;
  const ValueId a0 = outer.input("a0", {ir::Scalar::F32, {8}}), b0 = outer.input("b0", half);
  const auto results =
      outer.add("loop", graph::Loop{.body = inner, .trips = 3, .carried = 2}, {a0, b0});
  expect_right(outer.finish(results), 4);
}

// What a loop stacks is a part of a concatenation, behind another one.
TEST(PlaceViews, ALoopStacksIntoItsPartOfAConcatenation) {
  for (const bool reverse : {false, true}) {
    graph::Builder body;
    const graph::ValueType row{ir::Scalar::F32, {4}};
    const ValueId state = body.input("state", row), slice = body.input("slice", row);
    const ValueId sum = body.binary("sum", ir::BinaryOp::Add, state, slice);
    const auto inner = std::make_shared<const Graph>(body.finish({sum, sum}));
    graph::Builder outer;
    const ValueId zero = outer.input("zero", row), x = outer.input("x", {ir::Scalar::F32, {5, 4}});
    const graph::Loop loop{.body = inner, .trips = 5, .carried = 1, .scanned = 1, .reverse = reverse};
    const ValueId stacked = outer.add("loop", loop, {zero, x})[1];
    const ValueId abs = outer.unary("abs", ir::Function::Abs, x);
    expect_right(outer.finish(outer.add("both", graph::Concat{0}, {abs, stacked})), 5);
  }
}

}  // namespace
}  // namespace hone::artefact
