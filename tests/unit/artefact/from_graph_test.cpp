// Networks compiled without tuning, written, opened and run, against the plain definition.
#include "artefact/from_graph.h"

#include <gtest/gtest.h>

#include <atomic>
#include <filesystem>
#include <thread>

#include "artefact/session.h"
#include "artefact/write.h"
#include "base/error.h"
#include "graph/builder.h"
#include "graph/evaluate.h"
#include "graph/from_model.h"
#include "graph/passes.h"
#include "model/builtin.h"
#include "model/compare.h"
#include "space/tiling.h"
#include "tests/graph_generator/graph_generator.h"
#include "tests/shared_data.h"

namespace hone::artefact {
namespace {

using graph::Graph;
using graph::ValueId;
using graph::ValueType;
using model::Tensor;

FromGraphOptions options() { return {.target = target::host(), .threads = 2}; }

Session open(const Artefact& artefact) {
  const std::string path = temporary_file("network.hone");
  write(build(artefact), path);
  Session session(path);
  std::filesystem::remove(path);  // it stays mapped
  return session;
}

// The largest of all outputs.
double error_of(const Artefact& artefact, const Graph& definition, const std::vector<Tensor>& inputs) {
  const std::vector<Tensor> got = open(artefact).run(inputs);
  const std::vector<Tensor> want = graph::evaluate(definition, inputs);
  EXPECT_EQ(got.size(), want.size());
  double error = 0;
  for (std::size_t i = 0; i < want.size(); ++i)
    error = std::max(error, model::relative_error(got[i], want[i]));
  return error;
}

double error_of(const Graph& graph, std::uint64_t seed) {
  return error_of(from_graph(graph::run_passes(graph), options()), graph,
                  test::random_inputs(graph, seed));
}

// Integers are indices of tables: 0, or 1 in the last place.
std::vector<Tensor> inputs_of(const Graph& graph) {
  std::vector<Tensor> inputs = test::random_inputs(graph, 1);
  for (Tensor& input : inputs) {
    if (ir::is_float(input.type())) continue;
    input = Tensor::zeros(input.type(), input.shape());
    input.writable()[input.bytes().size() - static_cast<std::size_t>(ir::size_bytes(input.type()))] =
        std::byte{1};
  }
  return inputs;
}

double error_of_builtin(const char* name) {
  const Graph graph = graph::from_model(model::builtin(name));
  return error_of(from_graph(graph::run_passes(graph), options()), graph, inputs_of(graph));
}

TEST(FromGraph, BertTiny) { EXPECT_LE(error_of_builtin("bert_tiny"), 1e-4); }
TEST(FromGraph, Dcgan) { EXPECT_LE(error_of_builtin("dcgan"), 1e-4); }
TEST(FromGraph, SqueezeNet) { EXPECT_LE(error_of_builtin("squeezenet"), 1e-4); }

bool same_bits(const std::vector<Tensor>& a, const std::vector<Tensor>& b) {
  return std::ranges::equal(
      a, b, [](const Tensor& x, const Tensor& y) { return std::ranges::equal(x.bytes(), y.bytes()); });
}

// Softmax, layer norms and matrix products: whoever runs which piece of them, and however many ask.
TEST(FromGraph, ThreadsAndCallersChangeNoBit) {
  const Graph graph = graph::from_model(model::builtin("bert_tiny"));
  const Session session = open(from_graph(graph::run_passes(graph), options()));
  const std::vector<Tensor> inputs = inputs_of(graph);
  set_threads(1);
  const std::vector<Tensor> alone = session.run(inputs);
  for (const int threads : {2, 3}) {
    set_threads(threads);
    EXPECT_TRUE(same_bits(session.run(inputs), alone)) << threads;
    std::atomic<int> wrong{0};
    std::vector<std::jthread> callers;
    for (int i = 0; i < 8; ++i) {
      callers.emplace_back([&] {
        for (int k = 0; k < 5; ++k) wrong += same_bits(session.run(inputs), alone) ? 0 : 1;
      });
    }
    callers.clear();
    EXPECT_EQ(wrong, 0) << threads;
  }
  set_threads(0);
}

// Each of them alone, as on a machine that can run no other.
TEST(FromGraph, EveryVariantOfAPortableArtefactComputesTheSame) {
  if (target::host().arch != target::Arch::X86_64) GTEST_SKIP() << "runs x86-64 code";
  const Graph graph = graph::from_model(model::builtin("bert_tiny"));
  FromGraphOptions portable = options();
  portable.others = target::portable(target::Arch::X86_64);
  const Artefact all = from_graph(graph::run_passes(graph), portable);
  ASSERT_EQ(all.variants.size(), 3u);
  EXPECT_EQ(open(all).about().target, target::to_string(target::host()));
  for (const Variant& variant : all.variants) {
    Artefact one = all;
    one.variants = {variant};
    EXPECT_LE(error_of(one, graph, inputs_of(graph)), 1e-4) << variant.target.name;
  }
}

TEST(FromGraph, RandomGraphs) {
  const std::uint64_t first = std::stoull(setting_or("HONE_PROPERTY_SEED", "1000"));
  for (std::uint64_t seed = first; seed < first + 20; ++seed)
    EXPECT_LE(error_of(test::random_graph(seed), seed), 1e-4) << "seed " << seed;
}

TEST(FromGraph, AMapThatNeedsNoOperandIsOneKernel) {
  graph::Builder builder;
  const ValueId x = builder.input("x", {ir::Scalar::F32, {4, 4}});
  const ValueId turned = builder.apply("turn", graph::Transpose{{1, 0}}, {x});
  const ValueId zero = builder.map("zero", {turned}, [](const auto&) { return ir::float_imm(0); });
  const ValueId y = builder.unary("exp", ir::Function::Exp, zero);
  const Graph graph = builder.finish({y});
  EXPECT_EQ(error_of(from_graph(graph, options()), graph, test::random_inputs(graph, 1)), 0);
}

int copies_in(const Artefact& artefact) {
  int copies = 0;
  for (const Step& step : artefact.variants[0].program.steps)
    copies += std::holds_alternative<Copy>(step.action) ? 1 : 0;
  return copies;
}

const ValueType kSquare{ir::Scalar::F32, {4, 4}};

// A concatenation in another one: only b, which nobody makes, is copied.
TEST(FromGraph, WhatIsConcatenatedOutermostIsMadeInItsPlace) {
  graph::Builder builder;
  const ValueType half{ir::Scalar::F32, {1, 2, 5, 3}};
  const ValueId a = builder.input("a", half), b = builder.input("b", half);
  const auto abs = [&](ValueId x) { return builder.unary("abs", ir::Function::Abs, x); };
  const ValueId inner = builder.add("inner", graph::Concat{1}, {abs(a), b})[0];
  const ValueId outer = builder.add("outer", graph::Concat{1}, {inner, abs(b), abs(a)})[0];
  const Graph graph = builder.finish({outer});
  const Artefact artefact = from_graph(graph, options());
  EXPECT_EQ(copies_in(artefact), 1);
  EXPECT_EQ(artefact.variants[0].program.steps.size(), 4u);
  EXPECT_EQ(error_of(artefact, graph, test::random_inputs(graph, 1)), 0);
}

TEST(FromGraph, OtherConcatenationsCopyRows) {
  graph::Builder builder;
  const ValueId a = builder.input("a", {ir::Scalar::F32, {4, 2, 3}});
  const ValueId b = builder.input("b", {ir::Scalar::F32, {4, 1, 3}});
  const Graph graph = builder.finish(builder.add("concat", graph::Concat{1}, {a, b, a}));
  const Artefact artefact = from_graph(graph, options());
  EXPECT_EQ(copies_in(artefact), 3);
  EXPECT_EQ(error_of(artefact, graph, test::random_inputs(graph, 1)), 0);
}

TEST(FromGraph, ResultsThatNobodyComputesAreCopied) {
  graph::Builder builder;
  const ValueId x = builder.input("x", kSquare);
  const ValueId flat = builder.apply("flat", graph::Reshape{{16}}, {x});
  const ValueId y = builder.unary("exp", ir::Function::Exp, x);
  const ValueId y_flat = builder.apply("y_flat", graph::Reshape{{16}}, {y});
  const ValueId one = builder.constant(test::random_inputs(test::random_graph(1), 1)[0], "one");
  const Graph graph = builder.finish({flat, y_flat, one, y});
  const Artefact artefact = from_graph(graph, options());
  EXPECT_EQ(copies_in(artefact), 3);  // y_flat is written where it is wanted
  EXPECT_LE(error_of(artefact, graph, test::random_inputs(graph, 1)), 1e-6);
}

// Carries two values that change places, and stacks one of them.
Graph swapping_loop(bool reverse) {
  graph::Builder body;
  const ValueType row{ir::Scalar::F32, {4}};
  const ValueId a = body.input("a", row), b = body.input("b", row), slice = body.input("slice", row);
  const ValueId sum = body.binary("sum", ir::BinaryOp::Add, a, slice);
  const auto inner = std::make_shared<const Graph>(body.finish({b, sum, sum, a}));
  graph::Builder outer;
  const ValueId a0 = outer.input("a0", row), b0 = outer.input("b0", row);
  const ValueId x = outer.input("x", {ir::Scalar::F32, {5, 4}});
  const graph::Loop loop{.body = inner, .trips = 5, .carried = 2, .scanned = 1, .reverse = reverse};
  return outer.finish(outer.add("loop", loop, {a0, b0, x}));
}

TEST(FromGraph, LoopsCarryScanAndStack) {
  for (const bool reverse : {false, true}) {
    const Graph graph = swapping_loop(reverse);
    EXPECT_LE(error_of(from_graph(graph, options()), graph, test::random_inputs(graph, 1)), 1e-6);
  }
}

TEST(FromGraph, ALoopInALoopIsNamed) {
  graph::Builder middle;
  const ValueType row{ir::Scalar::F32, {4}};
  const Graph inner = swapping_loop(false);
  const ValueId a = middle.input("a", row), b = middle.input("b", row);
  const ValueId x = middle.input("x", {ir::Scalar::F32, {5, 4}});
  const auto outputs = middle.add("deep", inner.nodes[0].op, {a, b, x});
  const auto body = std::make_shared<const Graph>(middle.finish({outputs[0], outputs[1]}));
  graph::Builder outer;
  const std::vector<ValueId> inputs = {outer.input("a", row), outer.input("b", row),
                                       outer.input("x", {ir::Scalar::F32, {5, 4}})};
  const Graph graph =
      outer.finish(outer.add("loop", graph::Loop{.body = body, .trips = 3, .carried = 2}, inputs));
  try {
    from_graph(graph, options());
    FAIL();
  } catch (const UserError& error) {
    EXPECT_NE(std::string(error.what()).find("`deep`"), std::string::npos) << error.what();
  }
}

TEST(FromGraph, ATaskIsCompiledOnceWithItsTunedSchedule) {
  graph::Builder builder;
  ValueId x = builder.input("x", kSquare);
  for (int i = 0; i < 3; ++i) {
    x = builder.apply("product", graph::MatMul{}, {x, x});
  }
  const Graph graph = builder.finish({x});
  FromGraphOptions tuned = options();
  int asked = 0;
  tuned.tuned = [&](const task::Task& task) {
    ++asked;
    return TunedSchedule{space::analytic_steps(task, tuned.target, 1), true, "a line"};
  };
  const Artefact artefact = from_graph(graph, tuned);
  EXPECT_EQ(asked, 1);
  ASSERT_EQ(artefact.variants[0].kernels.size(), 1u);
  EXPECT_EQ(artefact.variants[0].kernels[0].record, "a line");
  EXPECT_EQ(artefact.variants[0].program.steps.size(), 3u);
  EXPECT_LE(error_of(artefact, graph, test::random_inputs(graph, 1)), 1e-5);
}

}  // namespace
}  // namespace hone::artefact
