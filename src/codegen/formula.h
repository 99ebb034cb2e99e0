// Math functions as formulas over an abstract float type, so that every back end computes the same.
//
// Arguments are float or double, or vectors of them. Infinities, zeros, denormals and NaNs give what
// C's functions give. Largest error found over the whole range, by type (ulp = units in the last
// place):
//
//              exp       log       erf       tanh      sigmoid   rsqrt     pow
//   float      1 ulp     1 ulp     4.5 ulp   4.5 ulp   2.5 ulp   1.5 ulp   1 ulp (through double)
//   double     1.1 ulp   1 ulp     2 ulp     2 ulp     2.5 ulp   1.5 ulp   relative 2e-13
//
// math_test.cpp checks these bounds.
//
// A back end's `F` names its types Value (floats), Int (integers of the same shape) and Mask (truths),
// says `is_double`, and has the operations that the formulas use; see LlvmLanes and CLanes.
#pragma once
#include <limits>
#include <span>

namespace hone::codegen::formula {

// Polynomial and rational coefficients are minimax fits of ours (Remez exchange for polynomials, Lawson
// weights for quotients) of the relative error, computed with 40 digits and rounded to double. Those of
// the quotients are floats, moved by single bits until the worst error of the float evaluation fell no
// more.
using Coefficients = std::span<const double>;  // lowest power first

// (e^r - 1 - r) / r^2 for |r| <= ln(2)/2.
inline constexpr double kExpF32[] = {0.49999993457566616, 0.16666520682724384, 0.041668385925103635,
                                     0.00836871053913866, 0.0013814693406935124};
inline constexpr double kExpF64[] = {
    0.5000000000000011,    0.16666666666666413,   0.041666666666530267,   0.008333333333494342,
    0.0013888888943597937, 0.0001984126950675623, 2.4801493136023473e-05, 2.7557586289394936e-06,
    2.763023395840132e-07, 2.500006454349297e-08};
// (log(1+f) - f + f^2/2) / f^3 for 1+f between sqrt(1/2) and sqrt(2).
inline constexpr double kLogF32[] = {0.3333331045058051,  -0.24999986675366184, 0.20002226019821887,
                                     -0.1666924683668429, 0.1421866628102412,   -0.12384418047121806,
                                     0.11872987416471047, -0.11789418626649378, 0.06914879442001157};
// (2 atanh(s)/s - 2) / s^2 in z = s^2, for the same range of 1+f = (1+s)/(1-s).
inline constexpr double kLogF64[] = {0.6666666666666734,  0.3999999999941491,  0.28571428742345323,
                                     0.22222198576982702, 0.18183564148262565, 0.15314054727968182,
                                     0.1479591088027957};
// tanh(x)/x as a quotient in x^2, |x| <= 9.01, where tanh rounds to 1.
inline constexpr double kTanhF32Above[] = {0.99999994,     0.136803836,    0.00386891025,
                                           2.80192144e-05, 3.06134211e-08, -1.22241722e-11};
inline constexpr double kTanhF32Below[] = {1, 0.470137209, 0.0272479728, 0.000393965922,
                                           1.28818749e-06};
// (tanh(x)-x)/x^3 in x^2, |x| <= 0.55.
inline constexpr double kTanhF64[] = {
    -0.333333333333333,      0.13333333333326833,   -0.053968253963878214,  0.02186948838909252,
    -0.008863232652625326,   0.003592092531018942,  -0.0014555459749930528, 0.000588457014190421,
    -0.00023341264518307838, 8.335995664653852e-05, -1.952096175068702e-05};
// erf(x)/x as a quotient in x^2, |x| <= 3.93, where erf rounds to 1.
inline constexpr double kErfF32Above[] = {1.12837911,    0.190766618,    0.0527880117,
                                          0.00377890375, 0.000284796552, 2.04213234e-06};
inline constexpr double kErfF32Below[] = {
    1, 0.502395213, 0.114250422, 0.0149959801, 0.00116505171, 3.80051315e-05};
// erf(x)/x in x^2, |x| <= 1; and erfc(x) exp(x^2) in 3/(3+x), 1 <= x <= 6.
inline constexpr double kErfF64Near[] = {
    1.1283791670955126,     -0.3761263890318352,     0.11283791670944185,    -0.02686617064311147,
    0.005223977606118481,   -0.0008548325929316656,  0.0001205529357702147,  -1.4924712305189893e-05,
    1.6447131617748237e-06, -1.6206314146064028e-07, 1.3710982127039678e-08, -7.779471692267398e-10};
inline constexpr double kErfF64Far[] = {
    1.3774216602069613e-05, 0.18780392739862156, 0.19021924103743076,  0.16739063301099566,
    0.18582834991001035,    0.083765168863683,   0.08409714132896677,  0.2519431015777145,
    -0.44081932035774646,   0.6161072684518992,  -0.48427028021961205, 0.1863614623414088,
    -0.028440501299600067};

inline constexpr double kInfinity = std::numeric_limits<double>::infinity();
inline constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

template <class F>
typename F::Value polynomial(const F& f, typename F::Value x, Coefficients coefficients) {
  auto sum = f.num(coefficients.back());
  for (std::size_t i = coefficients.size() - 1; i-- > 0;) sum = f.fma(sum, x, f.num(coefficients[i]));
  return sum;
}

// A NaN passes through both.
template <class F>
typename F::Value at_most(const F& f, typename F::Value x, double limit) {
  return f.select(f.less(f.num(limit), x), f.num(limit), x);
}
template <class F>
typename F::Value at_least(const F& f, typename F::Value x, double limit) {
  return f.select(f.less(x, f.num(limit)), f.num(limit), x);
}

// ln(2) in two parts, the first short enough that small integers times it are exact.
template <class F>
double ln2_high(const F& f) {
  return f.is_double ? 0x1.62e42feep-1 : 0x1.62e4p-1;
}
template <class F>
double ln2_low(const F& f) {
  return f.is_double ? 0x1.a39ef35793c76p-33 : 0x1.7f7d1cp-20;
}

// 2^n e^r with n the integer nearest x/ln(2): adding a number of which the last bit counts ones rounds
// to an integer and leaves n in the low bits. 2^n is applied in two factors, so that results among the
// denormals are right too.
template <class F>
typename F::Value exp(const F& f, typename F::Value x) {
  constexpr double kLog2E = 1.4426950408889634;
  const double shift = f.is_double ? 0x1.8p52 : 0x1.8p23;
  const auto clamped = at_least(f, at_most(f, x, f.is_double ? 710 : 89), f.is_double ? -746 : -104);
  const auto shifted = f.fma(clamped, f.num(kLog2E), f.num(shift));
  const auto n = f.sub(shifted, f.num(shift));
  const auto r = f.fma(n, f.num(-ln2_low(f)), f.fma(n, f.num(-ln2_high(f)), clamped));
  const auto tail = polynomial(f, r, f.is_double ? Coefficients(kExpF64) : kExpF32);
  const auto power = f.add(f.fma(f.mul(r, r), tail, r), f.num(1));

  const auto count = f.int_sub(f.bits(shifted), f.bits(f.num(shift)));
  const auto half = f.shift_right(count, 1);
  const auto power_of_two = [&](const auto& exponent) {
    const auto biased = f.int_add(exponent, f.imm(f.is_double ? 1023 : 127));
    return f.floats(f.shift_left(biased, f.is_double ? 52 : 23));
  };
  return f.mul(f.mul(power, power_of_two(half)), power_of_two(f.int_sub(count, half)));
}

// k ln(2) + log(1+f), with x = 2^k (1+f) and 1+f next to one.
template <class F>
typename F::Value log(const F& f, typename F::Value x) {
  const int mantissa_bits = f.is_double ? 52 : 23;
  const auto denormal = f.less(x, f.num(f.is_double ? 0x1p-1022 : 0x1p-126));
  const auto scaled = f.bits(f.select(denormal, f.mul(x, f.num(0x1p54)), x));
  const auto sqrt_half = f.bits(f.num(0.7071067811865476));
  const auto k = f.shift_right(f.int_sub(scaled, sqrt_half), mantissa_bits);
  const auto fraction = f.sub(f.floats(f.int_sub(scaled, f.shift_left(k, mantissa_bits))), f.num(1));
  const auto whole = f.to_float(k);
  const auto exponent = f.select(denormal, f.sub(whole, f.num(54)), whole);

  const auto square = f.mul(fraction, fraction);
  const auto half_square = f.mul(square, f.num(0.5));
  const auto tail = [&] {  // log(1+f) - f + f^2/2
    if (!f.is_double) return f.mul(f.mul(fraction, square), polynomial(f, fraction, kLogF32));
    const auto s = f.div(fraction, f.add(fraction, f.num(2)));
    const auto z = f.mul(s, s);
    return f.mul(s, f.fma(z, polynomial(f, z, kLogF64), half_square));
  }();
  const auto low = f.fma(exponent, f.num(ln2_low(f)), tail);
  const auto near = f.add(f.sub(low, half_square), fraction);
  const auto result = f.fma(exponent, f.num(ln2_high(f)), near);

  const auto not_positive = f.select(f.equal(x, f.num(0)), f.num(-kInfinity), f.num(kNaN));
  const auto positive = f.select(f.equal(x, f.num(kInfinity)), x, result);
  return f.select(f.less(f.num(0), x), positive, not_positive);
}

// x P(x^2)/Q(x^2) for an odd function that rounds to +-1 from `limit` on.
template <class F>
typename F::Value odd_quotient(const F& f, typename F::Value x, double limit, Coefficients above,
                               Coefficients below) {
  const auto a = at_most(f, f.abs(x), limit);
  const auto square = f.mul(a, a);
  const auto numerator = f.mul(a, polynomial(f, square, above));
  const auto quotient = f.div(numerator, polynomial(f, square, below));
  return f.with_sign_of(at_most(f, quotient, 1), x);
}

template <class F>
typename F::Value erf(const F& f, typename F::Value x) {
  if (!f.is_double) return odd_quotient(f, x, 3.93, kErfF32Above, kErfF32Below);
  const auto a = at_most(f, f.abs(x), 6);
  const auto square = f.mul(a, a);
  const auto near = f.mul(a, polynomial(f, square, kErfF64Near));
  const auto u = f.div(f.num(3), f.add(a, f.num(3)));
  const auto decay = exp(f, f.neg(square));
  const auto far = f.fma(f.neg(decay), polynomial(f, u, kErfF64Far), f.num(1));
  return f.with_sign_of(f.select(f.less(a, f.num(1)), near, far), x);
}

template <class F>
typename F::Value tanh(const F& f, typename F::Value x) {
  if (!f.is_double) return odd_quotient(f, x, 9.01, kTanhF32Above, kTanhF32Below);
  const auto a = f.abs(x);
  const auto square = f.mul(a, a);
  const auto near = f.fma(f.mul(a, square), polynomial(f, square, kTanhF64), a);
  const auto growth = exp(f, f.add(a, a));
  const auto far = f.sub(f.num(1), f.div(f.num(2), f.add(growth, f.num(1))));
  return f.with_sign_of(f.select(f.less(a, f.num(0.55)), near, far), x);
}

template <class F>
typename F::Value sigmoid(const F& f, typename F::Value x) {
  const auto decay = exp(f, f.neg(f.abs(x)));
  const auto numerator = f.select(f.less(x, f.num(0)), decay, f.num(1));
  return f.div(numerator, f.add(decay, f.num(1)));
}

template <class F>
typename F::Value rsqrt(const F& f, typename F::Value x) {
  return f.div(f.num(1), f.sqrt(x));
}

// |x|^y = e^(y log|x|), the sign from odd integer exponents. For doubles; the error of the logarithm is
// multiplied by up to 709. Powers of whole numbers are whole as far as that error allows, or a cast to
// an integer type would lose one.
template <class F>
typename F::Value pow(const F& f, typename F::Value x, typename F::Value y) {
  const auto one = f.num(1);
  const auto unit = f.both(f.equal(f.abs(x), one), f.equal(y, y));
  const auto power = f.select(unit, one, exp(f, f.mul(y, log(f, f.abs(x)))));
  const auto is_integer = [&](const auto& v) { return f.equal(v, f.floor(v)); };
  const auto is_whole = f.both(f.both(is_integer(x), is_integer(y)),
                               f.both(f.less(f.num(-1), y), f.less(power, f.num(1e12))));
  const auto magnitude = f.select(is_whole, f.floor(f.add(power, f.num(0.5))), power);
  const auto odd = f.both(is_integer(y), f.inverse(is_integer(f.mul(y, f.num(0.5)))));
  const auto with_sign = f.select(odd, f.with_sign_of(magnitude, x), magnitude);
  const auto negative = f.both(f.less(x, f.num(0)), f.less(f.num(-kInfinity), x));
  const auto undefined = f.both(negative, f.inverse(is_integer(y)));
  const auto result = f.select(undefined, f.num(kNaN), with_sign);
  return f.select(f.either(f.equal(x, one), f.equal(y, f.num(0))), one, result);
}

}  // namespace hone::codegen::formula
