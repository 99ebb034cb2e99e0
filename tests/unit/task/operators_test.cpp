// Products, rows and elements of the catalogue against loops written from their definitions.
#include <fmt/format.h>

#include <algorithm>

#include "tests/unit/task/answered.h"

namespace hone::task {
namespace {

TEST(Operators, MatmulSumsRowsTimesColumns) {
  Answered r = run("matmul:m=3,n=5,k=4");
  Array expected = zeros({3, 5});
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 5; ++j) {
      for (int k = 0; k < 4; ++k)
        expected.at({i, j}) += r.input("A").at({i, k}) * r.input("B").at({k, j});
    }
  }
  expect_near(r.output(), expected);
}

TEST(Operators, DenseAndTransposedMatmulTakeTheWeightByRows) {
  for (const char* text : {"dense:m=3,n=5,k=4", "matmul:m=3,n=5,k=4,trans=t"}) {
    Answered r = run(text);
    Array expected = zeros({3, 5});
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 5; ++j) {
        for (int k = 0; k < 4; ++k)
          expected.at({i, j}) += r.input("A").at({i, k}) * r.input("B").at({j, k});
      }
    }
    expect_near(r.output(), expected);
  }
}

TEST(Operators, BatchMatmulMultipliesPairByPair) {
  for (const bool transposed : {false, true}) {
    Answered r = run(fmt::format("batch_matmul:b=2,m=3,n=5,k=4,trans={}", transposed ? "t" : "n"));
    Array expected = zeros({2, 3, 5});
    for (int b = 0; b < 2; ++b) {
      for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 5; ++j) {
          for (int k = 0; k < 4; ++k) {
            expected.at({b, i, j}) += r.input("A").at({b, i, k}) *
                                      r.input("B").at(transposed ? Indices{b, j, k} : Indices{b, k, j});
          }
        }
      }
    }
    expect_near(r.output(), expected);
  }
}

TEST(Operators, TransposeBatchMatmulScoresQueriesAgainstKeys) {
  Answered r = run("transpose_batch_matmul:b=2,seq=3,heads=2,dim=4");
  Array expected = zeros({2, 2, 3, 3});
  for (int b = 0; b < 2; ++b) {
    for (int h = 0; h < 2; ++h) {
      for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) {
          for (int d = 0; d < 4; ++d) {
            expected.at({b, h, i, j}) += r.input("Q").at({b, i, h, d}) * r.input("K").at({b, j, h, d});
          }
        }
      }
    }
  }
  expect_near(r.output(), expected);
}

TEST(Operators, SoftmaxRowsSumToOneInProportionToTheirExponentials) {
  Answered r = run("softmax:rows=3,cols=5");
  Array expected = zeros({3, 5});
  for (int i = 0; i < 3; ++i) {
    double sum = 0;
    for (int j = 0; j < 5; ++j) sum += std::exp(r.input("A").at({i, j}));
    for (int j = 0; j < 5; ++j) expected.at({i, j}) = std::exp(r.input("A").at({i, j})) / sum;
  }
  expect_near(r.output(), expected);
}

TEST(Operators, LayerNormShiftsAndScalesRows) {
  Answered r = run("layer_norm:rows=3,cols=8");
  Array expected = zeros({3, 8});
  for (int i = 0; i < 3; ++i) {
    double mean = 0, variance = 0;
    for (int j = 0; j < 8; ++j) mean += r.input("A").at({i, j}) / 8;
    for (int j = 0; j < 8; ++j) variance += std::pow(r.input("A").at({i, j}) - mean, 2) / 8;
    for (int j = 0; j < 8; ++j) {
      expected.at({i, j}) =
          (r.input("A").at({i, j}) - mean) / std::sqrt(variance + 1e-5) * r.input("gamma").at({j}) +
          r.input("beta").at({j});
    }
  }
  expect_near(r.output(), expected, 1e-6);
}

TEST(Operators, NormIsTheRootOfAllSquares) {
  Answered r = run("norm:b=2,m=3,n=4");
  Array expected = zeros({2});
  for (std::size_t i = 0; i < 24; ++i) expected.values[i / 12] += std::pow(r.input("A").values[i], 2);
  for (double& value : expected.values) value = std::sqrt(value);
  expect_near(r.output(), expected);
}

TEST(Operators, ArgmaxTakesTheFirstOfEquals) {
  Answered r = run("argmax:rows=2,cols=4,type=i32");
  r.input("A").values = {1, 7, 3, 7, -5, -6, -5, -9};
  r.answer();
  ASSERT_EQ(r.outputs.size(), 2u);
  EXPECT_EQ(r.outputs[0].values, (std::vector<double>{1, 0}));
  EXPECT_EQ(r.outputs[1].values, (std::vector<double>{7, -5}));
}

TEST(Operators, ElementwiseFunctionsAreThoseOfTheirNames) {
  struct Case {
    const char* name;
    double (*function)(double, double);
  };
  const std::vector<Case> cases = {
      {"exp", [](double a, double) { return std::exp(a); }},
      {"log", [](double a, double) { return std::log(a); }},
      {"erf", [](double a, double) { return std::erf(a); }},
      {"tanh", [](double a, double) { return std::tanh(a); }},
      {"sqrt", [](double a, double) { return std::sqrt(a); }},
      {"rsqrt", [](double a, double) { return 1 / std::sqrt(a); }},
      {"sigmoid", [](double a, double) { return 1 / (1 + std::exp(-a)); }},
      {"abs", [](double a, double) { return std::fabs(a); }},
      {"floor", [](double a, double) { return std::floor(a); }},
      {"ceil", [](double a, double) { return std::ceil(a); }},
      {"round", [](double a, double) { return std::nearbyint(a); }},
      {"gelu", [](double a, double) { return a * 0.5 * (1 + std::erf(a / std::sqrt(2))); }},
      {"hswish", [](double a, double) { return a * std::clamp(a + 3, 0.0, 6.0) / 6; }},
      {"relu", [](double a, double) { return std::max(a, 0.0); }},
      {"relu6", [](double a, double) { return std::clamp(a, 0.0, 6.0); }},
      {"add", [](double a, double b) { return a + b; }},
      {"sub", [](double a, double b) { return a - b; }},
      {"mul", [](double a, double b) { return a * b; }},
      {"div", [](double a, double b) { return a / b; }},
      {"min", [](double a, double b) { return std::min(a, b); }},
      {"max", [](double a, double b) { return std::max(a, b); }},
      {"pow", [](double a, double b) { return std::pow(a, b); }},
  };
  std::size_t n_functions = 0;
  for (const OperatorHelp& op : catalogue()) {
    for (const KeyHelp& key : op.keys) n_functions += key.name == "fn" ? key.words.size() : 0;
  }
  EXPECT_EQ(cases.size(), n_functions);
  for (const auto& [name, function] : cases) {
    SCOPED_TRACE(name);
    Answered r = run(fmt::format("elementwise:n=9,fn={}", name));
    std::vector<double>& a = r.inputs[0].values;
    a = {0.1, 0.5, 1, 1.5, 2.5, 3.5, 7, 20, 0.25};
    const bool of_any_sign = std::string(name).find("log") == std::string::npos &&
                             std::string(name).find("sqrt") == std::string::npos &&
                             name != std::string("pow");
    if (of_any_sign) a[1] = -2.5, a[7] = -20;
    r.answer();
    Array expected = zeros({9});
    for (std::size_t i = 0; i < 9; ++i) {
      expected.values[i] = function(a[i], r.inputs.size() > 1 ? r.inputs[1].values[i] : 0);
    }
    expect_near(r.output(), expected, 1e-6);
  }
}

TEST(Operators, SmallIntegersAddUpInWideOnes) {
  Answered r = run("matmul:m=1,n=1,k=1000,type=i8");
  for (Array& input : r.inputs) std::fill(input.values.begin(), input.values.end(), 127);
  r.answer();
  EXPECT_EQ(r.output().values.at(0), 127.0 * 127 * 1000);
}

TEST(Operators, ElementsOfIntegersWrap) {
  Answered r = run("elementwise:n=2,fn=add,type=i8");
  r.inputs[0].values = {100, -100};
  r.inputs[1].values = {100, -100};
  r.answer();
  EXPECT_EQ(r.output().values, (std::vector<double>{-56, 56}));
}

}  // namespace
}  // namespace hone::task
