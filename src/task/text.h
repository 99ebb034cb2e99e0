// Tasks in the syntax TVM prints its compute DAGs in.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "task/task.h"

namespace hone::task {

// One op a line, in stage order; a line that TVM prints is printed the same:
//   X = PLACEHOLDER [1, 64, 256]
//   pad(i0, i1, i2) = tir.if_then_else(((i2 >= 1) && (i2 < 257)), X[i0, i1, (i2 - 1)], 0f)
//   conv(n, co, i0) += (pad[n, rc, ((i0*2) + rk0)]*W[co, rc, rk0])
// Besides `+=` there are `max=`, `min=` and, of two lines and read as name.v0 and name.v1, arg-max and
// arg-min:
//   best(i).v0 select(((lhs_1 > rhs_1) || ((lhs_1 == rhs_1) && (lhs_0 < rhs_0))), lhs_0, rhs_0)=
//   (k,X[i, k]) best(i).v1 select((lhs_1 > rhs_1), lhs_1, rhs_1)= (k,X[i, k])
// hone adds what TVM cannot say: `prod=`, and after a placeholder's shape the type when it is not
// float32 and the strides when they are not dense; a computed op has its strides after its axes and its
// type from its body:
//   A = PLACEHOLDER [128, 64] float16 strides [128, 1]
//   C(i, j) strides [256, 1] = (A[i, j]*2h)
// Numbers have as many digits as they need; what TVM printed (six digits) is given back as it was.
std::string print(const Task& task);
// With lines after it that say what parsing would otherwise infer or miss (text_facts.h).
std::string print_whole(const Task& task);
// As TVM itself shows it: numbers cut to six digits, and of a line longer than 256 characters only the
// first and the last 128 with " ..(OMITTED).. " between them.
std::string print_as_tvm(const Task& task);

// Facts the printed form leaves out; where not given they are inferred from the accesses.
struct OpFacts {
  std::string name;
  std::vector<std::int64_t> shape;
  std::vector<std::pair<std::string, std::int64_t>> reduce;
};
struct ParseContext {
  std::string workload_key;  // its shapes fix outputs and with them the inner shapes
  std::vector<OpFacts> ops;  // in DAG order
};
ParseContext context_of(const Task& task);  // everything that parsing its text needs

// Reads what `print` or TVM printed. Throws UserError with line and column.
// - Shapes and reduce extents follow from the context or the accesses (shape.h); reduce axes stand in
// the order of
//   their first use unless the context gives another.
// - Bodies that TVM cut are restored from what is known of them (cut_body.h), or refused.
// - Names may repeat. TVM prints producers directly before their first reader, so an op first takes the
// ops that
//   nobody has read yet, as many of the last ones as it has names for, in the order of its reads. A
//   further read of the same name in the same op means the same op. Where all of a name have been read
//   before, it is the first of them: in `x + b -> T_add, T_add + 3 -> T_add, ..., T_add*gate` (hard
//   swish) that is the value which the gate multiplies.
// - Hints are not in the text, only in the lines of print_whole; those of Winograd's constant matrices
//   are found again.
Task parse(std::string_view text, const ParseContext& context = {});

}  // namespace hone::task
