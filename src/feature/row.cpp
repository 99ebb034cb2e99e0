#include "feature/row.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"

namespace hone::feature {
namespace {

class Columns {
 public:
  explicit Columns(float* to) : begin_(to), at_(to) {}

  void plain(double value) { *at_++ = static_cast<float>(value); }
  void log(double value) { plain(std::copysign(std::log2(std::abs(value) + 1), value)); }
  template <class Values>
  void logs(const Values& values) {
    for (const double value : values) log(value);
  }
  void one_hot(int value, int count) {
    for (int i = 0; i < count; ++i) plain(i == value);
  }
  void skip(int count) { at_ = std::fill_n(at_, count, 0.0F); }
  int written() const { return static_cast<int>(at_ - begin_); }

 private:
  float *begin_, *at_;
};

void write(const LoopGroup& group, Columns& out) {
  constexpr int kPositions = 8, kNone = 0, kMixed = 7;  // TVM never works out the others
  out.log(group.count);
  out.log(group.product);
  out.log(group.innermost);
  out.one_hot(group.count > 0 ? kMixed : kNone, kPositions);
}

void write(const TensorUse& use, Columns& out) {
  // Without reuse everything counts double.
  const double divisor = use.reuse == Reuse::None ? 0.5 : use.reuse_count;
  const double amounts[] = {use.bytes, use.unique_bytes, use.lines, use.unique_lines};
  out.one_hot(static_cast<int>(use.kind), 3);
  out.logs(amounts);
  out.one_hot(static_cast<int>(use.reuse), 3);
  out.log(use.reuse_distance_iterations);
  out.log(use.reuse_distance_bytes);
  out.log(use.reuse_count);
  for (const double amount : amounts) out.log(amount / divisor);
  out.log(use.stride);
}

}  // namespace

void write(const Row& row, float* columns) {
  constexpr int kUseColumns = 18;
  Columns out(columns);
  out.logs(row.floats);
  out.logs(row.ints);
  out.log(row.logical);
  out.log(row.select);
  for (const LoopGroup* group : {&row.vectorized, &row.unrolled, &row.parallel}) write(*group, out);
  out.plain(row.is_gpu);
  out.logs(row.threads);
  const int n_uses = std::min(static_cast<int>(row.uses.size()), kMaxTensors);
  for (int i = 0; i < n_uses; ++i) write(row.uses[static_cast<std::size_t>(i)], out);
  out.skip((kMaxTensors - n_uses) * kUseColumns);
  out.logs(row.curve);
  out.log(row.allocated_bytes);
  out.log(row.allocated_elements);
  out.log(row.allocated_outside);
  out.log(row.allocated_inside);
  out.log(row.outer_product);
  out.log(row.loops);
  out.log(row.auto_unroll_max_step);
  check(out.written() == kStatementColumns, "every column is written once");
}

}  // namespace hone::feature
