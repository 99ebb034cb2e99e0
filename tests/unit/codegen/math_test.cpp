#include <bit>
#include <cmath>
#include <limits>

#include "run.h"

namespace hone::codegen {
namespace {

using ir::Function;

// out[i] = function(x[i]) or function(x[i], y[i]), `lanes` elements at a time.
ir::Program map_program(Function function, ir::Scalar scalar, int n, int lanes) {
  const ir::Type type{scalar, 1};
  const ir::Buffer x = ir::make_buffer("x", type, {n}), y = ir::make_buffer("y", type, {n});
  const ir::Buffer out = ir::make_buffer("out", type, {n});
  ir::Program program{"map", {x, y, out}, {}};
  ir::ProgramWriter writer(program);
  const ir::Expr i = ir::variable("i");
  const ir::Expr place = lanes == 1 ? i : ir::ramp(i * lanes, 1, lanes);
  const auto loop = writer.open(ir::For{i, 0, n / lanes});
  std::vector<ir::Expr> args = {ir::load(x, {place})};
  if (function == Function::Pow) args.push_back(ir::load(y, {place}));
  writer.store(out, {place}, ir::call(function, args));
  writer.close(loop);
  return program;
}

template <class T>
std::vector<T> apply(Function function, const std::vector<T>& x, const std::vector<T>& y,
                     const target::Target& target, int lanes, Build build = build_llvm) {
  constexpr auto kScalar = sizeof(T) == 4 ? ir::Scalar::F32 : ir::Scalar::F64;
  const ir::Program program = map_program(function, kScalar, static_cast<int>(x.size()), lanes);
  std::vector<std::vector<std::byte>> buffers = {bytes_of(x), bytes_of(y),
                                                 bytes_of(std::vector<T>(x.size()))};
  std::vector<std::byte>* pointers[] = {&buffers[0], &buffers[1], &buffers[2]};
  run_kernel(build(program, target), pointers);
  return values_of<T>(buffers[2]);
}

// The function in the next wider type.
template <class Wide>
Wide exact(Function function, Wide x, Wide y) {
  switch (function) {
    case Function::Exp:
      return std::exp(x);
    case Function::Log:
      return std::log(x);
    case Function::Erf:
      return std::erf(x);
    case Function::Tanh:
      return std::tanh(x);
    case Function::Sigmoid:
      return x < 0 ? std::exp(x) / (1 + std::exp(x)) : 1 / (1 + std::exp(-x));
    case Function::Rsqrt:
      return 1 / std::sqrt(x);
    case Function::Pow:
      return std::pow(x, y);
    default:
      ADD_FAILURE();
      return 0;
  }
}

// Distance to the exact value in units of the last place of T there.
template <class T, class Wide>
double ulps(T got, Wide want) {
  const T rounded = static_cast<T>(want);
  if (std::isnan(want)) return std::isnan(got) ? 0 : INFINITY;
  if (std::isinf(rounded) || std::isinf(got)) {
    if (got == rounded) return 0;
    // One step below the overflow threshold or above it is the ordinary rounding error.
    return std::abs(want) < std::numeric_limits<T>::max() * Wide(1.001) &&
                   std::abs(got) >= std::numeric_limits<T>::max()
               ? 1
               : INFINITY;
  }
  int exponent = 0;
  std::frexp(rounded, &exponent);
  exponent = std::max(exponent, std::numeric_limits<T>::min_exponent) - std::numeric_limits<T>::digits;
  return static_cast<double>(std::abs(static_cast<Wide>(got) - want) / std::ldexp(Wide(1), exponent));
}

// Every exponent and sign with many mantissas, the special values, and a dense stretch around zero.
template <class T>
std::vector<T> all_kinds_of_numbers() {
  using Bits = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;
  constexpr int kRandom = 1 << 15, kDense = 1 << 15;
  std::vector<T> x = {0,
                      -T(0),
                      1,
                      -1,
                      INFINITY,
                      -INFINITY,
                      std::numeric_limits<T>::quiet_NaN(),
                      std::numeric_limits<T>::denorm_min(),
                      -std::numeric_limits<T>::denorm_min(),
                      std::numeric_limits<T>::min(),
                      std::numeric_limits<T>::max(),
                      std::numeric_limits<T>::lowest()};
  const Bits step = static_cast<Bits>(std::numeric_limits<Bits>::max() / kRandom) | 1;
  for (Bits i = 0; i < kRandom; ++i) x.push_back(std::bit_cast<T>(static_cast<Bits>(i * step)));
  const T reach = sizeof(T) == 4 ? 105 : 760;
  for (int i = 0; i < kDense; ++i) x.push_back(reach * (2 * static_cast<T>(i) / kDense - 1));
  for (int i = 0; i < kDense; ++i) x.push_back(8 * (2 * static_cast<T>(i) / kDense - 1));
  while (x.size() % 64 != 0) x.push_back(1);
  return x;
}

struct Bound {
  Function function;
  double f32_ulps, f64_ulps;
};

class MathBounds : public testing::TestWithParam<Bound> {};

template <class T, class Wide>
void check_bound(Function function, double bound, std::span<const target::Target> targets,
                 Build build) {
  const std::vector<T> x = all_kinds_of_numbers<T>();
  std::vector<Wide> want;
  for (const T v : x) want.push_back(exact<Wide>(function, v, 0));
  for (const target::Target& target : targets) {
    for (const int lanes : {1, target.lanes(static_cast<int>(sizeof(T)) * 8)}) {
      const std::vector<T> got = apply(function, x, x, target, lanes, build);
      double worst = 0;
      std::size_t where = 0;
      for (std::size_t i = 0; i < x.size(); ++i) {
        const double error = ulps(got[i], want[i]);
        if (error > worst) worst = error, where = i;
      }
      EXPECT_LE(worst, bound) << ir::name_of(function) << '(' << x[where] << ") = " << got[where]
                              << " on " << target.name << ", " << lanes << " lanes";
    }
  }
}

TEST_P(MathBounds, HoldForFloat) {
  check_bound<float, double>(GetParam().function, GetParam().f32_ulps, runnable_targets(), build_llvm);
}
TEST_P(MathBounds, HoldForDouble) {
  check_bound<double, long double>(GetParam().function, GetParam().f64_ulps, runnable_targets(),
                                   build_llvm);
}
TEST_P(MathBounds, HoldInC) {
  const std::vector host = {target::host()};
  check_bound<float, double>(GetParam().function, GetParam().f32_ulps, host, build_c);
  check_bound<double, long double>(GetParam().function, GetParam().f64_ulps, host, build_c);
}

INSTANTIATE_TEST_SUITE_P(Math, MathBounds,
                         testing::Values(Bound{Function::Exp, 1, 1.1}, Bound{Function::Log, 1, 1},
                                         Bound{Function::Erf, 4.5, 2}, Bound{Function::Tanh, 4.5, 2},
                                         Bound{Function::Sigmoid, 2.5, 2.5},
                                         Bound{Function::Rsqrt, 1.5, 1.5}),
                         [](const auto& test) {
                           return std::string(ir::name_of(test.param.function));
                         });

// Pairs that meet every rule of C's pow, and a grid of ordinary ones.
template <class T>
void power_arguments(std::vector<T>& x, std::vector<T>& y) {
  const T inf = INFINITY, nan = std::numeric_limits<T>::quiet_NaN();
  const std::vector<T> special = {0, -T(0), 1,      -1,  T(0.5), -T(0.5), 2,   -2,
                                  3, -3,    T(2.5), inf, -inf,   nan,     100, -101};
  for (const T a : special) {
    for (const T b : special) x.push_back(a), y.push_back(b);
  }
  for (int i = 0; i < 400; ++i) {
    for (int j = 0; j < 200; ++j)
      x.push_back(T(0.001) + T(0.017) * i), y.push_back(T(0.23) * (j - 100));
  }
  while (x.size() % 64 != 0) x.push_back(1), y.push_back(1);
}

TEST(Math, PowFollowsC) {
  std::vector<float> x, y;
  power_arguments(x, y);
  std::vector<double> wide_x, wide_y;
  power_arguments(wide_x, wide_y);
  for (const target::Target& target : runnable_targets()) {
    const auto got = apply(Function::Pow, x, y, target, target.lanes(32));
    for (std::size_t i = 0; i < x.size(); ++i) {
      ASSERT_LE(ulps(got[i], std::pow(double(x[i]), double(y[i]))), 1) << x[i] << " ^ " << y[i];
    }
    const auto wide = apply(Function::Pow, wide_x, wide_y, target, target.lanes(64));
    for (std::size_t i = 0; i < x.size(); ++i) {
      const long double want =
          std::pow(static_cast<long double>(wide_x[i]), static_cast<long double>(wide_y[i]));
      if (std::isnan(want) || std::isinf(want) || want == 0) {
        ASSERT_EQ(ulps(wide[i], want), 0) << wide_x[i] << " ^ " << wide_y[i];
      } else {
        ASSERT_LE(std::abs(wide[i] / want - 1), 2e-13) << wide_x[i] << " ^ " << wide_y[i];
      }
    }
  }
}

TEST(Math, PowersOfWholeNumbersAreWhole) {
  std::vector<double> x, y;
  for (int base = -20; base < 20; ++base) {
    for (int exponent = 0; exponent < 8; ++exponent) x.push_back(base), y.push_back(exponent);
  }
  for (const target::Target& target : runnable_targets()) {
    const auto got = apply(Function::Pow, x, y, target, target.lanes(64));
    for (std::size_t i = 0; i < x.size(); ++i) {
      ASSERT_EQ(got[i], std::pow(x[i], y[i])) << x[i] << " ^ " << y[i];
    }
  }
}

}  // namespace
}  // namespace hone::codegen
