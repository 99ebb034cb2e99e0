// Polynomial and rational coefficients are minimax fits of ours (Remez exchange for polynomials, Lawson
// weights for quotients) of the relative error, computed with 40 digits and rounded to double. Those of
// the quotients are floats, moved by single bits until the worst error of the float evaluation fell no
// more.
#include "codegen/math.h"

#include <limits>
#include <span>

#include "codegen/arith.h"

namespace hone::codegen::math {
namespace {

using llvm::Value;

// Builds expressions over values of one float type.
struct Lanes {
  Builder& b;
  llvm::Type* type;
  llvm::Type* int_type;  // of the same shape
  bool is_double;

  Lanes(Builder& builder, Value* x) : b(builder), type(x->getType()) {
    is_double = type->getScalarType()->isDoubleTy();
    int_type = type->getWithNewType(b.getIntNTy(type->getScalarSizeInBits()));
  }

  Value* num(double value) const { return llvm::ConstantFP::get(type, value); }
  Value* imm(std::int64_t value) const { return llvm::ConstantInt::getSigned(int_type, value); }
  Value* bits(Value* x) const { return b.CreateBitCast(x, int_type); }
  Value* floats(Value* x) const { return b.CreateBitCast(x, type); }
  Value* add(Value* x, Value* y) const { return b.CreateFAdd(x, y); }
  Value* sub(Value* x, Value* y) const { return b.CreateFSub(x, y); }
  Value* mul(Value* x, Value* y) const { return b.CreateFMul(x, y); }
  Value* fma(Value* x, Value* y, Value* z) const { return codegen::fma(b, x, y, z); }
  Value* abs(Value* x) const { return b.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, x); }
  Value* with_sign_of(Value* magnitude, Value* sign) const {
    return b.CreateBinaryIntrinsic(llvm::Intrinsic::copysign, magnitude, sign);
  }
  // A NaN passes through both.
  Value* at_most(Value* x, double limit) const {
    return b.CreateSelect(b.CreateFCmpOGT(x, num(limit)), num(limit), x);
  }
  Value* at_least(Value* x, double limit) const {
    return b.CreateSelect(b.CreateFCmpOLT(x, num(limit)), num(limit), x);
  }
  // Lowest power first.
  Value* polynomial(Value* x, std::span<const double> coefficients) const {
    Value* sum = num(coefficients.back());
    for (std::size_t i = coefficients.size() - 1; i-- > 0;) sum = fma(sum, x, num(coefficients[i]));
    return sum;
  }
};

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kLog2E = 1.4426950408889634;

// (e^r - 1 - r) / r^2 for |r| <= ln(2)/2.
constexpr double kExpF32[] = {0.49999993457566616, 0.16666520682724384, 0.041668385925103635,
                              0.00836871053913866, 0.0013814693406935124};
constexpr double kExpF64[] = {0.5000000000000011,     0.16666666666666413,    0.041666666666530267,
                              0.008333333333494342,   0.0013888888943597937,  0.0001984126950675623,
                              2.4801493136023473e-05, 2.7557586289394936e-06, 2.763023395840132e-07,
                              2.500006454349297e-08};
// (log(1+f) - f + f^2/2) / f^3 for 1+f between sqrt(1/2) and sqrt(2).
constexpr double kLogF32[] = {0.3333331045058051,  -0.24999986675366184, 0.20002226019821887,
                              -0.1666924683668429, 0.1421866628102412,   -0.12384418047121806,
                              0.11872987416471047, -0.11789418626649378, 0.06914879442001157};
// (2 atanh(s)/s - 2) / s^2 in z = s^2, for the same range of 1+f = (1+s)/(1-s).
constexpr double kLogF64[] = {0.6666666666666734,  0.3999999999941491,  0.28571428742345323,
                              0.22222198576982702, 0.18183564148262565, 0.15314054727968182,
                              0.1479591088027957};
// tanh(x)/x as a quotient in x^2, |x| <= 9.01, where tanh rounds to 1.
constexpr double kTanhF32Above[] = {0.99999994,     0.136803836,    0.00386891025,
                                    2.80192144e-05, 3.06134211e-08, -1.22241722e-11};
constexpr double kTanhF32Below[] = {1, 0.470137209, 0.0272479728, 0.000393965922, 1.28818749e-06};
// (tanh(x)-x)/x^3 in x^2, |x| <= 0.55.
constexpr double kTanhF64[] = {-0.333333333333333,     0.13333333333326833,   -0.053968253963878214,
                               0.02186948838909252,    -0.008863232652625326, 0.003592092531018942,
                               -0.0014555459749930528, 0.000588457014190421,  -0.00023341264518307838,
                               8.335995664653852e-05,  -1.952096175068702e-05};
// erf(x)/x as a quotient in x^2, |x| <= 3.93, where erf rounds to 1.
constexpr double kErfF32Above[] = {1.12837911,    0.190766618,    0.0527880117,
                                   0.00377890375, 0.000284796552, 2.04213234e-06};
constexpr double kErfF32Below[] = {
    1, 0.502395213, 0.114250422, 0.0149959801, 0.00116505171, 3.80051315e-05};
// erf(x)/x in x^2, |x| <= 1; and erfc(x) exp(x^2) in 3/(3+x), 1 <= x <= 6.
constexpr double kErfF64Near[] = {
    1.1283791670955126,     -0.3761263890318352,     0.11283791670944185,    -0.02686617064311147,
    0.005223977606118481,   -0.0008548325929316656,  0.0001205529357702147,  -1.4924712305189893e-05,
    1.6447131617748237e-06, -1.6206314146064028e-07, 1.3710982127039678e-08, -7.779471692267398e-10};
constexpr double kErfF64Far[] = {1.3774216602069613e-05, 0.18780392739862156,  0.19021924103743076,
                                 0.16739063301099566,    0.18582834991001035,  0.083765168863683,
                                 0.08409714132896677,    0.2519431015777145,   -0.44081932035774646,
                                 0.6161072684518992,     -0.48427028021961205, 0.1863614623414088,
                                 -0.028440501299600067};

}  // namespace

// 2^n e^r with n the integer nearest x/ln(2): adding a number of which the last bit counts ones rounds
// to an integer and leaves n in the low bits. 2^n is applied in two factors, so that results among the
// denormals are right too.
Value* exp(Builder& b, Value* x) {
  const Lanes f(b, x);
  const double shift = f.is_double ? 0x1.8p52 : 0x1.8p23;
  Value* clamped = f.at_least(f.at_most(x, f.is_double ? 710 : 89), f.is_double ? -746 : -104);
  Value* shifted = f.fma(clamped, f.num(kLog2E), f.num(shift));
  Value* n = f.sub(shifted, f.num(shift));
  // ln(2) in two parts, the first short enough that n times it is exact.
  Value* r = f.fma(n, f.num(f.is_double ? -0x1.62e42feep-1 : -0x1.62e4p-1), clamped);
  r = f.fma(n, f.num(f.is_double ? -0x1.a39ef35793c76p-33 : -0x1.7f7d1cp-20), r);
  Value* tail = f.polynomial(r, f.is_double ? std::span<const double>(kExpF64) : kExpF32);
  Value* power = f.add(f.fma(f.mul(r, r), tail, r), f.num(1));

  Value* count = b.CreateSub(f.bits(shifted), f.bits(f.num(shift)));
  Value* half = b.CreateAShr(count, 1);
  const auto power_of_two = [&](Value* exponent) {
    Value* biased = b.CreateAdd(exponent, f.imm(f.is_double ? 1023 : 127));
    return f.floats(b.CreateShl(biased, f.is_double ? 52 : 23));
  };
  return f.mul(f.mul(power, power_of_two(half)), power_of_two(b.CreateSub(count, half)));
}

// k ln(2) + log(1+f), with x = 2^k (1+f) and 1+f next to one.
Value* log(Builder& b, Value* x) {
  const Lanes f(b, x);
  const int mantissa_bits = f.is_double ? 52 : 23;
  Value* denormal = b.CreateFCmpOLT(x, f.num(f.is_double ? 0x1p-1022 : 0x1p-126));
  Value* scaled = b.CreateSelect(denormal, f.mul(x, f.num(0x1p54)), x);
  Value* sqrt_half = f.bits(f.num(0.7071067811865476));
  Value* k = b.CreateAShr(b.CreateSub(f.bits(scaled), sqrt_half), mantissa_bits);
  Value* fraction =
      f.sub(f.floats(b.CreateSub(f.bits(scaled), b.CreateShl(k, mantissa_bits))), f.num(1));
  llvm::Type* int32 = f.int_type->getWithNewBitWidth(32);  // no 64-bit conversion before AVX-512
  Value* exponent = b.CreateSIToFP(b.CreateTrunc(k, int32), f.type);
  exponent = b.CreateSelect(denormal, f.sub(exponent, f.num(54)), exponent);

  Value* square = f.mul(fraction, fraction);
  Value* half_square = f.mul(square, f.num(0.5));
  Value* tail = nullptr;  // log(1+f) - f + f^2/2
  if (f.is_double) {
    Value* s = b.CreateFDiv(fraction, f.add(fraction, f.num(2)));
    Value* z = f.mul(s, s);
    tail = f.mul(s, f.fma(z, f.polynomial(z, kLogF64), half_square));
  } else {
    tail = f.mul(f.mul(fraction, square), f.polynomial(fraction, kLogF32));
  }
  Value* low = f.fma(exponent, f.num(f.is_double ? 0x1.a39ef35793c76p-33 : 0x1.7f7d1cp-20), tail);
  Value* near = f.add(f.sub(low, half_square), fraction);
  Value* result = f.fma(exponent, f.num(f.is_double ? 0x1.62e42feep-1 : 0x1.62e4p-1), near);

  Value* below = b.CreateSelect(b.CreateFCmpOEQ(x, f.num(0)), f.num(-kInfinity),
                                f.num(std::numeric_limits<double>::quiet_NaN()));
  result = b.CreateSelect(b.CreateFCmpOGT(x, f.num(0)), result, below);
  return b.CreateSelect(b.CreateFCmpOEQ(x, f.num(kInfinity)), x, result);
}

namespace {

// x P(x^2)/Q(x^2) for an odd function that rounds to +-1 from `limit` on.
Value* odd_quotient(const Lanes& f, Value* x, double limit, std::span<const double> above,
                    std::span<const double> below) {
  Value* a = f.at_most(f.abs(x), limit);
  Value* square = f.mul(a, a);
  Value* numerator = f.mul(a, f.polynomial(square, above));
  Value* quotient = f.b.CreateFDiv(numerator, f.polynomial(square, below));
  return f.with_sign_of(f.at_most(quotient, 1), x);
}

}  // namespace

Value* erf(Builder& b, Value* x) {
  const Lanes f(b, x);
  if (!f.is_double) return odd_quotient(f, x, 3.93, kErfF32Above, kErfF32Below);
  Value* a = f.at_most(f.abs(x), 6);
  Value* square = f.mul(a, a);
  Value* near = f.mul(a, f.polynomial(square, kErfF64Near));
  Value* u = b.CreateFDiv(f.num(3), f.add(a, f.num(3)));
  Value* decay = exp(b, b.CreateFNeg(square));
  Value* far = f.fma(b.CreateFNeg(decay), f.polynomial(u, kErfF64Far), f.num(1));
  return f.with_sign_of(b.CreateSelect(b.CreateFCmpOLT(a, f.num(1)), near, far), x);
}

Value* tanh(Builder& b, Value* x) {
  const Lanes f(b, x);
  if (!f.is_double) return odd_quotient(f, x, 9.01, kTanhF32Above, kTanhF32Below);
  Value* a = f.abs(x);
  Value* square = f.mul(a, a);
  Value* near = f.fma(f.mul(a, square), f.polynomial(square, kTanhF64), a);
  Value* growth = exp(b, f.add(a, a));
  Value* far = f.sub(f.num(1), b.CreateFDiv(f.num(2), f.add(growth, f.num(1))));
  return f.with_sign_of(b.CreateSelect(b.CreateFCmpOLT(a, f.num(0.55)), near, far), x);
}

Value* sigmoid(Builder& b, Value* x) {
  const Lanes f(b, x);
  Value* decay = exp(b, b.CreateFNeg(f.abs(x)));
  Value* numerator = b.CreateSelect(b.CreateFCmpOLT(x, f.num(0)), decay, f.num(1));
  return b.CreateFDiv(numerator, f.add(decay, f.num(1)));
}

Value* rsqrt(Builder& b, Value* x) {
  return b.CreateFDiv(Lanes(b, x).num(1), b.CreateUnaryIntrinsic(llvm::Intrinsic::sqrt, x));
}

namespace {

// The exponents 2 and 3, which normalisations and GELU have, need no logarithm.
Value* small_power(const Lanes& f, Value* x, Value* y) {
  auto* constant = llvm::dyn_cast<llvm::Constant>(y);
  if (constant != nullptr && constant->getType()->isVectorTy()) constant = constant->getSplatValue();
  const auto* exponent = llvm::dyn_cast_or_null<llvm::ConstantFP>(constant);
  if (exponent == nullptr) return nullptr;
  if (exponent->isExactlyValue(2.0)) return f.mul(x, x);
  if (exponent->isExactlyValue(3.0)) return f.mul(f.mul(x, x), x);
  return nullptr;
}

}  // namespace

// |x|^y = e^(y log|x|), the sign from odd integer exponents. Floats go through double, because the
// error of the logarithm is multiplied by up to 88.
Value* pow(Builder& b, Value* x, Value* y) {
  const Lanes f(b, x);
  if (Value* power = small_power(f, x, y)) return power;
  if (!f.is_double) {
    llvm::Type* wide = f.type->getWithNewType(b.getDoubleTy());
    return b.CreateFPTrunc(pow(b, b.CreateFPExt(x, wide), b.CreateFPExt(y, wide)), f.type);
  }
  Value* one = f.num(1);
  Value* magnitude = exp(b, f.mul(y, log(b, f.abs(x))));
  Value* unit = b.CreateAnd(b.CreateFCmpOEQ(f.abs(x), one), b.CreateFCmpORD(y, y));
  magnitude = b.CreateSelect(unit, one, magnitude);

  const auto is_integer = [&](Value* v) {
    return b.CreateFCmpOEQ(v, b.CreateUnaryIntrinsic(llvm::Intrinsic::floor, v));
  };
  Value* integer = is_integer(y);
  Value* odd = b.CreateAnd(integer, b.CreateNot(is_integer(f.mul(y, f.num(0.5)))));
  Value* signed_power = b.CreateSelect(odd, f.with_sign_of(magnitude, x), magnitude);
  Value* negative = b.CreateAnd(b.CreateFCmpOLT(x, f.num(0)), b.CreateFCmpOGT(x, f.num(-kInfinity)));
  Value* undefined = b.CreateAnd(negative, b.CreateNot(integer));
  Value* result =
      b.CreateSelect(undefined, f.num(std::numeric_limits<double>::quiet_NaN()), signed_power);
  Value* always_one = b.CreateOr(b.CreateFCmpOEQ(x, one), b.CreateFCmpOEQ(y, f.num(0)));
  return b.CreateSelect(always_one, one, result);
}

}  // namespace hone::codegen::math
